package io.github.polyflake.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A counter as sources ask for it: its name, their options, and the shape of one of dates. */
public final class CounterUse {
  private final String name;
  private final Map<String, Long> numbers;
  private final NativeDateNumbers dates; // null for a segment
  private final String zone;

  /** A segment. numbers: options by the names that all languages share. */
  public CounterUse(String name, Map<String, Long> numbers) {
    this(name, numbers, null, null);
  }

  /** A counter of dates. */
  public CounterUse(String name, Map<String, Long> numbers, NativeDateNumbers dates, String zone) {
    this.name = name;
    this.numbers = numbers;
    this.dates = dates;
    this.zone = zone;
  }

  /** Returns what is equal for sources that share the numbers of one store. */
  List<Object> key() {
    return dates == null ? Arrays.asList(name, numbers)
        : Arrays.asList(name, numbers, dates.period(), dates.digits(), zone);
  }

  NativeCounter counter(NativeStoreAddress address) {
    String[] options = numbers.keySet().toArray(new String[0]);
    long[] values = numbers.values().stream().mapToLong(Long::longValue).toArray();
    return dates == null ? new NativeCounter(address, name, options, values, "?")
        : new NativeCounter(address, name, dates, zone, options, values, "?");
  }
}
