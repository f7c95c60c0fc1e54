package io.github.polyflake.internal;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps one lease, shared by all generators of this process with the same store and layout.
 */
public final class LeaseRunner {
  /**
   * The longest time, in ms, that closing waits until the node id is given back. Tests on busy
   * machines raise it.
   */
  static volatile long closingMs = 500;
  private static final long POLL_NS = 1_000_000;

  /** The number of its generators; guarded by {@link LeaseRunners}. */
  int users;

  private final NativeLease lease;
  private final StoreSession session;
  private Thread log; // of the last line
  private final CompletableFuture<Void> granted = new CompletableFuture<>();

  LeaseRunner(NativeStoreAddress address, String layout, StoreLink link) {
    lease = new NativeLease(address, layout, "?");
    session = new StoreSession(lease, link, lease::commandTimeoutMs, () -> !lease.granted(), this::moved);
    LeaseThreads.decide(session::advance);
  }

  /** Returns the lease that generators are opened with. */
  public NativeLease lease() {
    return lease;
  }

  /** Returns the UUID of the namespace; empty before the first window. */
  public String namespaceUuid() {
    return lease.namespaceUuid();
  }

  private void moved() {
    report(lease.takeReport());
    if (lease.granted()) {
      granted.complete(null);
    } else if (session.ended().isDone()) {
      granted.completeExceptionally(new IllegalStateException("ended"));
    }
  }

  /**
   * Logs a level and a line, if there is one, on a thread of its own: a handler that blocks must
   * not hold up renewals.
   */
  private void report(String[] line) {
    if (line.length == 0 || (log != null && log.isAlive())) {
      return;
    }
    log = new Thread(() -> WarningLog.say(line[0].toUpperCase(Locale.ROOT), line[1]), "polyflake-log");
    log.setDaemon(true);
    log.start();
  }

  /** Blocks until there is a window, or throws why there is none. */
  void awaitWindow() {
    try {
      Waiting.of(granted, lease.acquireTimeoutMs() + 2 * lease.commandTimeoutMs());
    } catch (TimeoutException | IllegalStateException e) {
      raiseFailure();
    }
  }

  /** Returns true if the lease is no longer renewed. */
  boolean isOver() {
    return session.ended().isDone();
  }

  private void raiseFailure() {
    try {
      Waiting.of(session.ended(), 0); // throws the failure, if not the core's
    } catch (TimeoutException e) {
      // The session goes on.
    }
    lease.raiseFailure();
    throw new AssertionError("no failure");
  }

  /** Renews now. Blocks until it is done; throws the failure that prevents it. */
  public void renew() {
    long before = lease.confirmations();
    long endNs = System.nanoTime() + 2_000_000 * lease.commandTimeoutMs();
    while (lease.confirmations() == before) {
      // Again and again: in the millisecond of a grant the core has nothing to renew.
      LeaseThreads.decide(() -> session.hurry(lease));
      if (isOver() || System.nanoTime() - endNs > 0) {
        raiseFailure();
      }
      LockSupport.parkNanos(this, POLL_NS);
    }
  }

  /**
   * Ends issuing. Returns a future that is done once the node id was given back, if it can be.
   */
  CompletableFuture<String> release() {
    LeaseThreads.decide(() -> {
      lease.release();
      session.advance();
    });
    return session.ended();
  }

  /** Gives the node id back, if that can be done soon. */
  void close() {
    try {
      Waiting.of(release(), closingMs);
    } catch (TimeoutException | RuntimeException e) {
      // The window ends by itself.
    }
    LeaseThreads.decide(session::stop);
  }
}
