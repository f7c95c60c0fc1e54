package io.github.polyflake.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Keeps one lease, shared by all generators of this process that were opened with the same store and layout. */
public final class Keeper {
  /** The longest that closing waits for a node id to be given back, in ms. Tests on busy machines raise it. */
  static volatile long closingMs = 500;
  private static final long POLL_NS = 1_000_000;

  /** How many generators go by it; guarded by {@link Keepers}. */
  int users;

  private final NativeLease lease;
  private final Talk talk;
  private final CompletableFuture<Void> granted = new CompletableFuture<>();

  Keeper(NativeStoreAddress address, String layout, StoreLink link) {
    lease = new NativeLease(address, layout, "?");
    talk = new Talk(lease, link, lease::commandTimeoutMs, this::moved);
    LeaseThreads.decide(talk::advance);
  }

  /** What generators are opened with. */
  public NativeLease lease() {
    return lease;
  }

  /** Of the namespace; empty before there is a window. */
  public String namespaceUuid() {
    return lease.namespaceUuid();
  }

  private void moved() {
    if (lease.granted()) {
      granted.complete(null);
    } else if (talk.ended().isDone()) {
      granted.completeExceptionally(new IllegalStateException("ended"));
    }
  }

  /** Blocks until there is a window, or throws why there is none. */
  void awaitWindow() {
    try {
      Waiting.of(granted, lease.acquireTimeoutMs() + 2 * lease.commandTimeoutMs());
    } catch (TimeoutException | IllegalStateException e) {
      raiseFailure();
    }
  }

  /** Whether nothing renews it any more. */
  boolean isOver() {
    return talk.ended().isDone();
  }

  private void raiseFailure() {
    try {
      Waiting.of(talk.ended(), 0); // throws what ended it, if the core has nothing to say of that
    } catch (TimeoutException e) {
      // It goes on.
    }
    lease.raiseFailure();
    throw new AssertionError("no failure");
  }

  /** Renews now. Blocks until it is done, or throws what keeps it from it. */
  public void renew() {
    long before = lease.renewals();
    long endNs = System.nanoTime() + 2_000_000 * lease.commandTimeoutMs();
    while (lease.renewals() == before) {
      // Again and again: the core has nothing to do in the very millisecond in which a window was granted.
      LeaseThreads.decide(() -> talk.hurry(lease));
      if (isOver() || System.nanoTime() - endNs > 0) {
        raiseFailure();
      }
      LockSupport.parkNanos(this, POLL_NS);
    }
  }

  /** Ends issuing; the future is done once the node id was given back, as far as that can be done. */
  CompletableFuture<String> release() {
    LeaseThreads.decide(() -> {
      lease.release();
      talk.advance();
    });
    return talk.ended();
  }

  /** Gives the node id back, if that can be done soon. */
  void close() {
    try {
      Waiting.of(release(), closingMs);
    } catch (TimeoutException | RuntimeException e) {
      // The window ends by itself.
    }
    LeaseThreads.decide(talk::stop);
  }
}
