package io.github.polyflake;

import io.github.polyflake.internal.NativeStats;

/**
 * The counters and the state of a {@link Generator} or another source at the time of
 * {@link IdSource#stats()}. Immutable. Sources of one process with the same kind, layout and node
 * id share their counters. All values are also bean properties, so that a framework can write them
 * as JSON or read them in a template.
 */
public final class Stats {
  private final long issued;
  private final long waits;
  private final double waitedMs;
  private final long sequenceExhaustions;
  private final long clockStepsBack;
  private final long largestStepBackMs;
  private final long leadMs;
  private final long untilMs;
  private final double yearsLeft;
  private final long renewals;
  private final long storeFailures;
  private final long heldMs;
  private final long held;
  private final long step;
  private final long fetches;
  private final long lastFetchMs;
  private final long jumps;
  private final long left;
  private final String namespaceUuid;

  /**
   * Copies the values of the native library.
   *
   * @param unused the number of ids that are counted there and were not handed out
   * @param namespaceUuid the UUID of the namespace of a lease or counter; null for other sources
   */
  Stats(NativeStats values, long unused, String namespaceUuid) {
    issued = values.getIssued() - unused;
    waits = values.getWaits();
    waitedMs = values.getWaitedMs();
    sequenceExhaustions = values.getSequenceExhaustions();
    clockStepsBack = values.getClockStepsBack();
    largestStepBackMs = values.getLargestStepBackMs();
    leadMs = values.getLeadMs();
    untilMs = values.getUntilMs();
    yearsLeft = values.getYearsLeft();
    renewals = values.getRenewals();
    storeFailures = values.getStoreFailures();
    heldMs = values.getHeldMs();
    held = values.getHeld();
    step = values.getStep();
    fetches = values.getFetches();
    lastFetchMs = values.getLastFetchMs();
    jumps = values.getJumps();
    left = values.getLeft();
    this.namespaceUuid = namespaceUuid;
  }

  /**
   * Returns the number of ids issued.
   *
   * @return a count
   */
  public long issued() {
    return issued;
  }

  /**
   * Returns the number of calls that had to wait for the clock.
   *
   * @return a count
   */
  public long waits() {
    return waits;
  }

  /**
   * Returns the total time of those waits, of all threads together.
   *
   * @return milliseconds
   */
  public double waitedMs() {
    return waitedMs;
  }

  /**
   * Returns the number of ticks whose sequence was used up.
   *
   * @return a count
   */
  public long sequenceExhaustions() {
    return sequenceExhaustions;
  }

  /**
   * Returns the number of times that a call saw the clock set back.
   *
   * @return a count
   */
  public long clockStepsBack() {
    return clockStepsBack;
  }

  /**
   * Returns the largest of those steps.
   *
   * @return milliseconds
   */
  public long largestStepBackMs() {
    return largestStepBackMs;
  }

  /**
   * Returns the lead of the last id over the clock.
   *
   * @return milliseconds; 0 when it is not ahead
   */
  public long leadMs() {
    return leadMs;
  }

  /**
   * Returns the end of the current grant of the node id; for a lease, of its window.
   *
   * @return Unix milliseconds
   */
  public long untilMs() {
    return untilMs;
  }

  /**
   * Returns the time until the last tick of the layout; of a counter, until its last number at the
   * rate of this source.
   *
   * @return years
   */
  public double yearsLeft() {
    return yearsLeft;
  }

  /**
   * Returns the number of lease renewals that the store confirmed; 0 for other workers.
   *
   * @return a count
   */
  public long renewals() {
    return renewals;
  }

  /**
   * Returns the number of requests that the store of a lease or counter did not answer; 0 for other
   * sources.
   *
   * @return a count
   */
  public long storeFailures() {
    return storeFailures;
  }

  /**
   * Returns the lead over a clock that was set back: this time is added to its readings until it
   * has caught up, so that ids rise. For {@code uuid7} without a worker and {@code objectid}; 0 for
   * others.
   *
   * @return milliseconds
   */
  public long heldMs() {
    return heldMs;
  }

  /**
   * Returns the number of numbers that a crash of this process would lose; 0 for sources without a
   * counter.
   *
   * @return a count
   */
  public long held() {
    return held;
  }

  /**
   * Returns the number of numbers that the next fetch of a counter takes; 0 for other sources.
   *
   * @return a count
   */
  public long step() {
    return step;
  }

