package io.github.polyflake;

import io.github.polyflake.internal.NativeClock;
import io.github.polyflake.internal.NativeLibrary;
import java.time.Duration;
import java.time.Instant;

/**
 * A clock that moves only when told to, for exact tests.
 *
 * <p>Give it to {@link Generator.Builder#clock(ManualClock)}. A generator that would wait moves
 * this clock to the due tick instead. Times are Unix milliseconds, also before 1970. Safe for use
 * by several threads.
 */
public final class ManualClock {
  final NativeClock handle;

  /**
   * Makes a clock that shows this time until it is moved.
   *
   * @param timeMs Unix milliseconds
   * @throws BadArgumentException {@code option_invalid} beyond 2<sup>53</sup>, before or after 1970
   */
  public ManualClock(long timeMs) {
    NativeLibrary.require();
    handle = new NativeClock(timeMs);
  }

  /**
   * Makes a clock that shows this time, rounded down to a millisecond, until it is moved.
   *
   * @param time an instant
   * @throws BadArgumentException {@code option_invalid} beyond 2<sup>53</sup> milliseconds
   */
  public ManualClock(Instant time) {
    this(unixMs(time));
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
   * Moves the clock to this time, rounded down to a millisecond, forward or back.
   *
   * @param time an instant
   * @throws BadArgumentException {@code option_invalid} as {@link #ManualClock(long)}
   */
  public void set(Instant time) {
    set(unixMs(time));
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
   * Moves the clock by a span.
   *
   * @param span whole milliseconds, negative to move back
   * @throws BadArgumentException {@code option_invalid} for parts of a millisecond, and as
   *     {@link #ManualClock(long)}
   */
  public void advance(Duration span) {
    long ms;
    try {
      ms = span.toMillis();
    } catch (ArithmeticException e) {
      throw PolyflakeException.refuse("option_invalid", "a clock cannot move by " + span);
    }
    if (span.getNano() % 1_000_000 != 0) {
      throw PolyflakeException.refuse("option_invalid", "a clock moves by whole milliseconds, not by " + span);
    }
    advance(ms);
  }

  /**
   * Returns the time that the clock shows.
   *
   * @return Unix milliseconds
   */
  public long timeMs() {
    return handle.timeMs();
  }

  private static long unixMs(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw PolyflakeException.refuse("option_invalid", "the year of " + time + " is beyond every clock");
    }
  }

  @Override
  public String toString() {
    return "ManualClock(" + timeMs() + ")";
  }
}
