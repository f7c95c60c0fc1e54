package io.github.polyflake;

import io.github.polyflake.internal.WarningLog;
import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.LeaseRunner;
import io.github.polyflake.internal.LeaseRunners;
import io.github.polyflake.internal.NativeFreeSource;
import io.github.polyflake.internal.NativeLayout;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeOptions;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The common part of all builders. Values are checked when a source is opened. Not thread safe. */
final class Settings {
  /** Sets the worker of the native options; the setter that was called last wins. */
  private interface Setting {
    void applyTo(NativeOptions options);
  }

  private final String kind;
  private Setting worker = options -> {};
  private boolean workerGiven;
  /** A Store, or the text of a worker, which may be the address of one; null for other workers. */
  private Object store;
  private String layout; // null: that of the kind
  /** By the names that all languages share. */
  private final Map<String, Long> numbers = new HashMap<>();
  private String ordering = "strict";
  private ManualClock clock;
  private byte[] entropy;

  Settings(String kind) {
    this.kind = kind;
  }

  void worker(long nodeId) {
    worker(null, options -> options.setWorkerNumber(nodeId));
  }

  /** Errors: {@code field_out_of_range} for a value that is not an integer or beyond 64 bits. */
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

  /** True if the random bits are given, word for word. */
  boolean hasEntropy() {
    return entropy != null;
  }

  /** Opens the positions of the kind, for this source. Blocks: I/O. */
  Positions open(Object source) {
    NativeLibrary.require();
    LeaseRunner runner = join();
    NativeOptions options = new NativeOptions();
    try {
      applyTo(options);
      if (runner != null) {
        options.setWorkerLease(runner.lease());
      }
      Positions positions = new Positions(source, options, runner);
      WarningLog.say(Facade.takeWarning());
      runner = null;
      return positions;
    } finally {
      options.delete();
      if (runner != null) {
        LeaseRunners.leave(runner);
      }
    }
  }

  /** Opens a source without positions. */
  NativeFreeSource openFree() {
    NativeLibrary.require();
    NativeOptions options = new NativeOptions();
    try {
      applyTo(options);
      return new NativeFreeSource(options);
    } finally {
      options.delete();
    }
  }

  /**
   * Returns the runner of the lease that the worker asks for, with a window; null for other
   * workers. Blocks: I/O.
   */
  private LeaseRunner join() {
    // Other kinds do without a node id.
    boolean byEnvironment = !workerGiven && kind.equals(Kinds.SNOWFLAKE);
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
    Store its = isStore ? (Store) asked : Stores.of((String) asked);
    return LeaseRunners.join(asked, canonical, StoreAccess.linkOf(its));
  }

  private void applyTo(NativeOptions options) {
    options.setKind(kind);
    if (layout != null) {
      options.setLayout(layout);
    }
    worker.applyTo(options); // of a store: what its runner has comes after
    numbers.forEach(options::setNumber);
    options.setOrdering(ordering);
    if (clock != null) {
      options.setClock(clock.handle);
    }
    if (entropy != null) {
      options.setEntropy(entropy);
    }
  }

  static long toMs(String option, Duration duration) {
    try {
      // Not Duration.toMillis(): that makes 0 of the last negative fraction of a millisecond.
      return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1000L), duration.getNano() / 1_000_000);
    } catch (ArithmeticException e) {
      throw PolyflakeException.refuse("option_invalid", option + " is beyond 64 bits of milliseconds");
    }
  }
}