  /**
   * Returns the number of ranges that the store of a counter gave; 0 for other sources.
   *
   * @return a count
   */
  public long fetches() {
    return fetches;
  }

  /**
   * Returns the time that the store took for the last of them.
   *
   * @return milliseconds; 0 for sources without a counter
   */
  public long lastFetchMs() {
    return lastFetchMs;
  }

  /**
   * Returns the number of failovers after which numbers of the counter were left out; 0 for other
   * sources.
   *
   * @return a count
   */
  public long jumps() {
    return jumps;
  }

  /**
   * Returns the number of numbers up to the last one of the counter, as known when the store was
   * last asked; 0 for other sources.
   *
   * @return a count
   */
  public long left() {
    return left;
  }

  /**
   * Returns the UUID of the namespace of a lease or counter, as
   * {@link io.github.polyflake.stores.Namespaces#init} returned it.
   *
   * @return 32 hex digits; null for other sources
   */
  public String namespaceUuid() {
    return namespaceUuid;
  }

  /**
   * A bean property.
   *
   * @return {@link #issued()}
   */
  public long getIssued() {
    return issued;
  }

  /**
   * A bean property.
   *
   * @return {@link #waits()}
   */
  public long getWaits() {
    return waits;
  }

  /**
   * A bean property.
   *
   * @return {@link #waitedMs()}
   */
  public double getWaitedMs() {
    return waitedMs;
  }

  /**
   * A bean property.
   *
   * @return {@link #sequenceExhaustions()}
   */
  public long getSequenceExhaustions() {
    return sequenceExhaustions;
  }

  /**
   * A bean property.
   *
   * @return {@link #clockStepsBack()}
   */
  public long getClockStepsBack() {
    return clockStepsBack;
  }

  /**
   * A bean property.
   *
   * @return {@link #largestStepBackMs()}
   */
  public long getLargestStepBackMs() {
    return largestStepBackMs;
  }

  /**
   * A bean property.
   *
   * @return {@link #leadMs()}
   */
  public long getLeadMs() {
    return leadMs;
  }

  /**
   * A bean property.
   *
   * @return {@link #untilMs()}
   */
  public long getUntilMs() {
    return untilMs;
  }

  /**
   * A bean property.
   *
   * @return {@link #yearsLeft()}
   */
  public double getYearsLeft() {
    return yearsLeft;
  }

  /**
   * A bean property.
   *
   * @return {@link #renewals()}
   */
  public long getRenewals() {
    return renewals;
  }

  /**
   * A bean property.
   *
   * @return {@link #storeFailures()}
   */
  public long getStoreFailures() {
    return storeFailures;
  }

  /**
   * A bean property.
   *
   * @return {@link #heldMs()}
   */
  public long getHeldMs() {
    return heldMs;
  }

  /**
   * A bean property.
   *
   * @return {@link #held()}
   */
  public long getHeld() {
    return held;
  }

  /**
   * A bean property.
   *
   * @return {@link #step()}
   */
  public long getStep() {
    return step;
  }

  /**
   * A bean property.
   *
   * @return {@link #fetches()}
   */
  public long getFetches() {
    return fetches;
  }

  /**
   * A bean property.
   *
   * @return {@link #lastFetchMs()}
   */
  public long getLastFetchMs() {
    return lastFetchMs;
  }

  /**
   * A bean property.
   *
   * @return {@link #jumps()}
   */
  public long getJumps() {
    return jumps;
  }

  /**
   * A bean property.
   *
   * @return {@link #left()}
   */
  public long getLeft() {
    return left;
  }

  /**
   * A bean property.
   *
   * @return {@link #namespaceUuid()}
   */
  public String getNamespaceUuid() {
    return namespaceUuid;
  }

  @Override
  public String toString() {
    return "Stats(issued=" + issued + ", waits=" + waits + ", waitedMs=" + waitedMs + ", sequenceExhaustions="
        + sequenceExhaustions + ", clockStepsBack=" + clockStepsBack + ", largestStepBackMs=" + largestStepBackMs
        + ", leadMs=" + leadMs + ", untilMs=" + untilMs + ", yearsLeft=" + yearsLeft
        + ", renewals=" + renewals + ", storeFailures=" + storeFailures + ", heldMs=" + heldMs
        + ", held=" + held + ", step=" + step + ", fetches=" + fetches + ", lastFetchMs=" + lastFetchMs
        + ", jumps=" + jumps + ", left=" + left
        + (namespaceUuid == null ? "" : ", namespaceUuid=" + namespaceUuid) + ")";
  }
}
