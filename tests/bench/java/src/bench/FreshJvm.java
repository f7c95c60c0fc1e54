package bench;

import io.github.polyflake.Generator;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is measured in a JVM of its own: the time to the first id, and memory. Beside them, the size of the jar. */
final class FreshJvm {
  private static final String GROUP = "size and start";
  private static final int GENERATORS = 10_000;
  private static final int NODES = 1000;

  private FreshJvm() {}

  /** A program that does nothing. */
  static final class Bare {
    public static void main(String[] args) {}
  }

  /** The same, and an id. */
  static final class FirstId {
    public static void main(String[] args) {
      Generator.builder().worker(1).build().nextId();
    }
  }

  /** Prints bytes per generator of one node id, and per first generator of a node id. */
  static final class Memory {
    public static void main(String[] args) throws IOException {
      Generator[] kept = new Generator[3 * GENERATORS];
      for (int i = 0; i < GENERATORS; i++) {
        kept[i] = Generator.builder().worker(0).build();
      }
      long begin = used();
      for (int i = GENERATORS; i < 2 * GENERATORS; i++) {
        kept[i] = Generator.builder().worker(0).build();
      }
      long middle = used();
      for (int i = 0; i < NODES; i++) {
        kept[2 * GENERATORS + i] = Generator.builder().worker(1 + i).build();
      }
      System.out.println((middle - begin) / (double) GENERATORS + " " + (used() - middle) / (double) NODES);
      System.exit(kept[0].isClosed() ? 1 : 0);
    }

    /** Objects on the heap, and what is resident outside of it: the heap is resident as a whole from the start. */
    private static long used() throws IOException {
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      long pages = Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]);
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + pages * 4096;
    }
  }

  static void measure(Rows rows, int rounds) throws IOException {
    double[] costs = new double[rounds];
    for (int i = -1; i < rounds; i++) {
      double bare = ms(Bare.class);
      double firstId = ms(FirstId.class);
      if (i >= 0) { // before that, files come into memory
        costs[i] = firstId - bare;
      }
    }
    rows.add(figure("java.class_load_ms", "first id in a fresh JVM, over a bare JVM", Paired.quantile(costs, 0.5),
        new double[] {Paired.quantile(costs, 0.25), Paired.quantile(costs, 0.75)}, "ms"));
    if (Files.exists(Path.of("/proc/self/statm"))) {
      measureMemory(rows, Math.max(1, rounds / 4));
    }
    Path jar = Path.of(Generator.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    rows.add(figure("java.jar_kb", "the jar, native library included", Files.size(jar) / 1024.0, null, "KiB"));
  }

  private static void measureMemory(Rows rows, int rounds) throws IOException {
    double[] each = new double[rounds];
    double[] first = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      // Interpreted, since the compiler takes and returns memory when it likes.
      String[] bytes = run(Memory.class, "-Xint", "-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch")
          .split(" ");
      each[i] = Double.parseDouble(bytes[0]);
      first[i] = Double.parseDouble(bytes[1]);
    }
    rows.add(figure("java.memory_per_generator_bytes", "one more generator of a node id, heap and native memory",
        Paired.quantile(each, 0.5), null, "bytes"));
    rows.add(figure(null, "the first generator of a node id, heap and native memory", Paired.quantile(first, 0.5), null,
        "bytes"));
  }

  private static Row figure(String key, String name, double value, double[] quartiles, String unit) {
    return new Row("figure", key).set("group", GROUP).set("name", name).set("value", value).set("quartiles", quartiles)
        .set("unit", unit);
  }

  private static double ms(Class<?> main) throws IOException {
    long begin = System.nanoTime();
    run(main);
    return (System.nanoTime() - begin) / 1e6;
  }

  private static String run(Class<?> main, String... options) throws IOException {
    List<String> command = command(options);
    command.add(main.getName());
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes()).trim();
    require(process, main.getName());
    return output;
  }

  /** This JVM's own program, class path included. */
  static List<String> command(String... options) {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    return command;
  }

  static void require(Process process, String what) {
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException(what + " ended with status " + process.exitValue());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
