package io.github.polyflake;

import io.github.polyflake.stores.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Issues ids that are never equal and that increase strictly: if one call returned before another began, its id is
 * smaller.
 *
 * <pre>{@code
 * try (Generator generator = Generator.builder().worker(7).build()) {
 *   long id = generator.nextId();
 * }
 * }</pre>
 *
 * <p>One generator for a whole program is best, a new one for each request is harmless: those of one process with the
 * same layout and node id share their state.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread at any time, also while another one closes the
 * generator. No lock is held.
 *
 * <p><b>Blocking.</b> A thread that must wait for the clock is parked, a virtual thread without its carrier. Waiting
 * is not interruptible, but bounded by {@link Builder#maxWait(Duration)}: a thread interrupted meanwhile gets
 * its id and keeps its interrupt status. Only the first id may take longer, where the window of the node id has not
 * begun: a tick for a number, about 2 s for {@code "host"} where its node id may have been held a moment ago.
 * A call for an id also does file I/O, once in about 2 s, if the worker is {@code "host"}; see {@link #renew()}. With a
 * lease no call for an id does I/O: a daemon thread renews it, and where its window is late, calls wait for that at most
 * as long as {@link Store.Options#renewWait(Duration)} says. A lease never keeps the JVM running; where that ends with
 * the generator open, its node id is given back, if that can be done within half a second.
 */
public final class Generator implements LongSource {
  private final Positions positions;

  Generator(Settings settings) {
    positions = settings.open(this);
  }

  /**
   * Begins the settings of a generator; each has a default.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The kind of its ids.
   *
   * @return {@code "snowflake"}
   */
  @Override
  public String kind() {
    return Kinds.SNOWFLAKE;
  }

  /**
   * The next id. Waits where the clock must come up first.
   *
   * @return an id, never negative
   * @throws ClockException {@code clock_behind} (the clock would have to be awaited longer than allowed),
   *     {@code clock_before_epoch}, {@code time_exhausted}
   * @throws StateException {@code generator_closed} after {@link #close()}, {@code forked_generator}
   * @throws WorkerException {@code registry_unusable}, and where a node id is taken anew {@code worker_in_use},
   *     {@code no_worker_free}
   * @throws LeaseException of a lease whose window is over {@code store_unavailable}, {@code lease_lost},
   *     {@code clock_skew}, {@code wrong_namespace}, {@code namespace_not_initialised}, {@code layout_mismatch}
   */
  @Override
  public long nextId() {
    return positions.next();
  }

  /**
   * The next id as text, for JSON and everything else that JavaScript reads: its numbers end at 2<sup>53</sup>.
   *
   * @return 1 to 19 ASCII digits
   * @throws PolyflakeException as {@link #nextId()}
   */
  @Override
  public String nextIdString() {
    return Long.toString(nextId());
  }

  /**
   * The next id if there is one at once. Never waits.
   *
   * @return an id, or empty where {@link #nextId()} would have waited; then none is used up
   * @throws PolyflakeException as {@link #nextId()}
   */
  @Override
  public OptionalLong tryNextId() {
    long claim = positions.tryNext();
    return claim >= 0 ? OptionalLong.of(claim) : OptionalLong.empty();
  }

  /**
   * The ids that as many calls of {@link #nextId()} would have given, at a fraction of their cost. Waits as long as
   * their number needs.
   *
   * @param count how many
   * @return ids in increasing order
   * @throws BadArgumentException {@code option_invalid} if the count is negative
   * @throws PolyflakeException as {@link #nextId()}
   */
  @Override
  public long[] nextIds(int count) {
    long[] ids = new long[Integers.count(count)];
    fill(ids);
    return ids;
  }

  /**
   * Overwrites all elements with new ids in increasing order, as {@link #nextIds(int)} does. After an exception the
   * contents are unspecified; no id among them will be issued again.
   *
   * @param ids where they go
   * @throws PolyflakeException as {@link #nextId()}
   */
  @Override
  public void fill(long[] ids) {
    positions.fill(ids);
  }

  /**
   * The node id this generator issues with.
   *
   * @return the node fields as one number; unsigned
   */
  public long worker() {
    return positions.worker();
  }

  /**
   * The layout of its ids.
   *
   * @return a layout
   */
  public Layout layout() {
    return Layout.of(positions.layout());
  }

  /**
   * Takes an id of this layout apart.
   *
   * @param id any 64 bits, read as unsigned
   * @return its fields
   * @throws BadArgumentException as {@link Layout#decode(long)}
   */
  public Parts decode(long id) {
    return layout().decode(id);
  }

  /**
   * The smallest id of the tick that contains this time, for range queries.
   *
   * @param time any instant inside the tick
   * @return an id with all other fields 0
   * @throws BadArgumentException as {@link Layout#firstId(Instant)}
   */
  public long firstId(Instant time) {
    return layout().firstId(time);
  }

  /**
   * The largest id of the tick that contains this time, for range queries.
   *
   * @param time any instant inside the tick
   * @return an id with all other fields at their highest
   * @throws BadArgumentException as {@link Layout#lastId(Instant)}
   */
  public long lastId(Instant time) {
    return layout().lastId(time);
  }

  /**
   * What it has done so far. Counting costs {@link #nextId()} nothing, so counts may lag behind a moment.
   *
   * @return a copy of the counters
   */
  @Override
  public Stats stats() {
    return positions.stats();
  }

  /**
   * Whether it can issue, for health checks. Issues nothing, never waits, never throws.
   *
   * @return its state now
   */
  public GeneratorState state() {
    return positions.state();
  }

  /**
   * Moves the window of a {@code "host"} node id or a lease on ahead of need. A thread that calls this every second does
   * all the file I/O of {@code "host"}, so that no call for an id meets it. Nothing to do for numbers.
   *
   * <p><b>Blocking.</b> I/O of files or the store.
   *
   * @throws PolyflakeException as {@link #nextId()}
   */
  public void renew() {
    positions.renew();
  }

  /**
   * Ends this generator: all calls for ids are refused from now on, also those that wait. Idempotent.
   *
   * <p><b>Blocking.</b> The last generator of a lease gives its node id back, for at most half a second.
   */
  @Override
  public void close() {
    positions.close();
  }

  /**
   * Whether {@link #close()} has been called.
   *
   * @return true from then on
   */
  @Override
  public boolean isClosed() {
    return positions.isClosed();
  }

  /**
   * For example {@code Generator(worker=7, state=open, layout=timestamp:41 worker:10 ...)}.
   *
   * @return text for people
   */
  @Override
  public String toString() {
    return "Generator(worker=" + Long.toUnsignedString(worker()) + ", " + positions + ")";
  }

  /**
   * The settings of a {@link Generator}. Values are checked by {@link #build()} unless noted. Not thread safe; may be
   * used for several generators.
   */
  public static final class Builder {
    private final Settings settings = new Settings(Kinds.SNOWFLAKE);

    private Builder() {}

    /**
     * A node id the caller vouches for: no other generator may use it at the same time, on any machine.
     *
     * @param nodeId the node fields of the layout as one number
     * @return this
     */
    public Builder worker(long nodeId) {
      settings.worker(nodeId);
      return this;
    }

    /**
     * A node id the caller vouches for, field by field.
     *
     * @param nodeFields every node field of the layout by name, as integers (not floating point)
     * @return this
     * @throws BadArgumentException {@code field_out_of_range} for a value that is no integer or beyond 64 bits
     */
    public Builder worker(Map<String, ? extends Number> nodeFields) {
      settings.worker(nodeFields);
      return this;
    }

    /**
     * Where the node id comes from. Without a call of any {@code worker} method: the environment variable
     * {@code POLYFLAKE_WORKER}, else {@code "host"}.
     *
     * @param source {@code "host"} (a free node id of this machine's registry), {@code "host:7"} (that one),
     *     {@code "ordinal"} (the number at the end of the host name), or the address of a store that hosts share, as for
     *     {@link Store#of(String)}: {@code "redis://host/0?namespace=orders"}
     * @return this
     */
    public Builder worker(String source) {
      settings.worker(source);
      return this;
    }

    /**
     * A node id from a store that hosts share, over a client of your own.
     *
     * @param store the same for all generators that are to share a node id
     * @return this
     */
    public Builder worker(Store store) {
      settings.worker(store);
      return this;
    }

    /**
     * The layout of the ids; {@code "polyflake"} if not called.
     *
     * @param textOrPreset as for {@link Layout#of(String)}
     * @return this
     */
    public Builder layout(String textOrPreset) {
      settings.layout(textOrPreset);
      return this;
    }

    /**
     * The layout of the ids; {@code "polyflake"} if not called.
     *
     * @param layout a layout
     * @return this
     */
    public Builder layout(Layout layout) {
      return layout(layout.toString());
    }

    /**
     * The longest that one call may wait for the clock; 10 ms if not called. Beyond that, {@code clock_behind}. One
     * tick is always waited for.
     *
     * @param maxWait at least zero; counts in whole ticks, rounded down
     * @return this
     * @throws BadArgumentException {@code option_invalid} at once if it is beyond 64 bits of milliseconds
     */
    public Builder maxWait(Duration maxWait) {
      settings.maxWait(maxWait);
      return this;
    }

    /**
     * How far ids may run ahead of the clock without waiting; zero if not called.
     *
     * @param maxLead at least zero; counts in whole ticks, rounded down
     * @return this
     * @throws BadArgumentException {@code option_invalid} at once if it is beyond 64 bits of milliseconds
     */
    public Builder maxLead(Duration maxLead) {
      settings.maxLead(maxLead);
      return this;
    }

    /**
     * Over how many values the first sequence of a tick is spread, so that {@code id % shards} stays even at low
     * load; an eighth of the sequence's capacity, the highest allowed, if not called.
     *
     * @param sequenceSpread at least 1; 1 begins every tick at sequence 0
     * @return this
     */
    public Builder sequenceSpread(long sequenceSpread) {
      settings.number("sequence_spread", sequenceSpread);
      return this;
    }

    /**
     * What holds between the ids of different threads; {@code "strict"} if not called: an id is above all whose call
     * returned before its call began. {@code "per_thread"} is for extreme rates from many threads: only a thread's
     * own ids rise, those of different threads are in order as far as the tick. Virtual threads count as the platform
     * threads that carry them.
     *
     * @param ordering {@code "strict"} or {@code "per_thread"}
     * @return this
     */
    public Builder ordering(String ordering) {
      settings.ordering(ordering);
      return this;
    }

    /**
     * A clock for tests, instead of the system's. The generator then shares its state with no other one.
     *
     * @param clock a clock
     * @return this
     */
    public Builder clock(ManualClock clock) {
      settings.clock(clock);
      return this;
    }

    /**
     * Opens a generator.
     *
     * <p><b>Blocking.</b> The source {@code "host"} does file I/O, a store a few round trips, for at most
     * {@link Store.Options#acquireTimeout(Duration)}. Opening never sleeps: what is left until the window
     * of the node id begins, the first {@link Generator#nextId()} waits.
     *
     * <p>What people ought to know about the choice of the node id is said once in each process, as a warning of the
     * {@code System.Logger} (on Java 8 the {@code java.util.logging} logger) named {@code io.github.polyflake}.
     *
     * @return a generator
     * @throws BadArgumentException {@code option_invalid}, {@code layout_invalid}, {@code layout_too_wide},
     *     {@code unknown_preset}, {@code field_out_of_range}, {@code unknown_field}, {@code worker_source_invalid}
     * @throws WorkerException {@code worker_in_use}, {@code no_worker_free}, {@code registry_unusable}
     * @throws ClockException {@code time_exhausted}, {@code clock_before_epoch}
     * @throws StateException {@code forked_generator}
     * @throws LeaseException {@code store_unavailable}, {@code namespace_not_initialised}, {@code wrong_namespace},
     *     {@code layout_mismatch}, {@code clock_skew}
     */
    public Generator build() {
      return new Generator(settings);
    }
  }
}
