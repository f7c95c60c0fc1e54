package bench;

import io.github.polyflake.Generator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The same operations once more, measured by JMH in JVMs of its own: absolute figures as an independent check. */
public class Tool {
  /** JMH generates code that calls these, so they are public. */
  @State(Scope.Benchmark)
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  public static class Ours {
    private final Generator wide = bench.Ours.wide();
    private final Generator wider = bench.Ours.wider();
    private final long[] many = new long[4096];
    private final long[] few = new long[64];

    @Benchmark
    public long nextId() {
      return wide.nextId();
    }

    @Benchmark
    public OptionalLong tryNextId() {
      return wide.tryNextId();
    }

    @Benchmark
    public long[] fill4096() {
      wider.fill(many);
      return many;
    }

    @Benchmark
    public long[] fill64() {
      wider.fill(few);
      return few;
    }

    @Benchmark
    public long[] nextIds1000() {
      return wider.nextIds(1000);
    }
  }

  /** As {@link FreshTicks}: the wait for a fresh ms is not counted. */
  @State(Scope.Benchmark)
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  public static class Peers {
    @Param("0")
    public int library;

    private final long[] ids = new long[2 * FreshTicks.IDS];
    private Library.Source source;

    @Setup
    public void open() {
      source = Main.libraries().get(library).open().get();
    }

    @Setup(Level.Invocation)
    public void awaitFreshMs() {
      FreshTicks.awaitFreshMs();
    }

    @Benchmark
    @OperationsPerInvocation(FreshTicks.IDS)
    public long[] take() {
      source.take(ids, 0, FreshTicks.IDS);
      return ids;
    }
  }

  /** Sets tool_ns of all rows that name something here: "Class.method" or "Class.method:parameter". */
  static void addTo(List<Row> rows, boolean quick) {
    Map<String, Double> figures = new HashMap<>();
    List<String> wanted = rows.stream().map(row -> row.tool).filter(tool -> tool != null).toList();
    List<String> parameters = new ArrayList<>();
    ChainedOptionsBuilder options = new OptionsBuilder().verbosity(VerboseMode.SILENT).shouldFailOnError(true)
        .forks(quick ? 1 : 2).warmupIterations(quick ? 1 : 3).measurementIterations(quick ? 1 : 5)
        .warmupTime(TimeValue.milliseconds(quick ? 50 : 300)).measurementTime(TimeValue.milliseconds(quick ? 50 : 300));
    for (String tool : wanted) {
      String[] parts = tool.split(":");
      options.include("bench\\.Tool\\." + parts[0].replace(".", "\\.") + "$");
      if (parts.length == 2) {
        parameters.add(parts[1]);
      }
    }
    if (!parameters.isEmpty()) {
      options.param("library", parameters.toArray(String[]::new));
    }
    try {
      for (RunResult result : new Runner(options.build()).run()) {
        String name = result.getParams().getBenchmark().replaceFirst(".*\\.Tool\\.", "");
        String parameter = result.getParams().getParam("library");
        // The median of its iterations, as a mean would count what else the machine did.
        double median = result.getPrimaryResult().getStatistics().getPercentile(50);
        figures.put(parameter == null ? name : name + ":" + parameter, median);
      }
    } catch (RunnerException e) {
      throw new IllegalStateException(e);
    }
    for (Row row : rows) {
      if (row.tool != null) {
        row.set("tool_ns", figures.get(row.tool));
        System.out.printf(Locale.ROOT, "  %-26s %-36s%9.1f ns, by JMH %9.1f ns%n", row.get("library"),
            row.get("name"), row.get("ns"), row.get("tool_ns"));
      }
    }
  }
}
