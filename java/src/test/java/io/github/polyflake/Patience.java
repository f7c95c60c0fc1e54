package io.github.polyflake;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.function.Executable;

/** Patience with a busy machine: a limit is reached only by what hangs. */
public final class Patience {
  public static final long HANG_MS = 60_000;
  /** Far below {@link #HANG_MS}, and far above what a busy machine needs. */
  public static final long SOON_MS = 20_000;
  private static final int ATTEMPTS = 4;

  private Patience() {}

  public static void eventually(Callable<Boolean> holds) throws Exception {
    long endNs = System.nanoTime() + HANG_MS * 1_000_000;
    while (!holds.call()) {
      if (System.nanoTime() - endNs > 0) {
        throw new AssertionError("not within " + HANG_MS + " ms");
      }
      Thread.sleep(10);
    }
  }

  /**
   * Succeeds with the first attempt that does: one that a pause of the machine cut short says nothing.
   * Use it only if no attempt succeeds when the library is wrong.
   */
  public static void atLeastOnce(Executable attempt) throws Throwable {
    for (int i = 1; i < ATTEMPTS; i++) {
      try {
        attempt.execute();
        return;
      } catch (AssertionError e) {
        // The last one says it.
      }
    }
    attempt.execute();
  }

  /** Returns the answer of a store; asks again while a busy machine leaves none in time. */
  public static <T> T answerOf(Supplier<T> ask) {
    long endNs = System.nanoTime() + HANG_MS * 1_000_000;
    for (;;) {
      try {
        return ask.get();
      } catch (LeaseException e) {
        if (!e.code().equals("store_unavailable") || System.nanoTime() - endNs > 0) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /**
   * Renews the lease; returns how often it asked. Its renew() gives up after 2 s, in which a busy
   * store may not answer.
   */
  public static int renew(Generator generator) {
    long asked = System.currentTimeMillis();
    while (System.currentTimeMillis() == asked) {
      Thread.onSpinWait(); // a window that is asked for in the same ms ends at the same one
    }
    AtomicInteger asking = new AtomicInteger();
    return answerOf(() -> {
      asking.incrementAndGet();
      generator.renew();
      return asking.get();
    });
  }
}
