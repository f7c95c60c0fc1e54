import io.github.polyflake.Generator;
import io.github.polyflake.Parts;
import io.github.polyflake.Polyflake;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * What an id costs in Java, next to floors measured in the same run.
 *
 * <pre>java -cp java/target/polyflake-VERSION.jar tests/bench/java/Benchmark.java [--json FILE]</pre>
 *
 * A ratio compares a chunk of work with the mean of the floor's chunks before and after it, so that a machine that
 * changes speed changes both; shown are the median and the quartiles of all rounds.
 */
public final class Benchmark {
  private static final int ROUNDS = 120;
  private static final double CHUNK_NS = 1e6;
  /** A tick holds four million ids, so that no call waits: what is measured is work. */
  private static final String WIDE = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";

  /** So that no loop is without effect. */
  private static volatile long sink;

  private interface Loop {
    void run(int count);
  }

  /** A candidate beside its floor. */
  private static final class Comparison {
    String name;
    String floorName;
    double ns;
    double floorNs;
    double ratio;
    double lower;
    double upper;
  }

  private static final class Saturation {
    int ids;
    long ticks;
    double elapsedMs;
    double cpuNs;
  }

  private static double time(Loop loop, int count) {
    long begin = System.nanoTime();
    loop.run(count);
    return System.nanoTime() - begin;
  }

  /** How often the loop's body runs in about one chunk, once it is compiled. */
  private static int calibrate(Loop loop) {
    int count = 1;
    while (time(loop, count) < CHUNK_NS) {
      count *= 2;
    }
    for (int i = 0; i < 300; i++) {
      loop.run(count);
    }
    return (int) Math.max(1, Math.round(count * CHUNK_NS / time(loop, count)));
  }

  /** Alternates floor, candidate, floor, candidate, ..., floor. */
  private static Comparison compare(String name, String floorName, Loop floor, Loop candidate) {
    int floorCount = calibrate(floor);
    int count = calibrate(candidate);
    double[] ratios = new double[ROUNDS];
    double[] costs = new double[ROUNDS];
    double[] floorCosts = new double[ROUNDS];
    double before = time(floor, floorCount) / floorCount;
    for (int round = 0; round < ROUNDS; round++) {
      costs[round] = time(candidate, count) / count;
      floorCosts[round] = time(floor, floorCount) / floorCount;
      ratios[round] = costs[round] / ((before + floorCosts[round]) / 2);
      before = floorCosts[round];
    }
    Comparison result = new Comparison();
    result.name = name;
    result.floorName = floorName;
    result.ns = quantile(costs, 0.5);
    result.floorNs = quantile(floorCosts, 0.5);
    result.ratio = quantile(ratios, 0.5);
    result.lower = quantile(ratios, 0.25);
    result.upper = quantile(ratios, 0.75);
    return result;
  }

