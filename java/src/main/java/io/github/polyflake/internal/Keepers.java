package io.github.polyflake.internal;

import io.github.polyflake.PolyflakeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/** The leases of this process. */
public final class Keepers {
  /** How long a DataSource or another client may take to say what kind of store it leads to. */
  private static final long ASKING_MS = 30_000;

  private static final ReentrantLock LOCK = new ReentrantLock(); // a monitor would pin virtual threads
  /** By what was asked for: a store or its address, and the canonical text of the layout. */
  private static final Map<List<Object>, Keeper> KEEPERS = new HashMap<>();
  private static boolean hooked;

  private Keepers() {}

  /** The keeper for one more generator. Blocks until its lease has a window. */
  public static Keeper join(Object store, String layout, StoreLink link) {
    List<Object> key = Arrays.asList(store, layout);
    NativeStoreAddress address = addressOf(link);
    Keeper keeper;
    LOCK.lock();
    try {
      keeper = KEEPERS.get(key);
      if (keeper == null || keeper.isOver()) {
        keeper = new Keeper(address, layout, link);
        KEEPERS.put(key, keeper);
        addHook();
      }
      keeper.users++;
    } finally {
      LOCK.unlock();
    }
    try {
      keeper.awaitWindow();
    } catch (RuntimeException | Error e) {
      leave(keeper);
      throw e;
    }
    return keeper;
  }

  /** One generator less. The last one gives the node id back: blocks, at most half a second. */
  public static void leave(Keeper keeper) {
    LOCK.lock();
    try {
      if (--keeper.users > 0) {
        return;
      }
      KEEPERS.values().remove(keeper);
    } finally {
      LOCK.unlock();
    }
    keeper.close();
  }

  /** The address, or {@code store_unavailable}. */
  static NativeStoreAddress addressOf(StoreLink link) {
    try {
      return Waiting.ofCall(link::address, ASKING_MS);
    } catch (PolyflakeException e) {
      throw e;
    } catch (Throwable e) { // of whatever client it is, a missing class included
      throw Refusal.of("store_unavailable", Trouble.of(link, e).words);
    }
  }

  private static void addHook() {
    if (hooked) {
      return;
    }
    hooked = true;
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(Keepers::releaseAll, "polyflake-release"));
    } catch (IllegalStateException e) {
      // The JVM is ending already.
    }
  }

  private static void releaseAll() {
    List<CompletableFuture<String>> released = new ArrayList<>();
    LOCK.lock();
    try {
      KEEPERS.values().forEach(keeper -> released.add(keeper.release()));
    } finally {
      LOCK.unlock();
    }
    try {
      Waiting.of(CompletableFuture.allOf(released.toArray(new CompletableFuture<?>[0])), Keeper.closingMs);
    } catch (TimeoutException | RuntimeException e) {
      // Windows end by themselves.
    }
  }
}
