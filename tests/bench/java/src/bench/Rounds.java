package bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Work and its floor in turns: floor, work, floor, in chunks of about a millisecond. What is kept are the times as they were
 * taken; tests/bench/report makes ratios of them. All ids of all chunks are compared.
 */
final class Rounds {
  private static final double CHUNK_NS = 1e6;
  private static final int WARM_CHUNKS = 300;
  private static final int MOST = 1 << 20;

  /**
   * Something that is called {@code count} times in a chunk.
   *
   * @param ids what the last chunk gave; a batch overwrites them with each call
   * @param fresh whether a chunk begins with a millisecond
   * @param shared of how many ids the time of a call is
   */
  record Work(Library.Source source, int count, long[] ids, boolean fresh, int shared) {
    /** Single calls. */
    static Work calls(Library.Source source) {
      int count = calibrated(source, new long[MOST]);
      return new Work(source, count, new long[count], false, 1);
    }

    /** So many of them, from the beginning of a millisecond on. */
    static Work freshCalls(Library.Source source, int count) {
      Work work = new Work(source, count, new long[count], true, 1);
      for (int i = 0; i < WARM_CHUNKS; i++) {
        work.ns();
      }
      return work;
    }

    /** Calls that overwrite so many ids each. */
    static Work batches(Library.Source source, int size) {
      long[] ids = new long[size];
      return new Work(source, calibrated(source, ids), ids, false, 1);
    }

    /** The same, whose time is that of one id. */
    static Work shared(Library.Source source, int size) {
      Work work = batches(source, size);
      return new Work(source, work.count, work.ids, false, size);
    }

    /** How many calls take a chunk, once they are compiled: by the least of some, as others use the machine too. */
    private static int calibrated(Library.Source source, long[] ids) {
      int count = 64;
      for (int chunks = 0; chunks < WARM_CHUNKS; chunks++) {
        new Work(source, 4 * count, ids, false, 1).ns();
      }
      double least = 0;
      while (least < CHUNK_NS && 2 * count <= MOST) {
        count *= 2;
        Work work = new Work(source, count, ids, false, 1);
        least = count * Math.min(work.ns(), work.ns());
      }
      return count;
    }

    /** Nanoseconds of one call, or of one id. */
    double ns() {
      if (fresh) {
        long now = System.currentTimeMillis();
        while (System.currentTimeMillis() == now) {
          Thread.onSpinWait();
        }
      }
      long begin = System.nanoTime();
      source.take(ids, 0, count);
      return (System.nanoTime() - begin) / ((double) count * shared);
    }
  }

  private Rounds() {}

  /** `waits`: how often calls have waited so far. */
  static Map<String, Object> measure(Work floor, Work work, int rounds, LongSupplier waits) {
    long waitsBefore = waits.getAsLong();
    List<Object> times = new ArrayList<>();
    int kept = work.ids.length;
    long[] ids = new long[rounds * kept];
    for (int round = 0; round < rounds; round++) {
      double before = floor.ns();
      double ns = work.ns();
      times.add(List.of(before, ns, floor.ns()));
      work.source.keep(work.ids);
      System.arraycopy(work.ids, 0, ids, round * kept, kept);
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("rounds", times);
    figures.put("ids", ids.length);
    figures.put("duplicates", duplicates(ids));
    figures.put("waits", waits.getAsLong() - waitsBefore);
    return figures;
  }

  static int duplicates(long[] ids) {
    long[] sorted = ids.clone();
    Arrays.sort(sorted);
    int duplicates = 0;
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        duplicates++;
      }
    }
    return duplicates;
  }
}
