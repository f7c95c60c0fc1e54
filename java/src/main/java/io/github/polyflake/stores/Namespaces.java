package io.github.polyflake.stores;

import io.github.polyflake.Layout;
import io.github.polyflake.Parts;
import io.github.polyflake.internal.NativeCounterList;
import io.github.polyflake.internal.NativeCounterTask;
import io.github.polyflake.internal.NativeTask;
import io.github.polyflake.internal.Refusal;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.internal.Tasks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Operators' functions for a namespace of a store: make it, list the holders of its node ids, raise
 * its floor; make its counters, list and set them. <b>Blocking.</b> All methods do I/O of the
 * store. <b>Thread safety.</b> Any thread.
 */
public final class Namespaces {
  private static final String PLACEHOLDER = "?";
  private static final long PRESENT_PERIOD = 0;

  private Namespaces() {}

  /**
   * Makes the namespace; does nothing if there is already one with this layout. Its first window
   * waits once for windows that may have been lost with an earlier namespace of this name.
   *
   * @param store the store
   * @param layout a text or the name of a preset
   * @return its UUID, 32 hex digits
   * @throws io.github.polyflake.LeaseException {@code layout_mismatch}, {@code store_unavailable},
   *     {@code clock_skew}
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}, and the errors of
   *     {@link Layout#of(String)}
   */
  public static String init(Store store, String layout) {
    return init(store, layout, false);
  }

  /**
   * Makes the namespace; does nothing if there is already one with this layout.
   *
   * @param store the store
   * @param layout a text or the name of a preset
   * @param fresh true: the caller vouches that no namespace of this name ever existed, so its first
   *     window waits for no other
   * @return its UUID, 32 hex digits
   * @throws io.github.polyflake.PolyflakeException the errors of {@link #init(Store, String)}
   */
  public static String init(Store store, String layout, boolean fresh) {
    return init(store, layout, fresh, Replicas.NAMED);
  }

  /** The copies of Redis whose acknowledgements count. */
  public enum Replicas {
    /**
     * The copies that were present when the namespace was made, by their addresses: more than half
     * of them have to acknowledge.
     */
    NAMED,
    /**
     * The copies that are present: more than half of them have to acknowledge. The operator vouches
     * that a demoted primary is never served again.
     */
    FENCED
  }

  /**
   * Makes the namespace; does nothing if there is already one with this layout.
   *
   * @param store the store
   * @param layout a text or the name of a preset
   * @param fresh true: the caller vouches that no namespace of this name ever existed, so its first
   *     window waits for no other
   * @param replicas the copies of Redis that count; {@code FENCED} is {@code option_invalid} for
   *     other stores
   * @return its UUID, 32 hex digits
   * @throws io.github.polyflake.PolyflakeException the errors of {@link #init(Store, String)}
   */
  public static String init(Store store, String layout, boolean fresh, Replicas replicas) {
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(replicas, "replicas");
    return Tasks.carryOut(StoreAccess.linkOf(store), address -> {
      NativeTask task = NativeTask.init(address, layout, PLACEHOLDER, fresh);
      if (replicas == Replicas.FENCED) {
        task.fence();
      }
      return task;
    }).uuid();
  }

  /**
   * Returns the present holders of node ids.
   *
   * @param store the store
   * @param layout a text or the name of a preset
   * @return an unmodifiable list, in order of node id
   * @throws io.github.polyflake.LeaseException {@code namespace_not_initialised},
   *     {@code layout_mismatch}, {@code store_unavailable}
   */
  public static List<LeaseInfo> leases(Store store, String layout) {
    Objects.requireNonNull(layout, "layout");
    NativeTask task =
        Tasks.carryOut(StoreAccess.linkOf(store), address -> NativeTask.leases(address, layout, PLACEHOLDER));
    List<LeaseInfo> all = new ArrayList<>();
    for (long i = 0; i < task.count(); i++) {
      all.add(new LeaseInfo(task.node(i), task.untilMs(i), task.label(i)));
    }
    return Collections.unmodifiableList(all);
  }

  /**
   * Raises the floor, the time before which no window begins. No earlier holder writes again. Use
   * it after a store was restored, before clients are let in, or to move in from another system.
   *
   * <p>If a later floor is recorded already, it remains; to lower it, see
   * {@link #raiseFloor(Store, String, Instant, boolean)}.
   *
   * @param store the store
   * @param layout a text or the name of a preset
   * @param floor the new floor, rounded up to a millisecond
   * @throws io.github.polyflake.PolyflakeException the errors of {@link #leases(Store, String)},
   *     and {@code field_out_of_range} if the floor is outside the time span of the layout
   */
  public static void raiseFloor(Store store, String layout, Instant floor) {
    raiseFloor(store, layout, floor, false);
  }

