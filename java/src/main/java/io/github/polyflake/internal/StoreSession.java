package io.github.polyflake.internal;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * One conversation with a store: commands of the core, one at a time, over a connection that is
 * replaced after a failure. All methods but {@link #ended()} and {@link #loadingMs()} are called by
 * the deciding thread alone.
 */
final class StoreSession {
  /** For loading the classes of a client. */
  private static final long LOADING_MS = 5000;
  /** The classes of links whose clients are loaded. */
  private static final Set<Class<?>> LOADED = ConcurrentHashMap.newKeySet();

  private final NativeStoreSession session;
  private final StoreLink link;
  private final String[] setup;
  private final LongSupplier timeoutMs;
  private final BooleanSupplier opening;
  private final Runnable moved;
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private StoreConnection connection;
  private Carrier carrier;
  private Future<?> next;
  private boolean loaded;

  /**
   * timeoutMs: how long the next command may take; opening: true until ids are issued; moved:
   * called by the deciding thread whenever the core has come to something.
   */
  StoreSession(NativeStoreSession session, StoreLink link, LongSupplier timeoutMs, BooleanSupplier opening,
      Runnable moved) {
    this.session = session;
    this.link = link;
    this.setup = session.setup();
    this.timeoutMs = timeoutMs;
    this.opening = opening;
    this.moved = moved;
  }

  /** Returns "done", "failed" or "stopped", or the error thrown, once nothing is left to do. */
  CompletableFuture<String> ended() {
    return ended;
  }

  /**
   * Returns how much longer than usual the first command may take, since the client has not been
   * used before. Thread safety: any thread.
   */
  long loadingMs() {
    return LOADED.contains(link.getClass()) ? 0 : LOADING_MS;
  }

  /** Does what is to be done now, unless a command is under way. */
  void advance() {
    if (ended.isDone() || carrier != null) {
      return;
    }
    if (next != null) {
      next.cancel(false);
      next = null;
    }
    try {
      NativeStoreStep step = nextStep();
      String what = step.getWhat();
      switch (what) {
        case "command":
          carry(Carrier.Command.of(step));
          break;
        case "sleep":
          next = LeaseThreads.decideAfter(Math.max(1, step.getSleepMs()), this::advance);
          moved.run();
          break;
        default:
          end(what, null);
      }
    } catch (RuntimeException | Error e) {
      end(null, e);
    }
  }

  /** Returns the next thing to do, after telling the offsets of zones that are asked for. */
  private NativeStoreStep nextStep() {
    NativeStoreStep step = session.step();
    while (step.getWhat().equals("offset")) {
      Zones.tellOffset(session, step);
      step = session.step();
    }
    return step;
  }

  /** Renews at once, unless a command is under way, which may be that. */
  void hurry(NativeLease lease) {
    if (carrier == null) {
      lease.hurry();
      advance();
    }
  }

  private void carry(Carrier.Command command) {
    long limitMs = timeoutMs.getAsLong() + (loaded ? 0 : LOADING_MS);
    Carrier begun = new Carrier(command, link, connection, setup, limitMs,
        (its, rows, failure) -> LeaseThreads.decide(() -> finish(its, rows, failure)));
    begun.limit = LeaseThreads.decideAfter(limitMs, () -> finish(begun, null, new TimeoutException()));
    connection = null;
    carrier = begun;
    LeaseThreads.carry(begun);
  }

  /** Takes the first outcome only: a reply that comes after the time limit is ignored. */
  private void finish(Carrier its, String[][] rows, Throwable failure) {
    if (carrier != its) {
      return;
    }
    carrier = null;
    loaded = true;
    LOADED.add(link.getClass());
    its.limit.cancel(false);
    try {
      if (failure == null) {
        if (session.deliver(its.command.number, rows)) {
          connection = its.connection();
          Runnable rest = connection == null ? null : connection.settle();
          if (rest != null) {
            end(rest);
          }
        } else {
          its.abandon(); // later replies on its connection answer other requests
        }
      } else {
        its.abandon();
        refuseUnlinked(failure);
        StoreFailure said = StoreFailure.of(link, failure);
        session.fail(its.command.number, said.code, said.words);
      }
    } catch (RuntimeException | Error e) {
      end(null, e);
    }
    advance();
  }

  /**
   * Throws option_invalid if the client lacks a class or a method that leases need: no store can
   * mend that. While ids are issued the session goes on instead, since the classes of a client may
   * also vanish for a while, as when its jar is replaced.
   */
  private void refuseUnlinked(Throwable failure) {
    LinkageError unlinked = StoreFailure.linkageErrorOf(failure);
    if (unlinked != null && opening.getAsBoolean()) {
      throw Refusal.of("option_invalid", link.complaint(unlinked), unlinked);
    }
  }

  /** Does nothing more. */
  void stop() {
    if (!ended.isDone()) {
      end("stopped", null);
    }
  }

  private void end(String how, Throwable failure) {
    if (next != null) {
      next.cancel(false);
    }
    if (carrier != null) {
      carrier.limit.cancel(false);
      carrier.abandon();
      carrier = null;
    }
    close(connection);
    connection = null;
    if (failure == null) {
      ended.complete(how);
    } else {
      ended.completeExceptionally(failure);
    }
    moved.run();
  }

  /** Closes a connection on a thread that may wait for that; null is none. */
  static void close(StoreConnection connection) {
    if (connection != null) {
      end(connection::close);
    }
  }

  /** Runs {@code close} on a thread that may wait for it. */
  static void end(Runnable close) {
    LeaseThreads.carry(() -> {
      try {
        close.run();
      } catch (RuntimeException | Error e) {
        // It was given up already, or is not needed any more.
      }
    });
  }
}
