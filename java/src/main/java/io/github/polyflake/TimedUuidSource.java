package io.github.polyflake;

import java.time.Instant;
import java.util.UUID;

/**
 * UUIDs of version 7 (RFC 9562), which rise for the life of the process, whatever its clock does. {@link Kinds#uuid7()}
 * opens one and says what ids promise.
 *
 * <p><b>Blocking.</b> As {@link Generator}: a thread that must wait for the clock is parked.
 */
public interface TimedUuidSource extends UuidSource {
  /**
   * Takes an id of this source apart.
   *
   * @param id a UUID of version 7
   * @return its parts
   * @throws BadArgumentException {@code id_out_of_range} (of another version), {@code field_out_of_range} (its time is
   *     outside what the ids of this source can say)
   */
  Uuid7Parts decode(UUID id);

  /**
   * Takes an id of this source apart that is given as text.
   *
   * @param id 8-4-4-4-12 hexadecimal digits in lower case, and no other spelling
   * @return its parts
   * @throws BadArgumentException {@code text_invalid} with its position, and as {@link #decode(UUID)}
   */
  Uuid7Parts decode(String id);

  /**
   * The smallest UUID of version 7 of this millisecond, whatever made it, for range queries: {@code id >= firstId(from)}.
   *
   * @param time any instant inside the millisecond
   * @return a UUID with all other bits 0
   * @throws BadArgumentException {@code field_out_of_range} before 1970 or beyond 48 bits of milliseconds
   */
  UUID firstId(Instant time);

  /**
   * The largest UUID of version 7 of this millisecond, whatever made it, for range queries: {@code id <= lastId(to)}.
   *
   * @param time any instant inside the millisecond
   * @return a UUID with all other bits 1
   * @throws BadArgumentException {@code field_out_of_range} before 1970 or beyond 48 bits of milliseconds
   */
  UUID lastId(Instant time);

  /**
   * The node id of its worker.
   *
   * @return a node id; 0 without a worker
   */
  long worker();

  /**
   * The layout of its positions: of the worker's ids, or the one of UUIDs without a worker.
   *
   * @return a layout
   */
  Layout layout();

  /**
   * Moves the window of its worker on ahead of need, as {@link Generator#renew()} does. Without a worker there is nothing
   * to do.
   *
   * <p><b>Blocking.</b> I/O of files or the store.
   *
   * @throws PolyflakeException as {@link Generator#renew()}
   */
  void renew();

  /**
   * Whether it can issue, for health checks. Issues nothing, never waits, never throws.
   *
   * @return its state now
   */
  GeneratorState state();
}
