package bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

/**
 * As fast as it goes, in one or two threads on one generator. Every id is kept, those of the warm-up too, and compared
 * with all others afterwards.
 */
final class Saturation {
  private static final int BLOCK = 64;
  /** Peers that do not wait for the clock issue more in a second than this memory is for: they end early. */
  private static final int MOST_IDS = 30_000_000;
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Library library;
  private final Library.Source source;
  private final Taker[] takers;

  /** What one thread does, and its part of the memory. */
  private final class Taker implements Runnable {
    final long[] ids;
    int filled;
    int begun;
    int limit;
    long deadline;
    long aheadMs;

    Taker(int atMost) {
      ids = new long[atMost];
      Arrays.fill(ids, 1); // so that its pages exist
    }

    @Override
    public void run() {
      begun = filled;
      do {
        source.take(ids, filled, filled + BLOCK);
        filled += BLOCK;
      } while (System.nanoTime() < deadline && filled + BLOCK <= limit);
      aheadMs = timeMs(filled - 1) - System.currentTimeMillis();
    }

    long timeMs(int at) {
      return library.timeMs().applyAsLong(ids[at]);
    }
  }

  private Saturation(Library library, int threads, int atMost) {
    this.library = library;
    source = library.open().get();
    takers = new Taker[threads];
    Arrays.setAll(takers, i -> new Taker(atMost / threads));
  }

  static Map<String, Object> run(Library library, int threads, double seconds) {
    int atMost = seconds < 0.5 ? MOST_IDS / 10 : MOST_IDS;
    Saturation saturation = new Saturation(library, threads, atMost);
    saturation.run(Math.min(0.5, seconds / 2), atMost / 4);
    saturation.awaitIds();
    long cpu = PROCESS.getProcessCpuTime();
    double elapsed = saturation.run(seconds, atMost);
    return saturation.figures(elapsed, (PROCESS.getProcessCpuTime() - cpu) / 1e9);
  }

  private double run(double seconds, int atMost) {
    long begin = System.nanoTime();
    Thread[] threads = new Thread[takers.length];
    for (int i = 0; i < threads.length; i++) {
      takers[i].limit = atMost / threads.length;
      takers[i].deadline = begin + (long) (seconds * 1e9);
      threads[i] = new Thread(takers[i], "taker " + i);
      threads[i].start();
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  /** Until the clock has reached the last id of the warm-up, so that none begins with a lead that it has to pay back. */
  private void awaitIds() {
    for (Taker taker : takers) {
      while (taker.timeMs(taker.filled - 1) >= System.currentTimeMillis()) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /** What was possible is, for ours, what the ticks hold that the ids span; for peers, what the time holds that passed. */
  private Map<String, Object> figures(double elapsed, double cpuSeconds) {
    int ids = Arrays.stream(takers).mapToInt(taker -> taker.filled - taker.begun).sum();
    double ms = elapsed * 1e3;
    if (library.name().equals(Library.OURS)) {
      ms = most(taker -> taker.timeMs(taker.filled - 1)) + most(taker -> -taker.timeMs(taker.begun)) + 1;
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("threads", takers.length);
    figures.put("seconds", elapsed);
    figures.put("cpu_seconds", cpuSeconds);
    figures.put("ids", ids);
    figures.put("duplicates", duplicates());
    figures.put("taken", ids);
    figures.put("possible", Math.round(library.capacity() * ms));
    figures.put("ahead_ms", most(taker -> taker.aheadMs));
    return figures;
  }

  private long most(ToLongFunction<Taker> figure) {
    return Arrays.stream(takers).mapToLong(figure).max().orElseThrow();
  }

  private int duplicates() {
    long[] all = new long[Arrays.stream(takers).mapToInt(taker -> taker.filled).sum()];
    int count = 0;
    for (Taker taker : takers) {
      System.arraycopy(taker.ids, 0, all, count, taker.filled);
      count += taker.filled;
    }
    return Rounds.duplicates(all);
  }
}
