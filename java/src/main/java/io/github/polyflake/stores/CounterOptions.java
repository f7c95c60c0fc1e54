package io.github.polyflake.stores;

import io.github.polyflake.internal.Zones;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The options for a new counter.
 * {@link Namespaces#initCounter(Store, String, long, CounterOptions)} checks the values.
 * <b>Thread safety.</b> None.
 */
public final class CounterOptions {
  /** The reaction to a store that may have lost numbers which were given out. */
  public enum Failover {
    /** Goes on above all that was lost. */
    JUMP,
    /** Gives no number until {@link Namespaces#raiseCounter(Store, String, long)}. */
    STOP,
    /** Goes on as if nothing was lost: the operator guarantees that the store loses none. */
    TRUST
  }

  /** By the names that all languages share. */
  private final Map<String, String> values = new LinkedHashMap<>();

  private CounterOptions(String kind) {
    values.put("kind", kind);
  }

  /**
   * Returns the options for a counter of {@link io.github.polyflake.Kinds#segment()}; each has its
   * default.
   *
   * @return options that can be changed
   */
  public static CounterOptions segment() {
    return new CounterOptions("segment");
  }

  /**
   * Returns the options for a counter that begins again at 1 in each period; each has its default.
   *
   * @return options that can be changed
   */
  public static CounterOptions date() {
    return new CounterOptions("date");
  }

  /**
   * Sets the period of a date: {@code yyyyMMdd}, {@code yyyyMM} or {@code yyyy}. Default:
   * {@code yyyyMMdd}.
   *
   * @param format the form of its label
   * @return this
   */
  public CounterOptions period(String format) {
    return set("period", Objects.requireNonNull(format, "format"));
  }

  /**
   * Sets the digits of the count within a period of a date, 1 to 10. Default: 6.
   *
   * @param digits a count
   * @return this
   */
  public CounterOptions digits(int digits) {
    return set("digits", Integer.toString(digits));
  }

  /**
   * Sets the zone of a date, in which a period of the store's time begins and ends. Default:
   * {@code +00:00}.
   *
   * @param zone an offset from UTC, or the name of a zone that this JVM knows, such as
   *     {@code Europe/Berlin}
   * @return this
   */
  public CounterOptions zone(String zone) {
    return set("zone", Objects.requireNonNull(zone, "zone"));
  }

  /**
   * Sets the reaction to a store that may have lost numbers. Default: {@code JUMP}.
   *
   * @param failover the reaction
   * @return this
   */
  public CounterOptions failover(Failover failover) {
    return set("failover", Objects.requireNonNull(failover, "failover").name().toLowerCase(Locale.ROOT));
  }

  /**
   * Sets the rate that sizes the jump after a failover, with {@link #burst(long)}. Default:
   * 1 000 000.
   *
   * @param rate numbers a second that all hosts together take at most
   * @return this
   */
  public CounterOptions rate(long rate) {
    return set("rate", Long.toString(rate));
  }

  /**
   * Sets how many numbers may be taken at once beyond the rate. Default: 10 000 000.
   *
   * @param burst a count
   * @return this
   */
  public CounterOptions burst(long burst) {
    return set("burst", Long.toString(burst));
  }

  /**
   * Sets the last number. Default: 2<sup>63</sup> - 2.
   *
   * @param top a number
   * @return this
   */
  public CounterOptions top(long top) {
    return set("top", Long.toString(top));
  }

  private CounterOptions set(String name, String value) {
    values.put(name, value);
    return this;
  }

  String[] names() {
    return values.keySet().toArray(new String[0]);
  }

  /** Errors: {@code option_invalid} for a zone that this JVM does not know. */
  String[] texts() {
    if (values.containsKey("zone")) {
      Zones.checked(values.get("zone"));
    }
    return values.values().toArray(new String[0]);
  }
}
