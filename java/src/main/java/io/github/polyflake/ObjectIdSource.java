package io.github.polyflake;

import java.time.Instant;

/**
 * MongoDB's 12-byte ids as their 24 hexadecimal digits, which rise for the life of the process, whatever its clock does.
 * {@link Kinds#objectid()} opens one and says what ids promise. Drivers take the text as it is:
 * {@code new ObjectId(ids.nextId())}.
 *
 * <p><b>Blocking.</b> As {@link Generator}: a thread that must wait for the clock is parked.
 */
public interface ObjectIdSource extends TextSource {
  /**
   * Overwrites all bytes with new ids, each 12 bytes, big endian: they sort like the ids. After an exception the contents
   * are unspecified.
   *
   * @param ids where they go; its length is a multiple of 12
   * @throws BadArgumentException {@code option_invalid} for another length
   * @throws PolyflakeException as {@link #nextId()}
   */
  void fill(byte[] ids);

  /**
   * Takes an ObjectId apart, whatever made it.
   *
   * @param id 24 hexadecimal digits in lower case, and no other spelling
   * @return its parts
   * @throws BadArgumentException {@code text_invalid} with its position
   */
  ObjectIdParts decode(String id);

  /**
   * The smallest ObjectId of this second, whatever made it, for range queries: {@code _id >= firstId(from)}.
   *
   * @param time any instant inside the second
   * @return an ObjectId with all other bits 0
   * @throws BadArgumentException {@code field_out_of_range} before 1970 or beyond 32 bits of seconds
   */
  String firstId(Instant time);

  /**
   * The largest ObjectId of this second, whatever made it, for range queries: {@code _id <= lastId(to)}.
   *
   * @param time any instant inside the second
   * @return an ObjectId with all other bits 1
   * @throws BadArgumentException {@code field_out_of_range} before 1970 or beyond 32 bits of seconds
   */
  String lastId(Instant time);

  /**
   * Whether it can issue, for health checks. Issues nothing, never waits, never throws.
   *
   * @return its state now
   */
  GeneratorState state();
}
