package io.github.polyflake.stores;

import io.github.polyflake.Layout;
import io.github.polyflake.Parts;
import io.github.polyflake.internal.NativeTask;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.internal.Tasks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * What operators do with namespaces. <b>Blocking.</b> All methods do I/O of the store. <b>Thread safety.</b> Any thread.
 */
public final class Namespaces {
  private static final String PLACEHOLDER = "?";

  private Namespaces() {}

  /**
   * Makes the namespace. Does nothing if there is one of this layout. Its first window waits for any that might have been
   * lost with an earlier one of its name.
   *
   * @param store the store
   * @param layout a text or preset
   * @return its uuid, 32 hex digits
   * @throws io.github.polyflake.LeaseException {@code layout_mismatch}, {@code store_unavailable}, {@code clock_skew}
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}, and those of {@link Layout#of(String)}
   */
  public static String init(Store store, String layout) {
    return init(store, layout, false);
  }

  /**
   * Makes the namespace. Does nothing if there is one of this layout.
   *
   * @param store the store
   * @param layout a text or preset
   * @param fresh vouches that none of its name ever was: nothing is waited for
   * @return its uuid, 32 hex digits
   * @throws io.github.polyflake.PolyflakeException as {@link #init(Store, String)}
   */
  public static String init(Store store, String layout, boolean fresh) {
    return init(store, layout, fresh, Replicas.NAMED);
  }

  /** The copies of Redis whose acknowledgements count. */
  public enum Replicas {
    /** More than half of the copies that were there when the namespace was made, by their addresses. */
    NAMED,
    /** More than half of those that are there; an operator vouches that a demoted primary is never served again. */
    FENCED
  }

  /**
   * Makes the namespace. Does nothing if there is one of this layout.
   *
   * @param store the store
   * @param layout a text or preset
   * @param fresh vouches that none of its name ever was: nothing is waited for
   * @param replicas which copies of Redis count; {@code FENCED} is {@code option_invalid} for other stores
   * @return its uuid, 32 hex digits
   * @throws io.github.polyflake.PolyflakeException as {@link #init(Store, String)}
   */
  public static String init(Store store, String layout, boolean fresh, Replicas replicas) {
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
   * Who holds node ids now.
   *
   * @param store the store
   * @param layout a text or preset
   * @return in the order of node ids; unmodifiable
   * @throws io.github.polyflake.LeaseException {@code namespace_not_initialised}, {@code layout_mismatch},
   *     {@code store_unavailable}
   */
  public static List<LeaseInfo> leases(Store store, String layout) {
    NativeTask task =
        Tasks.carryOut(StoreAccess.linkOf(store), address -> NativeTask.leases(address, layout, PLACEHOLDER));
    List<LeaseInfo> all = new ArrayList<>();
    for (long i = 0; i < task.count(); i++) {
      all.add(new LeaseInfo(task.node(i), task.untilMs(i), task.label(i)));
    }
    return Collections.unmodifiableList(all);
  }

  /**
   * No window begins before this time any more, and nobody who held one writes again. After a store was restored, before
   * clients are let in; or to move in from another system. A floor that is recorded later stays: see
   * {@link #raiseFloor(Store, String, Instant, boolean)}.
   *
   * @param store the store
   * @param layout a text or preset
   * @param floor an instant
   * @throws io.github.polyflake.PolyflakeException as {@link #leases(Store, String)}, and {@code field_out_of_range} where
   *     that is no time of the layout
   */
  public static void raiseFloor(Store store, String layout, Instant floor) {
    raiseFloor(store, layout, floor, false);
  }

  /**
   * As {@link #raiseFloor(Store, String, Instant)}; with {@code lower} an earlier floor than the recorded one is written,
   * too, at least W + 2S from now: the way back after a host with a wild clock has closed the namespace.
   *
   * @param store the store
   * @param layout a text or preset
   * @param floor an instant
   * @param lower whether the recorded floor may be later
   * @throws io.github.polyflake.PolyflakeException as {@link #raiseFloor(Store, String, Instant)}
   */
  public static void raiseFloor(Store store, String layout, Instant floor, boolean lower) {
    long ms = floor.toEpochMilli() + (floor.getNano() % 1_000_000 == 0 ? 0 : 1);
    Tasks.carryOut(StoreAccess.linkOf(store),
        address -> NativeTask.raiseFloor(address, layout, PLACEHOLDER, ms, lower));
  }

  /**
   * Names the copies of Redis whose majority counts from now on, and returns once all of them have it. The floor stays,
   * and no holder of before writes again. The caller vouches that no other server, and no older dump, is ever served as a
   * primary again.
   *
   * @param store the store, of Redis
   * @param layout a text or preset
   * @param copies the address and port of each, such as {@code "10.0.0.1:6379"}
   * @throws io.github.polyflake.PolyflakeException as {@link #leases(Store, String)}
   */
  public static void raiseFloor(Store store, String layout, List<String> copies) {
    long epochMs = Layout.of(layout).epochMs(); // below any floor
    Tasks.carryOut(StoreAccess.linkOf(store), address -> {
      NativeTask task = NativeTask.raiseFloor(address, layout, PLACEHOLDER, epochMs, false);
      task.nameCopies(String.join(",", copies));
      return task;
    });
  }

  /**
   * As {@link #raiseFloor(Store, String, Instant)} to the tick after that of an existing id.
   *
   * @param store the store
   * @param layout a text or preset
   * @param id the greatest there is, of this layout
   * @throws io.github.polyflake.PolyflakeException as {@link #leases(Store, String)}, and {@code id_out_of_range}
   */
  public static void raiseFloor(Store store, String layout, long id) {
    Layout its = Layout.of(layout);
    Parts next = its.decode(its.encodeTick(its.decode(id).tick() + 1, 0, Collections.<String, Long>emptyMap()));
    raiseFloor(store, layout, next.time());
  }
}
