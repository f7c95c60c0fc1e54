package io.github.polyflake.internal;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Keeps what a store grants, shared by all sources of this process that need the same of that
 * store.
 */
public abstract class StoreRunner {
  /**
   * The longest time, in ms, that closing waits until all is given back. Tests on busy machines
   * raise it.
   */
  static volatile long closingMs = 500;

  /** The number of its sources; guarded by {@link LeaseRunners}. */
  int users;

  final StoreSession session;
  private final StoreGrant grant;
  private Thread log; // of the last line
  private boolean isReleased; // of the deciding thread
  private final CompletableFuture<Void> granted = new CompletableFuture<>();

  <T extends NativeStoreSession & StoreGrant> StoreRunner(T grant, StoreLink link) {
    this.grant = grant;
    session = new StoreSession(grant, link, this::limitMs, () -> !grant.granted(), this::moved);
  }

  final void start() {
    LeaseThreads.decide(session::advance);
  }

  /** Returns how long opening waits, in ms. */
  abstract long openingMs();

  /** Returns how long the next command may take, in ms. */
  long commandMs() {
    return grant.commandTimeoutMs();
  }

  /** Returns the same, or how long closing waits if that is longer and the command gives back. */
  private long limitMs() {
    return isReleased ? Math.max(commandMs(), closingMs) : commandMs();
  }

  /** Returns false if there is nothing to give back. */
  boolean mayHoldSomething() {
    return true;
  }

  /** Returns the UUID of the namespace; empty before something was granted. */
  public final String namespaceUuid() {
    return grant.namespaceUuid();
  }

  private void moved() {
    report(grant.takeReport());
    if (grant.granted()) {
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

  /** Blocks until sources can be opened, or throws why they cannot. */
  final void awaitGrant() {
    try {
      Waiting.of(granted, openingMs());
    } catch (TimeoutException | IllegalStateException e) {
      raiseFailure();
    }
  }

  /** Returns true if nothing more comes from the store. */
  final boolean isOver() {
    return session.ended().isDone();
  }

  final void raiseFailure() {
    try {
      Waiting.of(session.ended(), 0); // throws the failure, if not the core's
    } catch (TimeoutException e) {
      // The session goes on.
    }
    grant.raiseFailure();
    throw new AssertionError("no failure");
  }

  /** Ends issuing. Returns a future that is done once all was given back, if it can be. */
  final CompletableFuture<String> release() {
    LeaseThreads.decide(() -> {
      isReleased = true;
      grant.release();
      session.advance();
    });
    return session.ended();
  }

  /** Gives back what is left, if that can be done soon. */
  final void close() {
    try {
      Waiting.of(release(), mayHoldSomething() ? closingMs : 0);
    } catch (TimeoutException | RuntimeException e) {
      // A window ends by itself; numbers are left out.
    }
    LeaseThreads.decide(session::stop);
  }
}
