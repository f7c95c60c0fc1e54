package io.github.polyflake.internal;

import io.github.polyflake.PolyflakeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The leases and counters of this process. */
public final class LeaseRunners {
  /** The longest time in which a DataSource or other client has to tell the kind of its store. */
  private static final long ASKING_MS = 30_000;

  private static final ReentrantLock LOCK = new ReentrantLock(); // monitors pin virtual threads
  /** The runners, by store or its address, and what is needed of it. */
  private static final Map<List<Object>, StoreRunner> RUNNERS = new HashMap<>();
  /** Those that are giving back what is left: the end of the JVM waits for them, too. */
  private static final Set<StoreRunner> CLOSING = new HashSet<>();
  private static boolean hooked;

  private LeaseRunners() {}

  /**
   * Returns the runner for one more generator, by the canonical text of its layout. Blocks until
   * its lease has a window.
   */
  public static LeaseRunner join(Object store, String layout, StoreLink link) {
    return join(LeaseRunner.class, Arrays.asList(store, layout), link,
        address -> new LeaseRunner(address, layout, link));
  }

  /**
   * Returns the runner for one more source with this use of a counter. Blocks until the counter was
   * read.
   */
  public static CounterRunner join(Object store, CounterUse use, StoreLink link) {
    return join(CounterRunner.class, Arrays.asList(store, use.key()), link,
        address -> new CounterRunner(address, use, link));
  }

  private static <T extends StoreRunner> T join(Class<T> type, List<Object> key, StoreLink link,
      Function<NativeStoreAddress, T> make) {
    NativeStoreAddress address = addressOf(link);
    T runner;
    LOCK.lock();
    try {
      runner = type.cast(RUNNERS.get(key)); // a layout is a text, a counter is a list
      if (runner == null || runner.isOver()) {
        runner = make.apply(address);
        runner.start();
        RUNNERS.put(key, runner);
        addHook();
      }
      runner.users++;
    } finally {
      LOCK.unlock();
    }
    try {
      runner.awaitGrant();
    } catch (RuntimeException | Error e) {
      leave(runner);
      throw e;
    }
    return runner;
  }

  /** One source less. The last one gives back what is left: blocks, at most half a second. */
  public static void leave(StoreRunner runner) {
    LOCK.lock();
    try {
      if (--runner.users > 0) {
        return;
      }
      RUNNERS.values().remove(runner);
      CLOSING.add(runner);
    } finally {
      LOCK.unlock();
    }
    try {
      runner.close();
    } finally {
      LOCK.lock();
      CLOSING.remove(runner);
      LOCK.unlock();
    }
  }

  /** Returns the address of the store. Errors: store_unavailable. */
  static NativeStoreAddress addressOf(StoreLink link) {
    try {
      return Waiting.ofCall(link::address, ASKING_MS);
    } catch (PolyflakeException e) {
      throw e;
    } catch (Throwable e) { // of any client
      LinkageError unlinked = StoreFailure.linkageErrorOf(e);
      if (unlinked != null) {
        throw Refusal.of("option_invalid", link.complaint(unlinked), unlinked);
      }
      StoreFailure failure = StoreFailure.of(link, e);
      String reason = Facade.storeFailure(failure.words, failure.code);
      throw Refusal.of("store_unavailable", link.shown() + ": " + reason);
    }
  }

  private static void addHook() {
    if (hooked) {
      return;
    }
    hooked = true;
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(LeaseRunners::releaseAll, "polyflake-release"));
    } catch (IllegalStateException e) {
      // The JVM is ending already.
    }
  }

  private static void releaseAll() {
    List<CompletableFuture<String>> released = new ArrayList<>();
    LOCK.lock();
    try {
      RUNNERS.values().forEach(runner -> released.add(runner.release()));
      CLOSING.forEach(runner -> released.add(runner.release()));
    } finally {
      LOCK.unlock();
    }
    try {
      Waiting.of(CompletableFuture.allOf(released.toArray(new CompletableFuture<?>[0])), StoreRunner.closingMs);
    } catch (TimeoutException | RuntimeException e) {
      // Windows end by themselves; numbers are left out.
    }
  }
}
