package io.github.polyflake.internal;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Openings that are given up as the core gives them up, for tests of other packages. */
public final class GivenUp {
  private GivenUp() {}

  /** Makes the call, which another thread gives up after so many nanoseconds, and returns what it throws. */
  public static Throwable after(long delayNs, Callable<?> call) throws InterruptedException {
    Opening opening = new Opening();
    Thread impatient = new Thread(() -> {
      LockSupport.parkNanos(delayNs);
      opening.giveUp();
    }, "impatient");
    impatient.start();
    try {
      opening.during(call);
      return null;
    } catch (Throwable e) {
      return e;
    } finally {
      impatient.join();
    }
  }
}
