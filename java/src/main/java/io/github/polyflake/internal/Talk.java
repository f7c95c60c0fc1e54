package io.github.polyflake.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * One conversation with a store: commands of the core, one at a time, over a connection that is made anew after a
 * failure. All methods but {@link #ended()} are called by the deciding thread alone.
 */
final class Talk {
  /** For loading the classes of a client. */
  private static final long LOADING_MS = 5000;

  private final NativeTalk talk;
  private final StoreLink link;
  private final String[] setup;
  private final LongSupplier timeoutMs;
  private final Runnable moved;
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private StoreConnection connection;
  private Carrying carrying;
  private Future<?> next;
  private boolean loaded;

  /**
   * timeoutMs: how long the next command may take; moved: called by the deciding thread whenever the core has come to
   * something.
   */
  Talk(NativeTalk talk, StoreLink link, LongSupplier timeoutMs, Runnable moved) {
    this.talk = talk;
    this.link = link;
    this.setup = talk.setup();
    this.timeoutMs = timeoutMs;
    this.moved = moved;
  }

  /** "done", "failed" or "stopped", or what was thrown, once nothing is left to do. */
  CompletableFuture<String> ended() {
    return ended;
  }

  /** Does what is to be done now, unless a command is under way. */
  void advance() {
    if (ended.isDone() || carrying != null) {
      return;
    }
    if (next != null) {
      next.cancel(false);
      next = null;
    }
    try {
      String[][] step = talk.step();
      switch (step[0][0]) {
        case "command":
          carry(step);
          break;
        case "sleep":
          next = LeaseThreads.decideAfter(Math.max(1, Long.parseLong(step[0][3])), this::advance);
          moved.run();
          break;
        default:
          end(step[0][0], null);
      }
    } catch (RuntimeException | Error e) {
      end(null, e);
    }
  }

  /** Renews at once, unless a command is under way, which may be that. */
  void hurry(NativeLease lease) {
    if (carrying == null) {
      lease.hurry();
      advance();
    }
  }

  private void carry(String[][] step) {
    long limitMs = timeoutMs.getAsLong() + (loaded ? 0 : LOADING_MS);
    Carrying begun = new Carrying(step, link, connection, setup, limitMs,
        (its, rows, failure) -> LeaseThreads.decide(() -> finish(its, rows, failure)));
    begun.limit = LeaseThreads.decideAfter(limitMs, () -> finish(begun, null, new TimeoutException()));
    connection = null;
    carrying = begun;
    LeaseThreads.carry(begun);
  }

  /** The first outcome counts: a reply after its time was over is nobody's. */
  private void finish(Carrying its, String[][] rows, Throwable failure) {
    if (carrying != its) {
      return;
    }
    carrying = null;
    loaded = true;
    its.limit.cancel(false);
    try {
      if (failure == null) {
        if (talk.deliver(its.number, rows)) {
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
        Trouble trouble = Trouble.of(link, failure);
        talk.fail(its.number, trouble.code, trouble.words);
      }
    } catch (RuntimeException | Error e) {
      end(null, e);
    }
    advance();
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
    if (carrying != null) {
      carrying.limit.cancel(false);
      carrying.abandon();
      carrying = null;
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

  /** On a thread that may wait for that. */
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
