package io.github.polyflake;

import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.time.Duration;

/**
 * The settings of a source of the numbers of a counter: {@link Kinds#segment()}. Values are checked
 * by {@link #build()} unless noted. Not thread safe; may be used for several sources.
 *
 * <p>The numbers are unique for all hosts that use the counter, dense, and rising in one process.
 * An operator makes the counter once, with
 * {@link Namespaces#initCounter(Store, String, long, CounterOptions)}. Numbers come in ranges,
 * which a daemon thread fetches ahead of need; hosts take their ranges in turn. A process that is
 * killed loses the numbers that it holds, {@link Stats#held()}. {@link SegmentSource#close()} gives
 * them back; so does the end of the JVM, if that takes at most half a second.
 *
 * <p>Sources of one process with the same store, name and options share the numbers that are held,
 * as long as one of them is open.
 */
public final class SegmentBuilder {
  private final SegmentSettings settings = new SegmentSettings();

  SegmentBuilder() {}

  /**
   * Sets the address of the store.
   *
   * @param url as for {@link Stores#of(String)}: {@code "postgresql://host/db?namespace=shop"}
   * @return this
   */
  public SegmentBuilder store(String url) {
    settings.store(url);
    return this;
  }

  /**
   * Sets the store, over a client of your own.
   *
   * @param store the store; pass the same object for all sources that are to share numbers
   * @return this
   */
  public SegmentBuilder store(Store store) {
    settings.store(store);
    return this;
  }

  /**
   * Sets the name of the counter.
   *
   * @param name as an operator has given it to {@link Namespaces#initCounter(Store, String, long)}
   * @return this
   */
  public SegmentBuilder name(String name) {
    settings.name(name);
    return this;
  }

  /**
   * Sets how many numbers one fetch takes. If not called, this adapts to {@link #hold(Duration)}.
   * With 1 normal running leaves no gaps, at one round trip each, and numbers are in the order of
   * the calls of all hosts if each process makes one call at a time.
   *
   * @param step at least 1
   * @return this
   */
  public SegmentBuilder step(long step) {
    settings.number("step", step);
    return this;
  }

  /**
   * Sets how long the store may be away at a steady rate; 30 s if not called.
   *
   * @param hold in whole milliseconds, rounded down
   * @return this
   * @throws BadArgumentException {@code option_invalid} at once, beyond 64 bits of milliseconds
   */
  public SegmentBuilder hold(Duration hold) {
    settings.number("hold_ms", Settings.toMs("hold", hold));
    return this;
  }

  /**
   * Sets the smallest step that adapts; 100 if not called.
   *
   * @param minStep at least 1
   * @return this
   */
  public SegmentBuilder minStep(long minStep) {
    settings.number("min_step", minStep);
    return this;
  }

  /**
   * Sets the largest step that adapts; 1 000 000 if not called.
   *
   * @param maxStep at least the smallest
   * @return this
   */
  public SegmentBuilder maxStep(long maxStep) {
    settings.number("max_step", maxStep);
    return this;
  }

  /**
   * Sets the longest time that one call may wait for the store; 2 s if not called.
   *
   * @param timeout in whole milliseconds, rounded down
   * @return this
   * @throws BadArgumentException {@code option_invalid} at once, beyond 64 bits of milliseconds
   */
  public SegmentBuilder timeout(Duration timeout) {
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
   * @throws BadArgumentException {@code option_invalid}, {@code worker_source_invalid} (the address
   *     of a store)
   * @throws LeaseException {@code store_unavailable}, {@code namespace_not_initialised} (no such
   *     counter, or no such namespace), {@code layout_mismatch} (a counter of another kind),
   *     {@code wrong_namespace}, {@code store_misconfigured}, {@code store_went_back},
   *     {@code clock_skew}
   */
  public SegmentSource build() {
    return settings.open();
  }
}
