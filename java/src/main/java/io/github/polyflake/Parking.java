package io.github.polyflake;

import java.util.concurrent.locks.LockSupport;

/** The waiting of threads for what the core claims for them: the loop of claims.hpp. */
final class Parking {
  private Parking() {}

  /** Asks the core how long to wait. */
  interface Wait {
    /**
     * Returns the time to wait before it is asked again, in ns; 0 or less if there is nothing to
     * wait for.
     */
    long ns(long waitedNs);
  }

  /**
   * Parks the thread until there is nothing to wait for, and returns what {@code wait} said then.
   * Cannot be interrupted; an interrupt status is kept. A thread dump shows {@code source}.
   */
  static long until(Object source, Wait wait) {
    boolean interrupted = false;
    try {
      long beganNs = System.nanoTime();
      long waitNs = wait.ns(0);
      while (waitNs > 0) {
        // An interrupted thread cannot be parked, so the status is put aside until the end.
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(source, waitNs);
        waitNs = wait.ns(System.nanoTime() - beganNs);
      }
      return waitNs;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
