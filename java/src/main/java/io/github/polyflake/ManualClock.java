package io.github.polyflake;

import io.github.polyflake.internal.NativeClock;
import io.github.polyflake.internal.NativeLibrary;

/**
 * A clock that moves when it is told to, for tests that are exact.
 *
 * <p>Give it to {@link Generator.Builder#clock(ManualClock)}. Where a generator would wait, it moves this clock to
 * the due tick instead. Times are Unix milliseconds, also before 1970. Safe for use by several threads.
 */
public final class ManualClock {
  final NativeClock handle;

  /**
   * A clock that shows this time until it is moved.
   *
   * @param timeMs Unix milliseconds
   * @throws BadArgumentException {@code option_invalid} beyond 2<sup>53</sup>, before or after 1970
   */
  public ManualClock(long timeMs) {
    NativeLibrary.require();
    handle = new NativeClock(timeMs);
  }

  /**
   * Moves the clock, forward or back.
   *
   * @param timeMs Unix milliseconds
   * @throws BadArgumentException {@code option_invalid} as {@link #ManualClock(long)}
   */
  public void set(long timeMs) {
    handle.set(timeMs);
  }

  /**
   * Moves the clock by a distance.
   *
   * @param ms milliseconds, negative to move back
   * @throws BadArgumentException {@code option_invalid} as {@link #ManualClock(long)}
   */
  public void advance(long ms) {
    handle.advance(ms);
  }

  /**
   * What the clock shows.
   *
   * @return Unix milliseconds
   */
  public long timeMs() {
    return handle.timeMs();
  }

  @Override
  public String toString() {
    return "ManualClock(" + timeMs() + ")";
  }
}
