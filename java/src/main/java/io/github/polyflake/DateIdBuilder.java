package io.github.polyflake;

import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.time.Duration;

/**
 * The settings of a source of numbers that begin with the date: {@link Kinds#date()}. Values are
 * checked by {@link #build()} unless noted. Not thread safe; may be used for several sources.
 *
 * <p>A number is the label of a period and a count, which begins again at 1 in each period:
 * 20230414000001. The period is that of the store's clock, in one zone for all hosts. Numbers are
 * unique for all hosts that use the counter, rise in one process, and never carry into the date.
 * An operator makes the counter once, with
 * {@link Namespaces#initCounter(Store, String, long, CounterOptions)} and
 * {@link CounterOptions#date()}.
 *
 * <p>Choose {@link #digits(long)} so that a tenth of 10<sup>digits</sup> numbers suffices for the
 * busiest period: a failover of the store that may have lost writes costs about a tenth of them.
 *
 * <p>Sources of one process with the same store, name, period, digits, zone and options share the
 * numbers that are held, as long as one of them is open. The prefix may differ.
 */
public final class DateIdBuilder {
  private final DateIdSettings settings = new DateIdSettings();

  DateIdBuilder() {}

  /**
   * Sets the address of the store.
   *
   * @param url as for {@link Stores#of(String)}: {@code "postgresql://host/db?namespace=shop"}
   * @return this
   */
  public DateIdBuilder store(String url) {
    settings.store(url);
    return this;
  }

  /**
   * Sets the store, over a client of your own.
   *
   * @param store the store; pass the same object for all sources that are to share numbers
   * @return this
   */
  public DateIdBuilder store(Store store) {
    settings.store(store);
    return this;
  }

  /**
   * Sets the name of the counter.
   *
   * @param name as an operator has given it to
   *     {@link Namespaces#initCounter(Store, String, long, CounterOptions)}
   * @return this
   */
  public DateIdBuilder name(String name) {
    settings.name(name);
    return this;
  }

  /**
   * Sets the prefix of the printed form; none if not called.
   *
   * @param prefix at most 16 of {@code A-Z a-z 0-9 _ -}
   * @return this
   */
  public DateIdBuilder prefix(String prefix) {
    settings.prefix(prefix);
    return this;
  }

  /**
   * Sets the period, which is that of the counter; {@code yyyyMMdd} if not called.
   *
   * @param format the form of its label: {@code yyyyMMdd}, {@code yyyyMM} or {@code yyyy}
   * @return this
   */
  public DateIdBuilder period(String format) {
    settings.period(format);
    return this;
  }

  /**
   * Sets the digits of the count within a period, which are those of the counter; 6 if not called.
   *
   * @param digits 1 to 10
   * @return this
   */
  public DateIdBuilder digits(long digits) {
    settings.digits(digits);
    return this;
  }

  /**
   * Sets the zone, which is that of the counter; {@code +00:00} if not called. By its name a period
   * begins and ends as {@link java.time.ZoneId} knows it, also when clocks are set forward or back.
   *
   * @param zone an offset from UTC, such as {@code +08:00}, or the name of a zone, such as
   *     {@code Europe/Berlin}
   * @return this
   */
  public DateIdBuilder zone(String zone) {
    settings.zone(zone);
    return this;
  }

  /**
   * Sets how many numbers one fetch takes; 1 if not called. With 1 normal running leaves no gaps,
   * at one round trip each, and numbers are in the order of the calls of all hosts if each process
   * makes one call at a time. The rest of a larger fetch is dropped when the period ends.
   *
   * @param step at least 1
   * @return this
   */
  public DateIdBuilder step(long step) {
    settings.number("step", step);
    return this;
  }

  /**
   * Sets the longest time that one call may wait for the store; 2 s if not called.
   *
   * @param timeout in whole milliseconds, rounded down
   * @return this
   * @throws BadArgumentException {@code option_invalid} at once, beyond 64 bits of milliseconds
   */
  public DateIdBuilder timeout(Duration timeout) {
    settings.number("timeout_ms", Settings.toMs("timeout", timeout));
    return this;
  }

  /**
   * Opens a source.
   *
   * <p><b>Blocking.</b> Until the counter was read, at most {@link #timeout(Duration)}; 5 s more
   * for the first use of a client, whose classes must be loaded.
   *
   * @return a source
   * @throws BadArgumentException {@code option_invalid} (also a zone that this JVM does not know),
   *     {@code worker_source_invalid} (the address of a store)
   * @throws LeaseException {@code store_unavailable}, {@code namespace_not_initialised} (no such
   *     counter, or no such namespace), {@code layout_mismatch} (a counter of another kind, period,
   *     zone, or of other digits), {@code wrong_namespace}, {@code store_misconfigured},
   *     {@code store_went_back}, {@code clock_skew}
   */
  public DateIdSource build() {
    return settings.open();
  }
}
