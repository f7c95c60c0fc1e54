import io.github.polyflake.Generator;
import io.github.polyflake.PolyflakeException;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * A program of Windows that issues ids from the host registry, and starts a second one that asks for the same node id:
 *
 * <pre>
 * java.exe Smoke          the first
 * java.exe Smoke WORKER   the second, which must be refused
 * </pre>
 */
class Smoke {
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 0) {
      issue();
    } else {
      beRefused(arguments[0]);
    }
  }

  private static void issue() throws Exception {
    Generator generator = Generator.builder().worker("host").build();
    long last = 0;
    for (int i = 0; i < 1000; i++) {
      long id = generator.nextId();
      expect(id > last, id + " after " + last);
      expect(generator.layout().decode(id).node() == generator.worker(), "the node id of " + id);
      last = id;
    }
    Path java = Paths.get(System.getProperty("java.home"), "bin", "java.exe");
    Process second = new ProcessBuilder(java.toString(), "-cp", System.getProperty("java.class.path"), "Smoke",
        Long.toString(generator.worker())).inheritIO().start();
    expect(second.waitFor() == 0, "the second process");
  }

  private static void beRefused(String worker) {
    try {
      Generator.builder().worker("host:" + worker).build();
    } catch (PolyflakeException refused) {
      expect(refused.code().equals("worker_in_use"), refused.toString());
      return;
    }
    expect(false, "was not refused");
  }

  private static void expect(boolean fact, String otherwise) {
    if (!fact) {
      throw new AssertionError(otherwise);
    }
  }
}
