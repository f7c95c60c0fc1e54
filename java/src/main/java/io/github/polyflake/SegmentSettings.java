package io.github.polyflake;

import io.github.polyflake.internal.CounterUse;

/** The settings of a segment. Not thread safe. */
final class SegmentSettings extends CounterSettings {
  SegmentSettings() {
    super(Kinds.SEGMENT);
  }

  /** Opens a source. Blocks: I/O. */
  Segment open() {
    CounterUse use = new CounterUse(name(), numbers());
    return open(use, (options, runner) -> new Segment(name(), options, runner));
  }
}
