package io.github.polyflake;

/**
 * What a {@link Generator} or another source has done so far, as {@link IdSource#stats()} found it. Immutable. Sources of
 * one process with the same kind, layout and node id share their counters. All are bean properties too, so that a framework
 * can write them as JSON or read them in a template.
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
  private final String namespaceUuid;

  /**
   * From what the native library gives, in the order of the fields above; doubles as their bits.
   *
   * @param namespaceUuid of a lease, else null
   */
  Stats(long[] values, String namespaceUuid) {
    issued = values[0];
    waits = values[1];
    waitedMs = Double.longBitsToDouble(values[2]);
    sequenceExhaustions = values[3];
    clockStepsBack = values[4];
    largestStepBackMs = values[5];
    leadMs = values[6];
    untilMs = values[7];
    yearsLeft = Double.longBitsToDouble(values[8]);
    renewals = values[9];
    storeFailures = values[10];
    heldMs = values[11];
    this.namespaceUuid = namespaceUuid;
  }

  /**
   * Ids issued.
   *
   * @return a count
   */
  public long issued() {
    return issued;
  }

  /**
   * Calls that had to wait for the clock.
   *
   * @return a count
   */
  public long waits() {
    return waits;
  }

  /**
   * Time spent in those waits, all threads together.
   *
   * @return milliseconds
   */
  public double waitedMs() {
    return waitedMs;
  }

  /**
   * Ticks whose sequence was used up.
   *
   * @return a count
   */
  public long sequenceExhaustions() {
    return sequenceExhaustions;
  }

  /**
   * Times the clock was seen to have gone back.
   *
   * @return a count
   */
  public long clockStepsBack() {
    return clockStepsBack;
  }

  /**
   * The largest of those steps.
   *
   * @return milliseconds
   */
  public long largestStepBackMs() {
    return largestStepBackMs;
  }

  /**
   * How far the last id is ahead of the clock.
   *
   * @return milliseconds; 0 when it is not ahead
   */
  public long leadMs() {
    return leadMs;
  }

  /**
   * When the current grant of the node id ends; of a lease: its window.
   *
   * @return Unix milliseconds
   */
  public long untilMs() {
    return untilMs;
  }

  /**
   * Time until the last tick of the layout.
   *
   * @return years
   */
  public double yearsLeft() {
    return yearsLeft;
  }

  /**
   * Renewals of a lease that its store confirmed; 0 for other workers.
   *
   * @return a count
   */
  public long renewals() {
    return renewals;
  }

  /**
   * Answers of the store of a lease that did not come; 0 for other workers.
   *
   * @return a count
   */
  public long storeFailures() {
    return storeFailures;
  }

  /**
   * How far the clock is held up, where it was set back: what is added to its readings until it has caught up. Of
   * {@code uuid7} without a worker, and {@code objectid}; 0 for others.
   *
   * @return milliseconds
   */
  public long heldMs() {
    return heldMs;
  }

  /**
   * The namespace that a lease is of, as {@link io.github.polyflake.stores.Namespaces#init} returned it.
   *
   * @return 32 hex digits; null for other workers
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
        + (namespaceUuid == null ? "" : ", namespaceUuid=" + namespaceUuid) + ")";
  }
}
