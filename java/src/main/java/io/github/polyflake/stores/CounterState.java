package io.github.polyflake.stores;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * A counter of a store, from {@link Namespaces#counters(Store)}. Immutable. Each value is also a
 * bean property.
 */
public final class CounterState {
  private final String name;
  private final String kind;
  private final long next;
  private final long room;
  private final long top;
  private final CounterOptions.Failover failover;
  private final OptionalLong topUpAgeMs;
  private final String incarnation;
  private final boolean incarnationChanged;
  private final OptionalLong jumpTo;
  private final String period;
  private final int digits;
  private final String zone;
  private final long periodLabel;

  /** texts: the members, in the order in which the core names them. */
  CounterState(String[] texts) {
    int at = 0;
    name = texts[at++];
    kind = texts[at++];
    next = Long.parseLong(texts[at++]);
    room = Long.parseLong(texts[at++]);
    top = Long.parseLong(texts[at++]);
    failover = CounterOptions.Failover.valueOf(texts[at++].toUpperCase(Locale.ROOT));
    topUpAgeMs = number(texts[at++]);
    incarnation = texts[at++];
    incarnationChanged = texts[at++].equals("true");
    jumpTo = number(texts[at++]);
    period = texts[at++];
    digits = (int) number(texts[at++]).orElse(0);
    zone = texts[at++];
    periodLabel = number(texts[at]).orElse(0);
  }

  private static OptionalLong number(String text) {
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  /**
   * Returns the name.
   *
   * @return 1 to 64 characters
   */
  public String name() {
    return name;
  }

  /**
   * Returns the kind.
   *
   * @return {@code segment} or {@code date}
   */
  public String kind() {
    return kind;
  }

  /**
   * Returns the next number.
   *
   * @return a number; of a date its count within the period
   */
  public long next() {
    return next;
  }

  /**
   * Returns the room.
   *
   * @return how many numbers can be taken before the record is written again
   */
  public long room() {
    return room;
  }

  /**
   * Returns the end.
   *
   * @return the last number
   */
  public long top() {
    return top;
  }

  /**
   * Returns the reaction to a failover.
   *
   * @return that of the options with which the counter was made
   */
  public CounterOptions.Failover failover() {
    return failover;
  }

  /**
   * Returns the age of the last top-up.
   *
   * @return the ms since the room was topped up, by the clock of the store; empty if that is not
   *     needed
   */
  public OptionalLong topUpAgeMs() {
    return topUpAgeMs;
  }

  /**
   * Returns the incarnation.
   *
   * @return that of the store that the record belongs to
   */
  public String incarnation() {
    return incarnation;
  }

  /**
   * Returns whether the store is another one now.
   *
   * @return true if the store has another incarnation, or the record was put back or edited by
   *     hand: the next process that takes numbers jumps, refuses or goes on, as {@link
   *     #failover()} says
   */
  public boolean incarnationChanged() {
    return incarnationChanged;
  }

  /**
   * Returns where a jump would lead to.
   *
   * @return the number at which the counter would go on after a failover now; empty if it would
   *     not jump, because of its store or its options, or because its period ends first
   */
  public OptionalLong jumpTo() {
    return jumpTo;
  }

  /**
   * Returns the form of the periods.
   *
   * @return {@code yyyyMMdd}, {@code yyyyMM} or {@code yyyy}; empty for a segment
   */
  public String period() {
    return period;
  }

  /**
   * Returns the digits of a count.
   *
   * @return 1 to 10; 0 for a segment
   */
  public int digits() {
    return digits;
  }

  /**
   * Returns the zone of the periods.
   *
   * @return an offset, or a name; empty for a segment
   */
  public String zone() {
    return zone;
  }

  /**
   * Returns the recorded period.
   *
   * @return its label, such as 20230414; 0 for a segment
   */
  public long periodLabel() {
    return periodLabel;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #name()}
   */
  public String getName() {
    return name;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #kind()}
   */
  public String getKind() {
    return kind;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #next()}
   */
  public long getNext() {
    return next;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #room()}
   */
  public long getRoom() {
    return room;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #top()}
   */
  public long getTop() {
    return top;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #failover()}
   */
  public CounterOptions.Failover getFailover() {
    return failover;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #topUpAgeMs()}
   */
  public OptionalLong getTopUpAgeMs() {
    return topUpAgeMs;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #incarnation()}
   */
  public String getIncarnation() {
    return incarnation;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #incarnationChanged()}
   */
  public boolean getIncarnationChanged() {
    return incarnationChanged;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #jumpTo()}
   */
  public OptionalLong getJumpTo() {
    return jumpTo;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #period()}
   */
  public String getPeriod() {
    return period;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #digits()}
   */
  public int getDigits() {
    return digits;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #zone()}
   */
  public String getZone() {
    return zone;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #periodLabel()}
   */
  public long getPeriodLabel() {
    return periodLabel;
  }

  @Override
  public String toString() {
    return "CounterState(name=" + name + ", kind=" + kind + ", next=" + next + ")";
  }
}
