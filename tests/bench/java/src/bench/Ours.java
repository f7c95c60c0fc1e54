package bench;

import io.github.polyflake.Generator;
import io.github.polyflake.Polyflake;

/** Polyflake beside its floors. */
final class Ours {
  static final String LIBRARY = "polyflake " + Polyflake.version();
  /** A tick holds four million ids, so that no call waits: what is measured is work. */
  private static final String WIDE = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  /** Batches are fast enough to use up that. */
  private static final String WIDER = "timestamp:39 sequence:24 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  /** Generators of one node id share their state, so two that do not need two node ids. */
  private static final String TWO_NODES = "timestamp:41 worker:1 sequence:21 tick=1ms epoch=2020-01-01T00:00:00.000Z";

  static final Paired.Loop CLOCK = count -> {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += System.currentTimeMillis();
    }
    Paired.sink = sum;
  };
  static final String CLOCK_NAME = "System.currentTimeMillis()";

  private final Rows rows;
  private final int rounds;

  Ours(Rows rows, int rounds) {
    this.rows = rows;
    this.rounds = rounds;
  }

  static Generator wide() {
    return Generator.builder().layout(WIDE).worker(0).build();
  }

  static Generator wider() {
    return Generator.builder().layout(WIDER).worker(0).build();
  }

  void measure() {
    nextId("java.next_id", "nextId()");
    tryNextId();
    fill4096();
    fill64();
    nextIds1000();
    Duo.measure(this);
  }

  void nextId(String key, String name) {
    add(key, "single call", name, CLOCK_NAME, CLOCK, calls(wide()), "Ours.nextId");
  }

  static Paired.Loop calls(Generator generator) {
    return count -> {
      long sum = 0;
      for (int i = 0; i < count; i++) {
        sum += generator.nextId();
      }
      Paired.sink = sum;
    };
  }

  static Generator node(int worker) {
    return Generator.builder().layout(TWO_NODES).worker(worker).build();
  }

  private void tryNextId() {
    Generator generator = wide();
    add(null, "single call", "tryNextId()", CLOCK_NAME, CLOCK, count -> {
      long sum = 0;
      for (int i = 0; i < count; i++) {
        sum += generator.tryNextId().orElseThrow();
      }
      Paired.sink = sum;
    }, "Ours.tryNextId");
  }

  private void fill4096() {
    Generator generator = wider();
    long[] ids = new long[4096];
    add("java.fill_4096", "batch", "fill(long[4096])", "a loop that fills long[4096]", count -> {
      for (int round = 0; round < count; round++) {
        count(ids, Paired.sink);
        Paired.sink = ids[round & 4095];
      }
    }, count -> {
      for (int round = 0; round < count; round++) {
        generator.fill(ids);
        Paired.sink = ids[round & 4095];
      }
    }, "Ours.fill4096");
  }

  private void fill64() {
    Generator generator = wider();
    long[] ids = new long[64];
    add(null, "batch", "fill(long[64])", CLOCK_NAME, CLOCK, count -> {
      for (int round = 0; round < count; round++) {
        generator.fill(ids);
        Paired.sink = ids[round & 63];
      }
    }, "Ours.fill64");
  }

  private void nextIds1000() {
    Generator generator = wider();
    add(null, "batch", "nextIds(1000)", "new long[1000], filled by a loop", count -> {
      for (int round = 0; round < count; round++) {
        long[] ids = new long[1000];
        count(ids, Paired.sink);
        Paired.sink = ids[round % 1000];
      }
    }, count -> {
      for (int round = 0; round < count; round++) {
        Paired.sink = generator.nextIds(1000)[round % 1000];
      }
    }, "Ours.nextIds1000");
  }

  /** What the floor of batches does: the cheapest values that differ. */
  private static void count(long[] ids, long first) {
    for (int i = 0; i < ids.length; i++) {
      ids[i] = first + i;
    }
  }

  void add(String key, String group, String name, String floorName, Paired.Loop floor, Paired.Loop candidate,
      String tool) {
    Row row = Paired.measure(floor, candidate, rounds).row(key, group, LIBRARY, name, floorName, "");
    row.tool = tool;
    rows.add(row);
  }
}