  /**
   * Raises the floor as {@link #raiseFloor(Store, String, Instant)}, or lowers it. Lowering is the
   * way back after a host with a wild clock has closed the namespace. A lowered floor is at least W
   * + 2S from now: the window, and twice the tolerance.
   *
   * @param store the store
   * @param layout a text or the name of a preset
   * @param floor the new floor, rounded up to a millisecond
   * @param lower true permits a floor earlier than the recorded one
   * @throws io.github.polyflake.PolyflakeException the errors of
   *     {@link #raiseFloor(Store, String, Instant)}
   */
  public static void raiseFloor(Store store, String layout, Instant floor, boolean lower) {
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(floor, "floor");
    long ms = floor.toEpochMilli() + (floor.getNano() % 1_000_000 == 0 ? 0 : 1);
    Tasks.carryOut(StoreAccess.linkOf(store),
        address -> NativeTask.raiseFloor(address, layout, PLACEHOLDER, ms, lower));
  }

  /**
   * Names the copies of Redis of which more than half have to acknowledge from now on, and blocks
   * until all of them have the names. The floor remains, and no earlier holder writes again. The
   * caller vouches that no other server, and no older dump, is ever served as a primary again.
   *
   * @param store a store of Redis
   * @param layout a text or the name of a preset
   * @param copies the address and port of each copy, such as {@code "10.0.0.1:6379"}
   * @throws io.github.polyflake.PolyflakeException the errors of {@link #leases(Store, String)}
   */
  public static void raiseFloor(Store store, String layout, List<String> copies) {
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(copies, "copies");
    long epochMs = Layout.of(layout).epochMs(); // below any floor
    Tasks.carryOut(StoreAccess.linkOf(store), address -> {
      NativeTask task = NativeTask.raiseFloor(address, layout, PLACEHOLDER, epochMs, false);
      task.nameCopies(String.join(",", copies));
      return task;
    });
  }

  /**
   * Raises the floor, as {@link #raiseFloor(Store, String, Instant)}, to the tick after that of an
   * id.
   *
   * @param store the store
   * @param layout a text or the name of a preset
   * @param id the greatest existing id, of this layout
   * @throws io.github.polyflake.PolyflakeException the errors of {@link #leases(Store, String)},
   *     and {@code id_out_of_range}
   */
  public static void raiseFloor(Store store, String layout, long id) {
    Layout its = Layout.of(Objects.requireNonNull(layout, "layout"));
    Parts next = its.decode(its.encodeTick(its.decode(id).tick() + 1, 0, Collections.<String, Long>emptyMap()));
    raiseFloor(store, layout, next.time());
  }

  /**
   * Makes a counter, unless there is already one of this shape; the options have their defaults.
   *
   * @param store the store, whose namespace {@link #init(Store, String)} has made
   * @param name 1 to 64 characters from a-z, 0-9, {@code .}, {@code _} and {@code -}, the first of
   *     them a letter or digit
   * @param after the last number that is taken; the counter begins with the next one
   * @throws io.github.polyflake.PolyflakeException the errors of
   *     {@link #initCounter(Store, String, long, CounterOptions)}
   */
  public static void initCounter(Store store, String name, long after) {
    initCounter(store, name, after, CounterOptions.segment());
  }

  /**
   * Makes a counter, unless there is already one of this shape.
   *
   * @param store the store, whose namespace {@link #init(Store, String)} has made
   * @param name 1 to 64 characters from a-z, 0-9, {@code .}, {@code _} and {@code -}, the first of
   *     them a letter or digit
   * @param after the last number that is taken; the counter begins with the next one. Give the last
   *     number of the table that the counter feeds: if the store were flushed, the counter would
   *     begin there again
   * @param options the kind of the counter, and its options
   * @throws io.github.polyflake.LeaseException {@code namespace_not_initialised},
   *     {@code layout_mismatch} (a counter of another shape), {@code store_unavailable},
   *     {@code store_misconfigured}
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}
   */
  public static void initCounter(Store store, String name, long after, CounterOptions options) {
    initCounter(store, Collections.singletonMap(name, after), options);
  }

