package io.github.polyflake;

import io.github.polyflake.internal.CounterUse;
import io.github.polyflake.internal.Zones;
import java.util.Objects;

/** The settings of a source of dates. Not thread safe. */
final class DateIdSettings extends CounterSettings {
  private String period = "yyyyMMdd";
  private long digits = 6;
  private String prefix = "";
  private String zone = "+00:00";

  DateIdSettings() {
    super(Kinds.DATE);
    number("step", 1);
  }

  void period(String format) {
    period = Objects.requireNonNull(format, "format");
  }

  void digits(long digits) {
    this.digits = digits;
  }

  void prefix(String prefix) {
    this.prefix = Objects.requireNonNull(prefix, "prefix");
  }

  void zone(String zone) {
    this.zone = Objects.requireNonNull(zone, "zone");
  }

  /** Opens a source. Blocks: I/O. */
  DateIds open() {
    DateNumbers dates = DateNumbers.of(period, digits, prefix);
    CounterUse use = new CounterUse(name(), numbers(), dates.handle, Zones.checked(zone));
    return open(use, (options, runner) -> new DateIds(name(), dates, options, runner));
  }
}
