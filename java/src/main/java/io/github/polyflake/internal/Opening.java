package io.github.polyflake.internal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Lets one thread end what another one is about to open: else a server that never finishes a
 * handshake keeps the thread and the socket. Thread safety: any thread.
 */
public final class Opening {
  private static final ThreadLocal<Opening> CURRENT = new ThreadLocal<>();

  private final List<Closeable> noted = new ArrayList<>();
  private boolean givenUp;

  /**
   * Makes the call and returns its result. {@link #giveUp()} ends the openings that the call notes,
   * until the end of this object.
   */
  <T> T during(Callable<T> call) throws Exception {
    CURRENT.set(this);
    try {
      return call.call();
    } finally {
      CURRENT.remove();
    }
  }

  /**
   * Says how another thread ends what this one is about to open. Does nothing outside of
   * {@link #during}.
   *
   * @throws InterruptedIOException if it was given up already; then it is closed
   */
  public static void note(Closeable opened) throws InterruptedIOException {
    Opening opening = CURRENT.get();
    if (opening != null && !opening.add(opened)) {
      end(opened);
      throw new InterruptedIOException("given up");
    }
  }

  private synchronized boolean add(Closeable opened) {
    return !givenUp && noted.add(opened);
  }

  /** May wait for what is closed. */
  void giveUp() {
    List<Closeable> left;
    synchronized (this) {
      givenUp = true;
      left = new ArrayList<>(noted);
      noted.clear();
    }
    left.forEach(Opening::end);
  }

  private static void end(Closeable opened) {
    try {
      opened.close();
    } catch (IOException | RuntimeException e) {
      // It was broken already.
    }
  }
}
