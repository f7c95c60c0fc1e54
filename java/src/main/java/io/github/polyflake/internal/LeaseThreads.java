package io.github.polyflake.internal;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of all leases: one that decides, which never blocks, and those that carry commands,
 * each for as long as a store takes. All are daemons, and there are none before the first lease.
 */
final class LeaseThreads {
  private static final long IDLE_S = 10;
  private static final ScheduledThreadPoolExecutor DECIDER = decider();
  private static final ExecutorService CARRIERS = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_S,
      TimeUnit.SECONDS, new SynchronousQueue<>(), daemons("polyflake-store"));

  private LeaseThreads() {}

  private static ScheduledThreadPoolExecutor decider() {
    ScheduledThreadPoolExecutor decider = new ScheduledThreadPoolExecutor(1, daemons("polyflake-leases"));
    decider.setRemoveOnCancelPolicy(true);
    return decider;
  }

  private static ThreadFactory daemons(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  static void decide(Runnable work) {
    DECIDER.execute(work);
  }

  static ScheduledFuture<?> decideAfter(long ms, Runnable work) {
    return DECIDER.schedule(work, ms, TimeUnit.MILLISECONDS);
  }

  static void carry(Runnable work) {
    CARRIERS.execute(work);
  }
}
