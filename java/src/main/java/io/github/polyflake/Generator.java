package io.github.polyflake;

import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Issues 64-bit ids that are never equal and that increase strictly: if one call returned before
 * another began, its id is smaller.
 *
 * <pre>{@code
 * try (Generator generator = Generator.builder().worker(7).build()) {
 *   long id = generator.nextId();
 * }
 * }</pre>
 *
 * <p>Use one generator for the whole program. A new one for each request is harmless: generators of
 * one process with the same layout and node id share their state.
 *
 * <p><b>Thread safety.</b> Any thread may call any method at any time, also while another thread
 * closes the generator. No lock is held.
 *
 * <p><b>Blocking.</b> A thread that must wait for the clock is parked; a virtual thread releases
 * its carrier. The wait cannot be interrupted, but {@link Builder#maxWait(Duration)} limits it: a
 * thread that is interrupted meanwhile gets its id and keeps its interrupt status. Only the first
 * id may take longer, if the window of the node id has not begun: a tick for a number, about 2 s
 * for {@code "host"} if its node id may have been held a moment ago. With the worker {@code "host"}
 * one call for an id in about 1.5 s does file I/O; see {@link #renew()}. With a lease no call for
 * an id does I/O: a daemon thread renews the lease. If the next window is late, calls wait for it,
 * at most {@link Store.Options#renewWait(Duration)}. A lease never keeps the JVM running. If the
 * JVM ends with the generator open, the node id is returned to the store if that takes at most half
 * a second.
 */
public final class Generator implements LongSource {
  private final Positions positions;

  Generator(Settings settings) {
    positions = settings.open(this);
  }

  /**
   * Returns a builder of a generator; each of its settings has a default.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the kind of this generator's ids.
   *
   * @return {@code "snowflake"}
   */
  @Override
  public String kind() {
    return Kinds.SNOWFLAKE;
  }

  /**
   * Returns the next id. Waits if the clock must catch up first.
   *
   * @return an id, never negative
   * @throws ClockException {@code clock_behind} (the wait for the clock would be longer than
   *     allowed), {@code clock_before_epoch}, {@code time_exhausted}
   * @throws StateException {@code generator_closed} after {@link #close()},
   *     {@code forked_generator}
   * @throws WorkerException {@code registry_unusable}; also {@code worker_in_use},
   *     {@code no_worker_free} when the generator must take a node id again
   * @throws LeaseException if the window of a lease is over: {@code store_unavailable},
   *     {@code lease_lost}, {@code clock_skew}, {@code wrong_namespace},
   *     {@code namespace_not_initialised}, {@code layout_mismatch}
   */
  @Override
  public long nextId() {
    return positions.next();
  }

  /**
   * Returns the next id as text, for JSON and other data that JavaScript reads: a number in
   * JavaScript is exact only up to 2<sup>53</sup>.
   *
   * @return 1 to 19 ASCII digits
   * @throws PolyflakeException as {@link #nextId()}
   */
  @Override
  public String nextIdString() {
    return Long.toString(nextId());
  }

  /**
   * Returns the next id if one is available without waiting. Never waits.
   *
   * @return an id, or empty if {@link #nextId()} would have waited; then no id is used up
   * @throws PolyflakeException as {@link #nextId()}
   */
  @Override
  public OptionalLong tryNextId() {
    long claim = positions.tryNext();
    return claim >= 0 ? OptionalLong.of(claim) : OptionalLong.empty();
  }

  /**
   * Returns the ids that {@code count} calls of {@link #nextId()} would return, at a fraction of
   * their cost. Waits as long as the clock needs for that many ids.
   *
   * @param count the number of ids, at least 0
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
   * Overwrites all elements with new ids in increasing order. Waits as {@link #nextIds(int)} does.
   * After an exception the contents are unspecified; no id among them will be issued again.
   *
   * @param ids the array to fill
   * @throws PolyflakeException as {@link #nextId()}
   */
  @Override
  public void fill(long[] ids) {
    positions.fill(ids);
  }

  /**
   * Returns the node id in this generator's ids.
   *
   * @return the node fields as one number; unsigned
   */
  public long worker() {
    return positions.worker();
  }

  /**
   * Returns the layout of this generator's ids.
   *
   * @return a layout
   */
  public Layout layout() {
    return Layout.of(positions.layout());
  }

  /**
   * Returns the fields of an id of this layout.
   *
   * @param id any 64 bits, read as unsigned
   * @return the time, node fields and sequence of the id
   * @throws BadArgumentException as {@link Layout#decode(long)}
   */
  public Parts decode(long id) {
    return layout().decode(id);
  }

  /**
   * Returns the smallest possible id of the tick that contains this time, for range queries.
   * It bounds them only if the timestamp is the first field of the layout.
   *
   * @param time any instant inside the tick
   * @return an id with all other fields 0
   * @throws BadArgumentException as {@link Layout#firstId(Instant)}
   */
  public long firstId(Instant time) {
    return layout().firstId(time);
  }

  /**
   * Returns the largest possible id of the tick that contains this time, for range queries.
   * It bounds them only if the timestamp is the first field of the layout.
   *
   * @param time any instant inside the tick
   * @return an id with all other fields at their highest
   * @throws BadArgumentException as {@link Layout#lastId(Instant)}
   */
  public long lastId(Instant time) {
    return layout().lastId(time);
  }

  /**
   * Returns counts of this generator's work so far. Counting adds no cost to {@link #nextId()}, so
   * the counts may lag behind for a moment.
   *
   * @return a copy of the counters
   */
  @Override
  public Stats stats() {
    return positions.stats();
  }

  /**
   * Returns the state of this generator, for health checks: whether it can issue ids now. Issues
   * nothing, never waits, never throws.
   *
   * @return the state at the time of the call
   */
  public GeneratorState state() {
    return positions.state();
  }

  /**
   * Renews the window of a {@code "host"} node id or a lease before it is needed. If a thread calls
   * this every second, it does all the file I/O of {@code "host"}, and no call for an id waits for
   * that. Does nothing if the worker is a number.
   *
   * <p><b>Blocking.</b> I/O of files or of the store.
   *
   * @throws PolyflakeException as {@link #nextId()}
   */
  public void renew() {
    positions.renew();
  }

  /**
   * Closes this generator: every later call for an id is refused, also calls that are waiting now.
   * Idempotent.
   *
   * <p><b>Blocking.</b> The last generator of a lease returns the node id to the store: half a
   * second at most.
   */
  @Override
  public void close() {
    positions.close();
  }

  /**
   * Returns whether {@link #close()} has been called.
   *
   * @return true after the first call of {@link #close()}
   */
  @Override
  public boolean isClosed() {
    return positions.isClosed();
  }

  /**
   * Returns a description for people, for example {@code Generator(worker=7, state=open,
   * layout=timestamp:41 worker:10 ...)}.
   *
   * @return the node id, the state and the layout
   */
  @Override
  public String toString() {
    return "Generator(worker=" + Long.toUnsignedString(worker()) + ", " + positions + ")";
  }

  /**
   * The settings of a {@link Generator}. {@link #build()} checks the values unless a method says
   * otherwise. One builder may open several generators.
   *
   * <p><b>Thread safety.</b> For one thread at a time.
   */
  public static final class Builder {
    private final Settings settings = new Settings(Kinds.SNOWFLAKE);

    private Builder() {}

    /**
     * Sets the node id. The caller guarantees that no other generator uses it at the same time, on
     * any machine.
     *
     * @param nodeId the node fields of the layout as one number
     * @return this
     */
    public Builder worker(long nodeId) {
      settings.worker(nodeId);
      return this;
    }

    /**
     * Sets the node id field by field, with the same guarantee as {@link #worker(long)}.
     *
     * @param nodeFields every node field of the layout by name, as integers (not floating point)
     * @return this
     * @throws BadArgumentException {@code field_out_of_range} at once for a value that is not an
     *     integer or is beyond 64 bits
     */
    public Builder worker(Map<String, ? extends Number> nodeFields) {
      settings.worker(nodeFields);
      return this;
    }

    /**
     * Sets the source of the node id. If no {@code worker} method is called, the environment
     * variable {@code POLYFLAKE_WORKER} gives the source; if it is not set, {@code "host"} is used.
     *
     * @param source {@code "host"} (a free node id of this machine's registry), {@code "host:7"}
     *     (node id 7 of that registry), {@code "ordinal"} (the number at the end of the host name),
     *     or the address of a store that hosts share, as for {@link Stores#of(String)}:
     *     {@code "redis://host/0?namespace=orders"}
     * @return this
     */
    public Builder worker(String source) {
      settings.worker(source);
      return this;
    }

    /**
     * Leases the node id from a store that hosts share, through a client of your own.
     *
     * @param store the store; pass the same object to all generators that are to share a node id
     * @return this
     */
    public Builder worker(Store store) {
      settings.worker(store);
      return this;
    }

    /**
     * Sets the layout of the ids; {@code "polyflake"} if not called.
     *
     * @param textOrPreset the layout as text or the name of a preset, as for
     *     {@link Layout#of(String)}
     * @return this
     */
    public Builder layout(String textOrPreset) {
      settings.layout(textOrPreset);
      return this;
    }

    /**
     * Sets the layout of the ids; {@code "polyflake"} if not called.
     *
     * @param layout the layout
     * @return this
     */
    public Builder layout(Layout layout) {
      return layout(layout.toString());
    }

    /**
     * Sets the longest time that one call may wait for the clock; 10 ms if not called. A call that
     * would wait longer throws {@code clock_behind}. A call may always wait for one tick.
     *
     * @param maxWait at least zero; rounded down to whole ticks
     * @return this
     * @throws BadArgumentException {@code option_invalid} at once if it is beyond 64 bits of
     *     milliseconds
     */
    public Builder maxWait(Duration maxWait) {
      settings.maxWait(maxWait);
      return this;
    }

    /**
     * Sets the time that ids may run ahead of the clock without waiting; zero if not called.
     *
     * @param maxLead at least zero; rounded down to whole ticks
     * @return this
     * @throws BadArgumentException {@code option_invalid} at once if it is beyond 64 bits of
     *     milliseconds
     */
    public Builder maxLead(Duration maxLead) {
      settings.maxLead(maxLead);
      return this;
    }

    /**
     * Sets the number of values over which the first sequence of a tick is spread, so that
     * {@code id % shards} stays even at low load. If not called, this is an eighth of the
     * sequence's capacity, the most that is allowed.
     *
     * @param sequenceSpread at least 1; with 1 every tick begins at sequence 0
     * @return this
     */
    public Builder sequenceSpread(long sequenceSpread) {
      settings.number("sequence_spread", sequenceSpread);
      return this;
    }

    /**
     * Sets the order between the ids of different threads; {@code "strict"} if not called. With
     * {@code "strict"} an id is above every id whose call returned before its call began.
     * {@code "per_thread"} is for extreme rates from many threads: the ids of one thread rise, but
     * ids of different threads are ordered by tick only. A virtual thread counts as the platform
     * thread that carries it.
     *
     * @param ordering {@code "strict"} or {@code "per_thread"}
     * @return this
     */
    public Builder ordering(String ordering) {
      settings.ordering(ordering);
      return this;
    }

    /**
     * Replaces the system clock, for tests. The generator then shares its state with no other
     * generator.
     *
     * @param clock the clock to read
     * @return this
     */
    public Builder clock(ManualClock clock) {
      settings.clock(clock);
      return this;
    }

    /**
     * Opens a generator.
     *
     * <p><b>Blocking.</b> The source {@code "host"} does file I/O. A store takes a few round trips,
     * at most {@link Store.Options#acquireTimeout(Duration)}. Opening never sleeps: if the window
     * of the node id begins later, the first {@link Generator#nextId()} waits for it.
     *
     * <p>If operators should know about the choice of the node id, a warning is logged once in each
     * process, to the {@code System.Logger} (on Java 8 the {@code java.util.logging} logger) named
     * {@code io.github.polyflake}.
     *
     * @return the open generator, which the caller closes
     * @throws BadArgumentException {@code option_invalid}, {@code layout_invalid},
     *     {@code layout_too_wide}, {@code unknown_preset}, {@code field_out_of_range},
     *     {@code unknown_field}, {@code worker_source_invalid}
     * @throws WorkerException {@code worker_in_use}, {@code no_worker_free},
     *     {@code registry_unusable}
     * @throws ClockException {@code time_exhausted}, {@code clock_before_epoch}
     * @throws StateException {@code forked_generator}
     * @throws LeaseException {@code store_unavailable}, {@code namespace_not_initialised},
     *     {@code wrong_namespace}, {@code layout_mismatch}, {@code clock_skew}
     */
    public Generator build() {
      return new Generator(settings);
    }
  }
}
