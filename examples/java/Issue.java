import io.github.polyflake.Generator;
import java.io.IOException;
import java.io.PrintWriter;

/** Issues 25 000 ids into a file, one a line, and says what three of them mean. Begins when standard input does. */
public final class Issue {
  public static void main(String[] arguments) throws IOException {
    try (Generator generator = Generator.builder().build()) { // with a node id that no other process of this host has
      System.out.println("node id " + generator.worker());
      System.in.read();

      long[] ids = new long[25_000];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = generator.nextId();
      }

      try (PrintWriter file = new PrintWriter(arguments[0])) {
        for (long id : ids) {
          file.println(id);
        }
      }

      for (long id : new long[] {ids[0], ids[12_500], ids[ids.length - 1]}) {
        Say.say(id, generator.layout());
      }
    }
  }
}
