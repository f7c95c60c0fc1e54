package io.github.polyflake;

import io.github.polyflake.internal.CounterRunner;
import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.LeaseRunners;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeOptions;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.internal.WarningLog;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The settings of a segment. Values are checked when a source is opened. Not thread safe. */
final class SegmentSettings {
  /** A Store, or the address of one. */
  private Object store;
  private String name;
  /** By the names that all languages share. */
  private final Map<String, Long> numbers = new TreeMap<>();

  void store(String url) {
    store = Objects.requireNonNull(url, "url");
  }

  void store(Store store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  void name(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  void number(String option, long value) {
    numbers.put(option, value);
  }

  /** Opens a source. Blocks: I/O. */
  Segment open() {
    NativeLibrary.require();
    Store its = itsStore();
    if (name == null) {
      throw PolyflakeException.refuse("option_invalid", "kind 'segment' needs the name of a counter");
    }
    CounterRunner runner = LeaseRunners.join(store, name, new TreeMap<>(numbers), StoreAccess.linkOf(its));
    NativeOptions options = new NativeOptions();
    try {
      options.setKind(Kinds.SEGMENT);
      options.setCounter(runner.counter());
      Segment segment = new Segment(name, options, runner);
      WarningLog.say(Facade.takeWarning());
      runner = null;
      return segment;
    } finally {
      options.delete();
      if (runner != null) {
        LeaseRunners.leave(runner);
      }
    }
  }

  private Store itsStore() {
    if (store instanceof Store) {
      return (Store) store;
    }
    if (store == null || !Facade.isStoreAddress((String) store)) {
      throw PolyflakeException.refuse("option_invalid",
          "kind 'segment' needs a store: its address, such as \"redis://host/0?namespace=orders\", or a Store");
    }
    return Stores.of((String) store);
  }
}
