package io.github.polyflake;

import io.github.polyflake.internal.CounterRunner;
import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.HeldRange;
import io.github.polyflake.internal.LeaseRunners;
import io.github.polyflake.internal.NativeCountedSource;
import io.github.polyflake.internal.NativeGeneratorState;
import io.github.polyflake.internal.NativeOptions;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Numbers of a counter, which a runner fetches ahead of need. Thread safe; the Java part holds no
 * lock.
 */
abstract class CountedSource implements LongSource {
  private final String counter;
  private final NativeCountedSource handle;
  private final HeldRange held;
  private final CounterRunner runner;
  private final AtomicBoolean left = new AtomicBoolean();
  private volatile boolean closed; // for numbers that need no native call, which would refuse

  CountedSource(String counter, NativeOptions options, CounterRunner runner) {
    this.counter = counter;
    handle = new NativeCountedSource(options);
    held = HeldRange.of(handle);
    this.runner = runner;
  }

  @Override
  public long nextId() {
    long number = closed ? HeldRange.NONE : held.take();
    return number >= 0 ? number : nextSlowly(~number);
  }

  private long nextSlowly(long early) {
    while (true) {
      long number = Facade.claimNext(handle, early);
      wakeRunner();
      if (number >= 0) {
        return number;
      }
      await(early);
    }
  }

  @Override
  public String nextIdString() {
    return Long.toString(nextId());
  }

  @Override
  public OptionalLong tryNextId() {
    long number = Facade.claimHeld(handle);
    if (number < 0) {
      number = Facade.claimUnlessWaiting(handle);
      wakeRunner();
    }
    return number >= 0 ? OptionalLong.of(number) : OptionalLong.empty();
  }

  @Override
  public long[] nextIds(int count) {
    long[] numbers = new long[Integers.count(count)];
    fill(numbers);
    return numbers;
  }

  @Override
  public void fill(long[] numbers) {
    int filled = 0;
    do { // at least once, so that a closed source refuses no numbers, too
      int claimed = Facade.claimNumbers(handle, numbers, filled, numbers.length - filled);
      wakeRunner();
      filled += claimed;
      if (claimed == 0 && filled < numbers.length) {
        await(0);
      }
    } while (filled < numbers.length);
  }

  /**
   * Parks until numbers are held, which other threads may take first, or the one that the caller
   * took early, if it is not 0.
   */
  private void await(long early) {
    Parking.until(this, waitedNs -> {
      long waitNs = handle.waitNs(early, waitedNs);
      wakeRunner();
      return waitNs;
    });
  }

  /** A runner that sleeps would not see that the core wants numbers. */
  private void wakeRunner() {
    if (handle.takeWake()) {
      runner.wake();
    }
  }

  @Override
  public Stats stats() {
    return new Stats(handle.stats(), 0, runner.namespaceUuid());
  }

  /** Returns whether it can issue now. */
  public GeneratorState state() {
    NativeGeneratorState state = handle.state();
    return new GeneratorState(state.getName(), state.getCode());
  }

  @Override
  public void close() {
    closed = true;
    handle.close();
    if (left.compareAndSet(false, true)) {
      LeaseRunners.leave(runner);
    }
  }

  @Override
  public boolean isClosed() {
    return handle.closed();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(name=" + counter + ", state=" + state().name() + ")";
  }
}