  /**
   * Makes each of these counters, unless there is already one of this shape. Nothing is made if an
   * argument is refused.
   *
   * @param store the store, whose namespace {@link #init(Store, String)} has made
   * @param names as in {@link #initCounter(Store, String, long, CounterOptions)}, at least one
   * @param after the last number that is taken, for all of them
   * @param options the kind of the counters, and their options
   * @throws io.github.polyflake.PolyflakeException the errors of
   *     {@link #initCounter(Store, String, long, CounterOptions)}
   */
  public static void initCounter(Store store, List<String> names, long after, CounterOptions options) {
    Objects.requireNonNull(names, "names");
    Map<String, Long> each = new LinkedHashMap<>();
    names.forEach(name -> each.put(name, after));
    initCounter(store, each, options);
  }

  /**
   * Makes each of these counters, unless there is already one of this shape. Nothing is made if an
   * argument is refused.
   *
   * @param store the store, whose namespace {@link #init(Store, String)} has made
   * @param after the last number that is taken, by the name of the counter; at least one
   * @param options the kind of the counters, and their options
   * @throws io.github.polyflake.PolyflakeException the errors of
   *     {@link #initCounter(Store, String, long, CounterOptions)}
   */
  public static void initCounter(Store store, Map<String, Long> after, CounterOptions options) {
    Objects.requireNonNull(after, "after");
    Objects.requireNonNull(options, "options");
    if (after.isEmpty()) {
      throw Refusal.of("option_invalid", "no name of a counter was given");
    }
    List<Tasks.Maker<NativeCounterTask>> makers = new ArrayList<>();
    after.forEach((name, last) -> {
      Objects.requireNonNull(name, "name");
      checkAfter(Objects.requireNonNull(last, "after"));
      makers.add(
          address -> NativeCounterTask.init(address, name, last, options.names(), options.texts(), PLACEHOLDER));
    });
    Tasks.carryOutAll(StoreAccess.linkOf(store), makers);
  }

  /**
   * Sets a counter: its next number is {@code after + 1}, also if that is lower. The caller
   * guarantees that no number above {@code after} was or will be given out. Use it after a store
   * was restored, before clients are let in, and for a counter that is refused with
   * {@code store_went_back}: processes that refused it go on by themselves.
   *
   * @param store the store
   * @param name the name of the counter
   * @param after the last number that is taken
   * @throws io.github.polyflake.PolyflakeException the errors of
   *     {@link #initCounter(Store, String, long, CounterOptions)}
   */
  public static void raiseCounter(Store store, String name, long after) {
    setCounter(store, name, after, PRESENT_PERIOD);
  }

  /**
   * Sets a counter of dates, as {@link #raiseCounter(Store, String, long)}, by a number of a known
   * period.
   *
   * @param store the store
   * @param name the name of the counter
   * @param after the last count that is taken in that period
   * @param period its label, such as 20230414; refused once it is over
   * @throws io.github.polyflake.PolyflakeException the errors of
   *     {@link #initCounter(Store, String, long, CounterOptions)}
   */
  public static void raiseCounter(Store store, String name, long after, long period) {
    if (period <= 0) {
      throw Refusal.of("option_invalid", "period is a label such as 20230414, not " + period);
    }
    setCounter(store, name, after, period);
  }

  private static void setCounter(Store store, String name, long after, long period) {
    Objects.requireNonNull(name, "name");
    checkAfter(after);
    Tasks.carryOut(StoreAccess.linkOf(store),
        address -> NativeCounterTask.set(address, name, after, period, PLACEHOLDER));
  }

  /**
   * Returns the counters of the namespace, and where each would go on after a failover now. Writes
   * nothing.
   *
   * @param store the store
   * @return an unmodifiable list, in order of the names
   * @throws io.github.polyflake.LeaseException {@code namespace_not_initialised},
   *     {@code store_unavailable}
   */
  public static List<CounterState> counters(Store store) {
    NativeCounterList list =
        Tasks.carryOut(StoreAccess.linkOf(store), address -> new NativeCounterList(address, PLACEHOLDER));
    List<CounterState> all = new ArrayList<>();
    for (long i = 0; i < list.count(); i++) {
      all.add(new CounterState(list.texts(i)));
    }
    return Collections.unmodifiableList(all);
  }

  private static void checkAfter(long after) {
    if (after < 0) {
      throw Refusal.of("option_invalid", "after must not be negative, as " + after + " is");
    }
  }
}
