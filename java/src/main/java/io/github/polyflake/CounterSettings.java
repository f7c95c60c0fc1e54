package io.github.polyflake;

import io.github.polyflake.internal.CounterRunner;
import io.github.polyflake.internal.CounterUse;
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
import java.util.function.BiFunction;

/**
 * The common settings of the kinds whose ids are numbers of a counter. Values are checked when a
 * source is opened. Not thread safe.
 */
class CounterSettings {
  private final String kind;
  /** A Store, or the address of one. */
  private Object store;
  private String name;
  /** By the names that all languages share. */
  private final Map<String, Long> numbers = new TreeMap<>();

  CounterSettings(String kind) {
    this.kind = kind;
  }

  final void store(String url) {
    store = Objects.requireNonNull(url, "url");
  }

  final void store(Store store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  final void name(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  final void number(String option, long value) {
    numbers.put(option, value);
  }

  /** Returns the name of the counter. Errors: {@code option_invalid} if it is not set. */
  final String name() {
    if (name == null) {
      throw PolyflakeException.refuse("option_invalid", "kind '" + kind + "' needs the name of a counter");
    }
    return name;
  }

  /** Returns a copy. */
  final Map<String, Long> numbers() {
    return new TreeMap<>(numbers);
  }

  /** Opens the source that is made of the counter. Blocks: I/O. */
  final <T> T open(CounterUse use, BiFunction<NativeOptions, CounterRunner, T> maker) {
    NativeLibrary.require();
    Store its = itsStore();
    CounterRunner runner = LeaseRunners.join(store, use, StoreAccess.linkOf(its));
    NativeOptions options = new NativeOptions();
    try {
      options.setKind(kind);
      options.setCounter(runner.counter());
      T source = maker.apply(options, runner);
      WarningLog.say(Facade.takeWarning());
      runner = null;
      return source;
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
      throw PolyflakeException.refuse("option_invalid", "kind '" + kind
          + "' needs a store: its address, such as \"redis://host/0?namespace=orders\", or a Store");
    }
    return Stores.of((String) store);
  }
}
