package io.github.polyflake;

import io.github.polyflake.stores.Store;
import java.time.Duration;
import java.util.Map;

/**
 * The settings of a source of UUIDs of version 7: {@link Kinds#uuid7()}. Values are checked by
 * {@link #build()} unless noted. Not thread safe; may be used for several sources.
 *
 * <p>Without a worker, the default, a source needs nothing: no id, no file, no store. Ids of one
 * process rise strictly for its life; between processes they differ by chance, by 71 random bits at
 * low rates. If the clock is set back, the source holds its time up, so that order and speed go on:
 * {@link Stats#heldMs()}. 262 144 ids a millisecond.
 *
 * <p>With a worker each id carries a millisecond, a sequence and a node id, as those of a
 * {@link Generator}, so that no two are equal even with equal random bits. Then clocks, waiting and
 * leases are as {@link Generator} describes them.
 *
 * <p>They are not secrets: a reader of one id knows when it was made, and may guess others.
 */
public final class Uuid7Builder {
  private final Settings settings = new Settings(Kinds.UUID7);

  Uuid7Builder() {}

  /**
   * Sets a node id that the caller vouches for: {@link Generator.Builder#worker(long)}.
   *
   * @param nodeId the node fields of the layout as one number
   * @return this
   */
  public Uuid7Builder worker(long nodeId) {
    settings.worker(nodeId);
    return this;
  }

  /**
   * Sets a node id that the caller vouches for, field by field:
   * {@link Generator.Builder#worker(Map)}.
   *
   * @param nodeFields every node field of the layout by name, as integers (not floating point)
   * @return this
   * @throws BadArgumentException {@code field_out_of_range} for a value that is not an integer, or
   *     beyond 64 bits
   */
  public Uuid7Builder worker(Map<String, ? extends Number> nodeFields) {
    settings.worker(nodeFields);
    return this;
  }

  /**
   * Sets the source of the node id: {@link Generator.Builder#worker(String)}. The environment does
   * not count: without a call ids have no node id.
   *
   * @param source {@code "host"}, {@code "host:7"}, {@code "ordinal"}, or the address of a store
   *     that hosts share
   * @return this
   */
  public Uuid7Builder worker(String source) {
    settings.worker(source);
    return this;
  }

  /**
   * Sets a store that hosts share as the source of the node id, over a client of your own.
   *
   * @param store the same for all sources that are to share a node id
   * @return this
   */
  public Uuid7Builder worker(Store store) {
    settings.worker(store);
    return this;
  }

  /**
   * Sets the layout of the worker, with ticks of 1 ms; {@code "polyflake"} if not called.
   * Without a worker there is no choice: {@code option_invalid}.
   *
   * @param textOrPreset as for {@link Layout#of(String)}
   * @return this
   */
  public Uuid7Builder layout(String textOrPreset) {
    settings.layout(textOrPreset);
    return this;
  }

  /**
   * Sets the layout of the worker: {@link #layout(String)}.
   *
   * @param layout a layout
   * @return this
   */
  public Uuid7Builder layout(Layout layout) {
    return layout(layout.toString());
  }

  /**
   * Sets the longest wait of one call for the clock; 10 ms if not called.
   *
   * @param maxWait as for {@link Generator.Builder#maxWait(Duration)}
   * @return this
   * @throws BadArgumentException {@code option_invalid} at once, beyond 64 bits of milliseconds
   */
  public Uuid7Builder maxWait(Duration maxWait) {
    settings.maxWait(maxWait);
    return this;
  }

  /**
   * Sets how far ids may run ahead of the clock without waiting; zero if not called.
   *
   * @param maxLead as for {@link Generator.Builder#maxLead(Duration)}
   * @return this
   * @throws BadArgumentException {@code option_invalid} at once, beyond 64 bits of milliseconds
   */
  public Uuid7Builder maxLead(Duration maxLead) {
    settings.maxLead(maxLead);
    return this;
  }

  /**
   * Sets a clock for tests, instead of the system's. The source then shares its state with no
   * other.
   *
   * @param clock a clock
   * @return this
   */
  public Uuid7Builder clock(ManualClock clock) {
    settings.clock(clock);
    return this;
  }

  /**
   * Replaces the random bits, for tests with a {@link #clock(ManualClock)}. Ids that find none left
   * are refused.
   *
   * @param words words of 8 bytes, big endian: without a worker first the key of the ticks; then
   *     one for each id
   * @return this
   */
  public Uuid7Builder entropy(byte[] words) {
    settings.entropy(words);
    return this;
  }

  /**
   * Opens a source.
   *
   * <p><b>Blocking.</b> With a worker as {@link Generator.Builder#build()}, else not at all.
   *
   * @return a source
   * @throws BadArgumentException {@code option_invalid}, {@code layout_invalid} (ticks other than
   *     1 ms)
   * @throws ClockException {@code clock_before_epoch}, {@code time_exhausted}
   * @throws WorkerException {@code registry_unusable} (no random bits)
   * @throws PolyflakeException with a worker as {@link Generator.Builder#build()}
   */
  public TimedUuidSource build() {
    return new Uuid7Source(settings);
  }
}
