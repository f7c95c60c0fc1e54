package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.Keeper;
import io.github.polyflake.internal.Keepers;
import io.github.polyflake.internal.NativeClock;
import io.github.polyflake.internal.NativeGenerator;
import io.github.polyflake.internal.NativeLayout;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeOptions;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.stores.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

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
public final class Generator implements AutoCloseable {
  /** Stands for the id that will be claimed where none can be yet. */
  private static final long NONE = 0;

  private final NativeGenerator handle;
  private final Keeper keeper; // of the lease; null for other workers
  private final AtomicBoolean left = new AtomicBoolean();

  private Generator(NativeOptions options, Keeper keeper) {
    handle = new NativeGenerator(options);
    this.keeper = keeper;
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
  public long nextId() {
    long claim = handle.claim();
    return claim >= 0 ? claim : await(~claim);
  }

  /**
   * The next id as text, for JSON and everything else that JavaScript reads: its numbers end at 2<sup>53</sup>.
   *
   * @return 1 to 19 ASCII digits
   * @throws PolyflakeException as {@link #nextId()}
   */
  public String nextIdString() {
    return Long.toString(nextId());
  }

  /**
   * The next id if there is one at once. Never waits.
   *
   * @return an id, or empty where {@link #nextId()} would have waited; then none is used up
   * @throws PolyflakeException as {@link #nextId()}
   */
  public OptionalLong tryNextId() {
    long claim = handle.tryClaim();
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
  public long[] nextIds(int count) {
    if (count < 0) {
      throw PolyflakeException.refuse("option_invalid", "count must be at least 0, got " + count);
    }
    long[] ids = new long[count];
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
  public void fill(long[] ids) {
    int filled = 0;
    do {
      int claimed = Facade.claimRange(handle, ids, filled, ids.length - filled);
      filled += Math.abs(claimed);
      if (claimed < 0 && !awaitTick(ids[filled - 1])) {
        filled = 0;
      } else if (claimed == 0 && filled < ids.length) {
        awaitTick(NONE);
      }
    } while (filled < ids.length);
  }

  /**
   * The node id this generator issues with.
   *
   * @return the node fields as one number; unsigned
   */
  public long worker() {
    return handle.worker();
  }

  /**
   * The layout of its ids.
   *
   * @return a layout
   */
  public Layout layout() {
    return Layout.of(handle.layout());
  }

  /**
   * What it has done so far. Counting costs {@link #nextId()} nothing, so counts may lag behind a moment.
   *
   * @return a copy of the counters
   */
  public Stats stats() {
    return new Stats(handle.stats(), keeper == null ? null : keeper.namespaceUuid());
  }

  /**
   * Whether it can issue, for health checks. Issues nothing, never waits, never throws.
   *
   * @return its state now
   */
  public GeneratorState state() {
    return new GeneratorState(handle.state());
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
    if (keeper == null || handle.closed()) {
      handle.renew();
    } else {
      keeper.renew();
    }
  }

  /**
   * Ends this generator: all calls for ids are refused from now on, also those that wait. Idempotent.
   *
   * <p><b>Blocking.</b> The last generator of a lease gives its node id back, for at most half a second.
   */
  @Override
  public void close() {
    handle.close();
    if (keeper != null && left.compareAndSet(false, true)) {
      Keepers.leave(keeper);
    }
  }

  /**
   * Whether {@link #close()} has been called.
   *
   * @return true from then on
   */
  public boolean isClosed() {
    return handle.closed();
  }

  /**
   * For example {@code Generator(worker=7, state=open, layout=timestamp:41 worker:10 ...)}.
   *
   * @return text for people
   */
  @Override
  public String toString() {
    GeneratorState state = state();
    return "Generator(worker=" + Long.toUnsignedString(worker()) + ", state=" + state.name()
        + (state.code() == null ? "" : " " + state.code()) + ", layout=" + handle.layout() + ")";
  }

  /** Returns the claimed id when its tick has come, or another one where that must be claimed anew. */
  private long await(long claimed) {
    long id = claimed;
    while (!awaitTick(id)) {
      long claim = handle.claim();
      if (claim >= 0) {
        return claim;
      }
      id = ~claim;
    }
    return id;
  }

  /** Parks until the tick of the id has come and returns true, or false as soon as an id must be claimed anew. */
  private boolean awaitTick(long id) {
    boolean interrupted = false;
    try {
      long beganNs = System.nanoTime();
      long waitNs = handle.waitNs(id, 0);
      while (waitNs > 0) {
        // An interrupted thread cannot be parked, so the status is put aside until the end.
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(this, waitNs);
        waitNs = handle.waitNs(id, System.nanoTime() - beganNs);
      }
      return waitNs == 0;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * The settings of a {@link Generator}. Values are checked by {@link #build()} unless noted. Not thread safe; may be
   * used for several generators.
   */
  public static final class Builder {
    /** What build() tells the native options; the setter that was called last wins. */
    private interface Setting {
      void applyTo(NativeOptions options);
    }

    private Setting worker = options -> {};
    private boolean workerGiven;
    private Object store; // a Store, or the text of a worker, which may be the address of one; null for other workers
    private String layout = "polyflake";
    private final Map<String, Long> numbers = new HashMap<>(); // by the names that all languages share
    private String ordering = "strict";
    private NativeClock clock;

    private Builder() {}

    /**
     * A node id the caller vouches for: no other generator may use it at the same time, on any machine.
     *
     * @param nodeId the node fields of the layout as one number
     * @return this
     */
    public Builder worker(long nodeId) {
      return worker(null, options -> options.setWorkerNumber(nodeId));
    }

    /**
     * A node id the caller vouches for, field by field.
     *
     * @param nodeFields every node field of the layout by name, as integers (not floating point)
     * @return this
     * @throws BadArgumentException {@code field_out_of_range} for a value that is no integer or beyond 64 bits
     */
    public Builder worker(Map<String, ? extends Number> nodeFields) {
      String[] names = Integers.names(nodeFields);
      long[] values = Integers.values(nodeFields);
      return worker(null, options -> options.setWorkerFields(names, values));
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
      Objects.requireNonNull(source, "source");
      return worker(source, options -> options.setWorkerText(source));
    }

    /**
     * A node id from a store that hosts share, over a client of your own.
     *
     * @param store the same for all generators that are to share a node id
     * @return this
     */
    public Builder worker(Store store) {
      return worker(Objects.requireNonNull(store, "store"), options -> {});
    }

    private Builder worker(Object store, Setting setting) {
      workerGiven = true;
      this.store = store;
      worker = setting;
      return this;
    }

    /**
     * The layout of the ids; {@code "polyflake"} if not called.
     *
     * @param textOrPreset as for {@link Layout#of(String)}
     * @return this
     */
    public Builder layout(String textOrPreset) {
      layout = Objects.requireNonNull(textOrPreset, "textOrPreset");
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
      numbers.put("max_wait_ms", toMs("maxWait", maxWait));
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
      numbers.put("max_lead_ms", toMs("maxLead", maxLead));
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
      numbers.put("sequence_spread", sequenceSpread);
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
      this.ordering = Objects.requireNonNull(ordering, "ordering");
      return this;
    }

    /**
     * A clock for tests, instead of the system's. The generator then shares its state with no other one.
     *
     * @param clock a clock
     * @return this
     */
    public Builder clock(ManualClock clock) {
      this.clock = clock.handle;
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
      NativeLibrary.require();
      Keeper keeper = join();
      NativeOptions options = new NativeOptions();
      try {
        applyTo(options);
        if (keeper != null) {
          options.setWorkerLease(keeper.lease());
        }
        Generator generator = new Generator(options, keeper);
        WarningLog.say(Facade.takeWarning());
        keeper = null;
        return generator;
      } finally {
        options.delete();
        if (keeper != null) {
          Keepers.leave(keeper);
        }
      }
    }

    /** The keeper of the lease that the worker asks for, with a window; null for other workers. Blocks: I/O. */
    private Keeper join() {
      Object asked = workerGiven ? store : System.getenv("POLYFLAKE_WORKER");
      boolean isStore = asked instanceof Store;
      if (!isStore && !(asked != null && Facade.isStoreAddress((String) asked))) {
        return null;
      }
      if (clock != null) {
        throw PolyflakeException.refuse("option_invalid",
            "a lease goes by the clocks of this host and its store, not by a manual clock");
      }
      String canonical = new NativeLayout(layout).text();
      Store its = isStore ? (Store) asked : Store.of((String) asked);
      return Keepers.join(asked, canonical, StoreAccess.linkOf(its));
    }

    private void applyTo(NativeOptions options) {
      options.setLayout(layout);
      worker.applyTo(options); // of a store: what its keeper has comes after
      numbers.forEach(options::setNumber);
      options.setOrdering(ordering);
      if (clock != null) {
        options.setClock(clock);
      }
    }

    private static long toMs(String option, Duration duration) {
      try {
        // Not Duration.toMillis(): that makes 0 of the last negative fraction of a millisecond.
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1000L), duration.getNano() / 1_000_000);
      } catch (ArithmeticException e) {
        throw PolyflakeException.refuse("option_invalid", option + " is beyond 64 bits of milliseconds");
      }
    }
  }
}
