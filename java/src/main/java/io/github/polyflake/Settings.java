package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.Keeper;
import io.github.polyflake.internal.Keepers;
import io.github.polyflake.internal.NativeLayout;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeOptions;
import io.github.polyflake.internal.NativeRandomUuids;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.stores.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What the builders of all kinds share. Values are checked when a source is opened. Not thread safe. */
final class Settings {
  /** What is told the native options; the setter that was called last wins. */
  private interface Setting {
    void applyTo(NativeOptions options);
  }

  private final String kind;
  private Setting worker = options -> {};
  private boolean workerGiven;
  private Object store; // a Store, or the text of a worker, which may be the address of one; null for other workers
  private String layout; // null: what the kind has
  private final Map<String, Long> numbers = new HashMap<>(); // by the names that all languages share
  private String ordering = "strict";
  private ManualClock clock;
  private byte[] entropy;

  Settings(String kind) {
    this.kind = kind;
  }

  void worker(long nodeId) {
    worker(null, options -> options.setWorkerNumber(nodeId));
  }

  /** Errors: {@code field_out_of_range} for a value that is no integer or beyond 64 bits. */
  void worker(Map<String, ? extends Number> nodeFields) {
    NodeFields fields = new NodeFields(nodeFields);
    worker(null, options -> options.setWorkerFields(fields.names, fields.values));
  }

  void worker(String source) {
    Objects.requireNonNull(source, "source");
    worker(source, options -> options.setWorkerText(source));
  }

  void worker(Store store) {
    worker(Objects.requireNonNull(store, "store"), options -> {});
  }

  private void worker(Object store, Setting setting) {
    workerGiven = true;
    this.store = store;
    worker = setting;
  }

  void layout(String textOrPreset) {
    layout = Objects.requireNonNull(textOrPreset, "textOrPreset");
  }

  /** Errors: {@code option_invalid} beyond 64 bits of milliseconds. */
  void maxWait(Duration maxWait) {
    number("max_wait_ms", toMs("maxWait", maxWait));
  }

  /** Errors: {@code option_invalid} beyond 64 bits of milliseconds. */
  void maxLead(Duration maxLead) {
    number("max_lead_ms", toMs("maxLead", maxLead));
  }

  void number(String name, long value) {
    numbers.put(name, value);
  }

  void ordering(String ordering) {
    this.ordering = Objects.requireNonNull(ordering, "ordering");
  }

  void clock(ManualClock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  void entropy(byte[] words) {
    entropy = words.clone();
  }

  /** Whether random bits are given, word for word. */
  boolean hasEntropy() {
    return entropy != null;
  }

  /** Opens the positions of the kind, for this source. Blocks: I/O. */
  Positions open(Object source) {
    NativeLibrary.require();
    Keeper keeper = join();
    NativeOptions options = new NativeOptions();
    try {
      applyTo(options);
      if (keeper != null) {
        options.setWorkerLease(keeper.lease());
      }
      Positions positions = new Positions(source, options, keeper);
      WarningLog.say(Facade.takeWarning());
      keeper = null;
      return positions;
    } finally {
      options.delete();
      if (keeper != null) {
        Keepers.leave(keeper);
      }
    }
  }

  /** Opens what has no positions: {@code uuid4}. */
  NativeRandomUuids openRandom() {
    NativeLibrary.require();
    NativeOptions options = new NativeOptions();
    try {
      applyTo(options);
      return new NativeRandomUuids(options);
    } finally {
      options.delete();
    }
  }

  /** The keeper of the lease that the worker asks for, with a window; null for other workers. Blocks: I/O. */
  private Keeper join() {
    boolean byEnvironment = !workerGiven && kind.equals(Kinds.SNOWFLAKE); // others do without a node id
    Object asked = byEnvironment ? System.getenv("POLYFLAKE_WORKER") : store;
    boolean isStore = asked instanceof Store;
    if (!isStore && !(asked != null && Facade.isStoreAddress((String) asked))) {
      return null;
    }
    if (clock != null) {
      throw PolyflakeException.refuse("option_invalid",
          "a lease goes by the clocks of this host and its store, not by a manual clock");
    }
    String canonical = new NativeLayout(layout == null ? "polyflake" : layout).text();
    Store its = isStore ? (Store) asked : Store.of((String) asked);
    return Keepers.join(asked, canonical, StoreAccess.linkOf(its));
  }

  private void applyTo(NativeOptions options) {
    options.setKind(kind);
    if (layout != null) {
      options.setLayout(layout);
    }
    worker.applyTo(options); // of a store: what its keeper has comes after
    numbers.forEach(options::setNumber);
    options.setOrdering(ordering);
    if (clock != null) {
      options.setClock(clock.handle);
    }
    if (entropy != null) {
      options.setEntropy(entropy);
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
