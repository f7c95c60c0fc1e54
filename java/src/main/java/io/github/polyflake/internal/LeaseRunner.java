package io.github.polyflake.internal;

import java.util.concurrent.locks.LockSupport;

/** Keeps one lease, for all generators of this process with the same store and layout. */
public final class LeaseRunner extends StoreRunner {
  private static final long POLL_NS = 1_000_000;

  private final NativeLease lease;

  LeaseRunner(NativeStoreAddress address, String layout, StoreLink link) {
    this(new NativeLease(address, layout, "?"), link);
  }

  private LeaseRunner(NativeLease lease, StoreLink link) {
    super(lease, link);
    this.lease = lease;
  }

  /** Returns the lease that generators are opened with. */
  public NativeLease lease() {
    return lease;
  }

  @Override
  long openingMs() {
    return lease.acquireTimeoutMs() + 2 * lease.commandTimeoutMs();
  }

  /** Renews now. Blocks until it is done; throws the failure that prevents it. */
  public void renew() {
    long before = lease.confirmations();
    long endNs = System.nanoTime() + 2_000_000 * lease.commandTimeoutMs();
    while (lease.confirmations() == before) {
      LeaseThreads.decide(() -> hurryUnlessConfirmed(before));
      if (isOver() || System.nanoTime() - endNs > 0) {
        raiseFailure();
      }
      LockSupport.parkNanos(this, POLL_NS);
    }
  }

  /** Decides again, since the command that was under way may have been another one. */
  private void hurryUnlessConfirmed(long before) {
    if (lease.confirmations() == before) {
      session.hurry(lease);
    }
  }
}