  private static double quantile(double[] values, double q) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(q * (sorted.length - 1))];
  }

  private static Comparison nextId() {
    Generator generator = Generator.builder().layout(WIDE).worker(0).build();
    return compare("nextId()", "System.currentTimeMillis()", count -> {
      long sum = 0;
      for (int i = 0; i < count; i++) {
        sum += System.currentTimeMillis();
      }
      sink = sum;
    }, count -> {
      long sum = 0;
      for (int i = 0; i < count; i++) {
        sum += generator.nextId();
      }
      sink = sum;
    });
  }

  private static Comparison fill() {
    Generator generator = Generator.builder().layout(WIDE).worker(0).build();
    long[] ids = new long[4096];
    return compare("fill(4096 ids)", "long[4096] by a loop", count -> {
      for (int round = 0; round < count; round++) {
        for (int i = 0; i < ids.length; i++) {
          ids[i] = i + round;
        }
        sink = ids[round & 4095];
      }
    }, count -> {
      for (int round = 0; round < count; round++) {
        generator.fill(ids);
        sink = ids[round & 4095];
      }
    });
  }

  /** The default layout as fast as it goes for two seconds, every id kept and compared. */
  private static Saturation saturated() {
    Generator generator = Generator.builder().worker(1).maxWait(Duration.ofMillis(100)).build();
    long[] ids = new long[4096 * 2600];
    Arrays.fill(ids, 1); // so that its pages exist before the clock starts
    for (int i = 0; i < 200_000; i++) {
      sink = generator.nextId();
    }
    long cpuBefore = cpuNs();
    long begin = System.nanoTime();
    long beginMs = System.currentTimeMillis();
    int count = 0;
    while (System.currentTimeMillis() - beginMs < 2000) {
      for (int i = 0; i < 4096; i++) {
        ids[count++] = generator.nextId();
      }
    }
    Saturation result = new Saturation();
    result.elapsedMs = (System.nanoTime() - begin) / 1e6;
    result.cpuNs = cpuNs() - cpuBefore;
    result.ids = count;
    for (int i = 1; i < count; i++) {
      if (ids[i] <= ids[i - 1]) {
        throw new IllegalStateException("id " + i + " is not above the one before it");
      }
    }
    Parts first = generator.layout().decode(ids[0]);
    result.ticks = generator.layout().decode(ids[count - 1]).tick() - first.tick() + 1;
    return result;
  }

  /** Of the whole process, its compiler and collector included. */
  private static long cpuNs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }

  public static void main(String[] args) throws IOException {
    Comparison[] compared = {nextId(), fill()};
    Saturation full = saturated();
    double byIds = full.ids / (4096.0 * full.ticks);
    double byClock = full.ids / (4096.0 * full.elapsedMs);
    double cpuSeconds = full.cpuNs / 1e3 / full.ids;
    double cores = full.cpuNs / 1e6 / full.elapsedMs;
    String saturated = "default layout, one thread, saturated";
    for (Comparison row : compared) {
      System.out.printf(Locale.ROOT, "%-16s %8.1f ns   %-26s %8.1f ns   %.2f x (%.2f to %.2f)%n", row.name, row.ns,
          row.floorName, row.floorNs, row.ratio, row.lower, row.upper);
    }
    System.out.printf(Locale.ROOT, "%s: %d ids, no duplicate; %.2f %% of the ceiling by the ids' ticks, %.2f %% by the clock; "
        + "%.3f CPU s per million ids (%.2f cores)%n", saturated, full.ids, byIds * 100, byClock * 100, cpuSeconds, cores);
    if (args.length == 2 && args[0].equals("--json")) {
      StringBuilder json = new StringBuilder();
      json.append(String.format(Locale.ROOT, "{\"language\": \"java\", \"runtime\": \"%s\", \"version\": \"%s\", \"rows\": [",
          System.getProperty("java.runtime.version"), Polyflake.version()));
      for (Comparison row : compared) {
        json.append(String.format(Locale.ROOT, "%n  {\"name\": \"%s\", \"floor\": \"%s\", \"ns\": %f, \"floor_ns\": %f, "
            + "\"ratio\": %f, \"quartiles\": [%f, %f], \"rounds\": %d},", row.name, row.floorName, row.ns, row.floorNs,
            row.ratio, row.lower, row.upper, ROUNDS));
      }
      // No duplicates: strictly increasing, or this line is not reached.
      json.append(String.format(Locale.ROOT, "%n  {\"name\": \"%s\", \"ids\": %d, \"duplicates\": 0, \"ticks_of_ids\": %d, "
          + "\"elapsed_ms\": %f, \"share_of_ceiling_by_ids\": %f, \"share_of_ceiling_by_clock\": %f, "
          + "\"cpu_seconds_per_million\": %f, \"cores\": %f}%n]}%n", saturated, full.ids, full.ticks, full.elapsedMs, byIds,
          byClock, cpuSeconds, cores));
      Files.write(Paths.get(args[1]), json.toString().getBytes(StandardCharsets.US_ASCII));
    }
  }
}
