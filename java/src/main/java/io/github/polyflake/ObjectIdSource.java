package io.github.polyflake;

import java.time.Instant;

/**
 * A source of MongoDB's 12-byte ids as 24 hexadecimal digits. The ids rise for the life of the
 * process, even if its clock is set back. {@link Kinds#objectid()} begins its settings and
 * documents the guarantees. Drivers accept the text as it is: {@code new ObjectId(ids.nextId())}.
 *
 * <p><b>Blocking.</b> As {@link Generator}: a thread that must wait for the clock is parked.
 */
public interface ObjectIdSource extends TextSource {
  /**
   * Overwrites all bytes with new ids, each 12 bytes, big endian: they sort like the ids. After an
   * exception the contents are unspecified.
   *
   * @param ids the array to overwrite; its length is a multiple of 12
   * @throws BadArgumentException {@code option_invalid} for another length
   * @throws PolyflakeException as {@link #nextId()}
   */
  void fill(byte[] ids);

  /**
   * Returns the parts of an ObjectId from any system.
   *
   * @param id 24 hexadecimal digits in lower case, and no other spelling
   * @return its parts
   * @throws BadArgumentException {@code text_invalid} with its position
   */
  ObjectIdParts decode(String id);

  /**
   * Returns the smallest ObjectId of this second from any system, for range queries: {@code _id >=
   * firstId(from)}.
   *
   * @param time any instant inside the second
   * @return an ObjectId with all other bits 0
   * @throws BadArgumentException {@code field_out_of_range} before 1970 or beyond 32 bits of
   *     seconds
   */
  String firstId(Instant time);

  /**
   * Returns the largest ObjectId of this second from any system, for range queries: {@code _id <=
   * lastId(to)}.
   *
   * @param time any instant inside the second
   * @return an ObjectId with all other bits 1
   * @throws BadArgumentException {@code field_out_of_range} before 1970 or beyond 32 bits of
   *     seconds
   */
  String lastId(Instant time);

  /**
   * Returns the state of this source, for health checks. Issues nothing, never waits, never throws.
   *
   * @return whether it can issue now
   */
  GeneratorState state();
}
