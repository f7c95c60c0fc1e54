package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.stores.Store;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/** The settings of a kind of this library from options by name: the methods of its builder. */
final class KindSettings {
  private final String kind;
  private final KindOptions options;
  private final Settings settings;

  KindSettings(String kind, KindOptions options) {
    this.kind = kind;
    this.options = options;
    settings = new Settings(kind);
  }

  /** Takes a worker and its layout. */
  KindSettings worker() {
    worker(options.take("worker"));
    layout(options.take("layout"));
    return this;
  }

  KindSettings ordering() {
    take("ordering", String.class, settings::ordering);
    return this;
  }

  KindSettings entropy() {
    take("entropy", byte[].class, settings::entropy);
    return this;
  }

  /** Takes the options that every kind has. Errors: {@code option_invalid} if one is left over. */
  Settings all() {
    for (String option : Facade.numberOptionsOf(kind)) {
      takeNumber(option, settings::number);
    }
    take("clock", ManualClock.class, settings::clock);
    options.refuseTheRest();
    return settings;
  }

  /** Takes the options of a segment. Errors: {@code option_invalid} if one is left over. */
  SegmentSettings ofSegment() {
    SegmentSettings segment = new SegmentSettings();
    counter(segment, Facade.counterNumberOptions());
    options.refuseTheRest();
    return segment;
  }

  /** Takes the options of a date. Errors: {@code option_invalid} if one is left over. */
  DateIdSettings ofDate() {
    DateIdSettings date = new DateIdSettings();
    counter(date, "step", "timeout_ms");
    take("prefix", String.class, date::prefix);
    take("period", String.class, date::period);
    take("digits", Long.class, date::digits);
    take("zone", String.class, date::zone);
    options.refuseTheRest();
    return date;
  }

  /** Takes the options of tickets. Errors: {@code option_invalid} if one is left over. */
  TicketSettings ofTicket() {
    TicketSettings ticket = new TicketSettings();
    Object store = options.take("store");
    if (store != null) {
      ticket.stores(store instanceof List ? (List<?>) store : Collections.singletonList(store));
    }
    take("table", String.class, ticket::table);
    take("timeout", Duration.class, timeout -> ticket.timeoutMs(Settings.toMs("timeout", timeout)));
    options.refuseTheRest();
    return ticket;
  }

  private void counter(CounterSettings counter, String... numbers) {
    store(options.take("store"), counter);
    take("name", String.class, counter::name);
    for (String option : numbers) {
      takeNumber(option, counter::number);
    }
  }

  private void takeNumber(String option, ObjLongConsumer<String> setter) {
    String name = Facade.spelledForBuilder(option);
    if (option.endsWith("_ms")) {
      take(name, Duration.class, time -> setter.accept(option, Settings.toMs(name, time)));
    } else {
      take(name, Long.class, number -> setter.accept(option, number));
    }
  }

  private <T> void take(String name, Class<T> type, Consumer<T> setter) {
    T value = options.take(name, type);
    if (value != null) {
      setter.accept(value);
    }
  }

  @SuppressWarnings("unchecked") // each value of the map is checked
  private void worker(Object worker) {
    if (worker instanceof Store) {
      settings.worker((Store) worker);
    } else if (worker instanceof String) {
      settings.worker((String) worker);
    } else if (worker instanceof Map) {
      settings.worker((Map<String, ? extends Number>) worker);
    } else if (worker instanceof Long || worker instanceof Integer || worker instanceof Short
        || worker instanceof Byte) {
      settings.worker(((Number) worker).longValue());
    } else if (worker != null) {
      throw KindOptions.wrongType("worker", worker);
    }
  }

  private static void store(Object store, CounterSettings counter) {
    if (store instanceof Store) {
      counter.store((Store) store);
    } else if (store instanceof String) {
      counter.store((String) store);
    } else if (store != null) {
      throw KindOptions.wrongType("store", store);
    }
  }

  private void layout(Object layout) {
    if (layout instanceof String || layout instanceof Layout) {
      settings.layout(layout.toString());
    } else if (layout != null) {
      throw KindOptions.wrongType("layout", layout);
    }
  }
}
