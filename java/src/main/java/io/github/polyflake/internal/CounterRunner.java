package io.github.polyflake.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/** Keeps one counter, for all sources of this process with the same store, name and options. */
public final class CounterRunner extends StoreRunner {
  private final NativeCounter counter;
  private final AtomicBoolean waking = new AtomicBoolean();

  CounterRunner(NativeStoreAddress address, CounterUse use, StoreLink link) {
    this(use.counter(address), link);
  }

  private CounterRunner(NativeCounter counter, StoreLink link) {
    super(counter, link);
    this.counter = counter;
  }

  /** Returns the counter that sources are opened with. */
  public NativeCounter counter() {
    return counter;
  }

  /** The same as for a call, and the time that the client needs when it is first used. */
  @Override
  long openingMs() {
    return counter.acquireTimeoutMs() + session.loadingMs();
  }

  /** At first all the time that opening has: a client may need long for its first command. */
  @Override
  long commandMs() {
    return counter.granted() ? counter.commandTimeoutMs() : counter.acquireTimeoutMs();
  }

  /** No numbers are fetched before a source is opened. */
  @Override
  boolean mayHoldSomething() {
    return counter.granted();
  }

  /** Makes it ask at once for the numbers that callers need. Never waits. Calls share a look. */
  public void wake() {
    if (!waking.compareAndSet(false, true)) {
      return;
    }
    try {
      LeaseThreads.decide(this::look);
    } catch (RuntimeException | Error e) {
      waking.set(false);
      throw e;
    }
  }

  private void look() {
    waking.set(false); // first: what callers need from now on takes another look
    session.advance();
  }
}
