package io.github.polyflake;

import io.github.polyflake.internal.CounterRunner;
import io.github.polyflake.internal.NativeOptions;

/** The numbers of a counter of dates. */
final class DateIds extends CountedSource implements DateIdSource {
  private final DateNumbers numbers;

  DateIds(String counter, DateNumbers numbers, NativeOptions options, CounterRunner runner) {
    super(counter, options, runner);
    this.numbers = numbers;
  }

  @Override
  public String kind() {
    return Kinds.DATE;
  }

  @Override
  public String nextIdString() {
    return numbers.text(nextId());
  }

  @Override
  public DateNumbers numbers() {
    return numbers;
  }
}
