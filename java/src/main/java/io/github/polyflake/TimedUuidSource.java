package io.github.polyflake;

import java.time.Instant;
import java.util.UUID;

/**
 * A source of UUIDs of version 7 (RFC 9562). The ids rise for the life of the process, even if its
 * clock is set back. {@link Kinds#uuid7()} begins its settings and documents the guarantees.
 *
 * <p><b>Blocking.</b> As {@link Generator}: a thread that must wait for the clock is parked.
 */
public interface TimedUuidSource extends UuidSource {
  /**
   * Returns the parts of an id of this source.
   *
   * @param id a UUID of version 7
   * @return its parts
   * @throws BadArgumentException {@code id_out_of_range} (the version is not 7),
   *     {@code field_out_of_range} (its time is outside the layout of this source)
   */
  Uuid7Parts decode(UUID id);

  /**
   * Returns the parts of an id of this source that is given as text.
   *
   * @param id 8-4-4-4-12 hexadecimal digits in lower case, and no other spelling
   * @return its parts
   * @throws BadArgumentException {@code text_invalid} with its position, and as
   *     {@link #decode(UUID)}
   */
  Uuid7Parts decode(String id);

  /**
   * Returns the smallest UUID of version 7 of this millisecond from any system, for range
   * queries: {@code id >= firstId(from)}.
   *
   * @param time any instant inside the millisecond
   * @return a UUID with all other bits 0
   * @throws BadArgumentException {@code field_out_of_range} before 1970 or beyond 48 bits of
   *     milliseconds
   */
  UUID firstId(Instant time);

  /**
   * Returns the largest UUID of version 7 of this millisecond from any system, for range queries:
   * {@code id <= lastId(to)}.
   *
   * @param time any instant inside the millisecond
   * @return a UUID with all other bits 1
   * @throws BadArgumentException {@code field_out_of_range} before 1970 or beyond 48 bits of
   *     milliseconds
   */
  UUID lastId(Instant time);

  /**
   * Returns the node id of its worker.
   *
   * @return a node id; 0 without a worker
   */
  long worker();

  /**
   * Returns the layout of its positions: that of the worker's ids, or that of UUIDs without a
   * worker.
   *
   * @return a layout
   */
  Layout layout();

  /**
   * Extends the window of its worker ahead of need, as {@link Generator#renew()} does. Does nothing
   * without a worker.
   *
   * <p><b>Blocking.</b> Does I/O on files or with the store.
   *
   * @throws PolyflakeException as {@link Generator#renew()}
   */
  void renew();

  /**
   * Returns the state of this source, for health checks. Issues nothing, never waits, never throws.
   *
   * @return whether it can issue now
   */
  GeneratorState state();
}
