package io.github.polyflake;

/**
 * What a {@link Generator} has done so far, as {@link Generator#stats()} found it. Immutable. Generators of one
 * process with the same layout and node id share their counters.
 */
public final class Stats {
  private final long[] values;

  /** From what the native library gives, in the order of the methods below; doubles as their bits. */
  Stats(long[] values) {
    this.values = values;
  }

  /**
   * Ids issued.
   *
   * @return a count
   */
  public long issued() {
    return values[0];
  }

  /**
   * Calls that had to wait for the clock.
   *
   * @return a count
   */
  public long waits() {
    return values[1];
  }

  /**
   * Time spent in those waits, all threads together.
   *
   * @return milliseconds
   */
  public double waitedMs() {
    return Double.longBitsToDouble(values[2]);
  }

  /**
   * Ticks whose sequence was used up.
   *
   * @return a count
   */
  public long sequenceExhaustions() {
    return values[3];
  }

  /**
   * Times the clock was seen to have gone back.
   *
   * @return a count
   */
  public long clockStepsBack() {
    return values[4];
  }

  /**
   * The largest of those steps.
   *
   * @return milliseconds
   */
  public long largestStepBackMs() {
    return values[5];
  }

  /**
   * How far the last id is ahead of the clock.
   *
   * @return milliseconds; 0 when it is not ahead
   */
  public long leadMs() {
    return values[6];
  }

  /**
   * When the present grant of the node id ends.
   *
   * @return Unix milliseconds
   */
  public long untilMs() {
    return values[7];
  }

  /**
   * Time until the last tick of the layout.
   *
   * @return years
   */
  public double yearsLeft() {
    return Double.longBitsToDouble(values[8]);
  }

  @Override
  public String toString() {
    return "Stats(issued=" + issued() + ", waits=" + waits() + ", waitedMs=" + waitedMs() + ", sequenceExhaustions="
        + sequenceExhaustions() + ", clockStepsBack=" + clockStepsBack() + ", largestStepBackMs=" + largestStepBackMs()
        + ", leadMs=" + leadMs() + ", untilMs=" + untilMs() + ", yearsLeft=" + yearsLeft() + ")";
  }
}
