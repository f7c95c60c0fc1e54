package bench;

import io.github.polyflake.Generator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Java benchmarks: java -Dbench.bare=LIBRARY bench.Main --json FILE [--quick] [--no-peers] [--only ROW]
 *
 * <p>What is written are times as they were taken, and counts. What the rows mean: tests/bench/report/rows.py.
 */
public final class Main {
  /** Calls in a chunk that begins with a millisecond: less than half of the smallest capacity. */
  private static final int FRESH = 2000;
  /** A tick holds millions of ids, so that no call waits: what is measured is work. */
  private static final String WIDE = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  private static final String WIDER = "timestamp:39 sequence:24 tick=1ms epoch=2020-01-01T00:00:00.000Z";

  private boolean quick;
  private boolean peers = true;
  private String only;
  private Path json;
  private final List<Object> rows = new ArrayList<>();

  /** What a fresh JVM runs for the time to its first id; any argument: none. */
  public static final class FirstId {
    public static void main(String[] args) {
      if (args.length == 0) {
        Generator.builder().worker(1).build().nextId();
      }
    }
  }

  public static void main(String[] args) throws IOException {
    Main main = new Main();
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--quick" -> main.quick = true;
        case "--no-peers" -> main.peers = false;
        case "--only" -> main.only = args[++i];
        case "--json" -> main.json = Path.of(args[++i]);
        default -> throw new IllegalArgumentException(args[i]);
      }
    }
    main.run();
    System.exit(0);
  }

  private void run() throws IOException {
    if (wants("next_id")) {
      Generator generator = Generator.builder().layout(WIDE).worker(0).build();
      Rounds.Work floor = Rounds.Work.calls(Bare::take);
      compare("next_id", "Generator.nextId()", floor, Rounds.Work.calls(Library.of(generator)), generator);
    }
    if (wants("fill_4096")) {
      fill4096();
    }
    List<Library> libraries = new ArrayList<>(List.of(Library.polyflake()));
    if (peers) {
      libraries.addAll(Peers.all());
    }
    if (wants("call")) {
      Rounds.Work floor = Rounds.Work.calls(Bare::take);
      for (Library library : libraries) {
        Rounds.Work work = Rounds.Work.freshCalls(library.open().get(), FRESH);
        add("call", library.name(), library.call(), library.price(), Rounds.measure(floor, work, rounds(), () -> 0));
      }
    }
    if (wants("saturated")) {
      for (Library library : libraries) {
        double seconds = library == libraries.get(0) ? 2 : 1;
        for (int threads = 1; threads <= 2; threads++) {
          add("saturated", library.name(), library.call(), library.price(),
              Saturation.run(library, threads, quick ? seconds / 10 : seconds));
        }
      }
    }
    if (only == null || only.startsWith("codec.")) {
      new Codecs(this::add, rounds()).addRows(only, peers);
    }
    new KindRows(this::add, rounds()).addRows(only, peers);
    if (wants("segment")) {
      Rounds.Work floor = Rounds.Work.calls(Counted.atomicLong());
      for (Library library : peers ? Counted.all() : List.of(Counted.polyflake())) {
        Rounds.Work work = Rounds.Work.calls(library.open().get());
        add("segment", library.name(), library.call(), library.price(), Rounds.measure(floor, work, rounds(), () -> 0));
      }
    }
    if (wants("segment.fetches")) {
      new Steady(this::add, quick).addRows(peers);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("language", "java");
    report.put("runtime", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    report.put("time", Bare.TIME);
    report.put("rows", rows);
    Files.writeString(json, Json.of(report) + "\n", StandardCharsets.US_ASCII);
  }

  /** No native call is needed to write to an array, so the floor has none. */
  private void fill4096() {
    Generator generator = Generator.builder().layout(WIDER).worker(0).build();
    Rounds.Work floor = Rounds.Work.batches((ids, from, to) -> {
      for (int call = from; call < to; call++) {
        Arrays.fill(ids, call);
      }
    }, 4096);
    Rounds.Work work = Rounds.Work.batches((ids, from, to) -> {
      for (int call = from; call < to; call++) {
        generator.fill(ids);
      }
    }, 4096);
    compare("fill_4096", "Generator.fill()", floor, work, generator);
  }

  private void compare(String row, String call, Rounds.Work floor, Rounds.Work work, Generator generator) {
    add(row, Library.OURS, call, "", Rounds.measure(floor, work, rounds(), () -> generator.stats().waits()));
  }

  private void add(String row, String library, String call, String price, Map<String, Object> figures) {
    System.err.println(row + " " + library + " " + call);
    Map<String, Object> fields =
        new LinkedHashMap<>(Map.of("row", row, "library", library, "call", call, "price", price));
    fields.putAll(figures);
    rows.add(fields);
  }

  private int rounds() {
    return quick ? 11 : 121;
  }

  private boolean wants(String row) {
    return only == null || only.equals(row);
  }
}
