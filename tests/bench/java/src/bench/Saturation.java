package bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

/**
 * As fast as it goes, in one or two threads on one generator. Every id is kept, those of the warm-up too, and compared
 * with all others afterwards.
 */
final class Saturation {
  private static final int BLOCK = 64;
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
    long mostAheadMs;
    long staleMs;

    Taker(int atMost) {
      ids = new long[atMost * library.words()];
      Arrays.fill(ids, 1); // so that its pages exist
    }

    @Override
    public void run() {
      begun = filled;
      mostAheadMs = 0;
      staleMs = 0;
      long nowMs = System.currentTimeMillis();
      do {
        source.take(ids, filled, filled + BLOCK);
        if (library.timeMs() != null) {
          // Claimed after the clock was read: a smaller time is the library's, however long this thread was interrupted.
          staleMs = Math.max(staleMs, nowMs - timeMs(filled));
          nowMs = System.currentTimeMillis();
          mostAheadMs = Math.max(mostAheadMs, timeMs(filled + BLOCK - 1) - nowMs);
        }
        filled += BLOCK;
      } while (System.nanoTime() < deadline && filled + BLOCK <= limit);
      aheadMs = library.timeMs() == null ? 0 : timeMs(filled - 1) - nowMs;
    }

    long timeMs(int at) {
      return library.timeMs().applyAsLong(ids[at * library.words()]);
    }
  }

  private Saturation(Library library, int threads, int atMost) {
    this.library = library;
    source = library.open().get();
    takers = new Taker[threads];
    Arrays.setAll(takers, i -> new Taker(atMost / threads));
  }

  /** Ends early when so many ids are reached; a fourth of them is for the warm-up. */
  static Row run(String key, String name, Library library, int threads, double seconds, int atMost) {
    Saturation saturation = new Saturation(library, threads, atMost);
    saturation.run(Math.min(0.5, seconds / 2), atMost / 4);
    saturation.awaitIds();
    long cpu = PROCESS.getProcessCpuTime();
    double elapsed = saturation.run(seconds, atMost);
    double cpuSeconds = (PROCESS.getProcessCpuTime() - cpu) / 1e9;
    return saturation.row(key, name, elapsed, cpuSeconds);
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
      while (library.timeMs() != null && taker.timeMs(taker.filled - 1) >= System.currentTimeMillis()) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private Row row(String key, String name, double elapsed, double cpuSeconds) {
    int ids = Arrays.stream(takers).mapToInt(taker -> taker.filled - taker.begun).sum();
    boolean timed = library.timeMs() != null;
    return new Row("saturated", key).set("library", library.name()).set("name", name).set("threads", takers.length)
        .set("seconds", elapsed).set("ids", ids).set("duplicates", duplicates()).set("share", share(ids, elapsed))
        .set("ahead_ms", timed ? most(taker -> taker.aheadMs) : null)
        .set("most_ahead_ms", timed ? most(taker -> taker.mostAheadMs) : null)
        .set("stale_ms", timed ? most(taker -> taker.staleMs) : null)
        .set("cpu_seconds_per_million", cpuSeconds * 1e6 / ids).set("price", library.price());
  }

  /** Of what the library has: ours by the ticks that the ids span, a peer by the clock. */
  private Double share(int ids, double elapsed) {
    if (library.capacity() == 0) {
      return null;
    }
    double ms = elapsed * 1e3;
    if (library.name().equals(Ours.LIBRARY)) {
      ms = most(taker -> taker.timeMs(taker.filled - 1)) + most(taker -> -taker.timeMs(taker.begun)) + 1;
    }
    return ids / (library.capacity() * ms);
  }

  private long most(ToLongFunction<Taker> figure) {
    return Arrays.stream(takers).mapToLong(figure).max().orElseThrow();
  }

  private int duplicates() {
    long[] all = new long[Arrays.stream(takers).mapToInt(taker -> taker.filled).sum()];
    int count = 0;
    for (Taker taker : takers) {
      for (int i = 0; i < taker.filled; i++) {
        all[count++] = comparable(taker.ids, i * library.words());
      }
    }
    Arrays.sort(all);
    int duplicates = 0;
    for (int i = 1; i < all.length; i++) {
      if (all[i] == all[i - 1]) {
        duplicates++;
      }
    }
    return duplicates;
  }

  /** Equal for equal ids. Two different ones of 128 bits meet by chance: once in 20000 runs with 30 million of them. */
  private long comparable(long[] ids, int at) {
    return library.words() == 1 ? ids[at] : ids[at] * 0x9E3779B97F4A7C15L ^ ids[at + 1];
  }
}
