package io.github.polyflake;

import io.github.polyflake.stores.Store;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** The kinds of this library, opened with options that are given by name: those of their builders. */
final class KindSettings {
  private final KindOptions options;
  private final Settings settings;

  private KindSettings(String kind, KindOptions options) {
    this.options = options;
    settings = new Settings(kind);
  }

  static IdSource open(String kind, KindOptions options) {
    Settings settings = new KindSettings(kind, options).taken(kind);
    switch (kind) {
      case Kinds.SNOWFLAKE:
        return new Generator(settings);
      case Kinds.UUID7:
        return new Uuid7Source(settings);
      case Kinds.UUID4:
        return new Uuid4Source(settings);
      case Kinds.OBJECTID:
        return new ObjectIds(settings);
      default:
        throw PolyflakeException.refuse("unknown_kind", "kind " + Integers.quoted(kind) + " is not in this package");
    }
  }

  private Settings taken(String kind) {
    if (kind.equals(Kinds.SNOWFLAKE) || kind.equals(Kinds.UUID7)) {
      worker(options.take("worker"));
      layout(options.take("layout"));
    }
    if (kind.equals(Kinds.SNOWFLAKE)) {
      take("sequenceSpread", Long.class, spread -> settings.number("sequence_spread", spread));
      take("ordering", String.class, settings::ordering);
    } else {
      take("entropy", byte[].class, settings::entropy);
    }
    if (!kind.equals(Kinds.UUID4)) {
      take("maxWait", Duration.class, settings::maxWait);
      take("maxLead", Duration.class, settings::maxLead);
    }
    take("clock", ManualClock.class, settings::clock);
    options.refuseTheRest();
    return settings;
  }

  private <T> void take(String name, Class<T> type, Consumer<T> setter) {
    T value = options.take(name, type);
    if (value != null) {
      setter.accept(value);
    }
  }

  @SuppressWarnings("unchecked") // each value of the map is looked at
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

  private void layout(Object layout) {
    if (layout instanceof String || layout instanceof Layout) {
      settings.layout(layout.toString());
    } else if (layout != null) {
      throw KindOptions.wrongType("layout", layout);
    }
  }
}
