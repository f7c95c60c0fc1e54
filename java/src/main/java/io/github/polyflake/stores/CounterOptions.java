package io.github.polyflake.stores;

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

  String[] texts() {
    return values.values().toArray(new String[0]);
  }
}
