package io.github.polyflake;

import io.github.polyflake.internal.CounterRunner;
import io.github.polyflake.internal.NativeOptions;

/** The numbers of a counter as they are. */
final class Segment extends CountedSource implements SegmentSource {
  Segment(String counter, NativeOptions options, CounterRunner runner) {
    super(counter, options, runner);
  }

  @Override
  public String kind() {
    return Kinds.SEGMENT;
  }
}
