package io.github.polyflake;

import java.util.Optional;
import java.util.UUID;

/**
 * A source of UUIDs: version 4 of {@link Kinds#uuid4()}, version 7 of {@link Kinds#uuid7()}.
 *
 * <p>UUIDs sort by their bytes and by their texts. {@link UUID#compareTo(UUID)} compares two signed
 * halves, so its order differs as soon as the highest bits differ: for version 7, from the year
 * 6429 on.
 */
public interface UuidSource extends IdSource {
  /**
   * Returns the next id.
   *
   * <p><b>Blocking.</b> As the source documents.
   *
   * @return an id
   * @throws StateException {@code generator_closed} after {@link IdSource#close()}
   * @throws WorkerException {@code registry_unusable} (the operating system has no random bits)
   * @throws ClockException for version 7: {@code clock_before_epoch}, {@code clock_behind} (set
   *     back by more than 24 days), {@code time_exhausted}
   * @throws PolyflakeException with a worker as {@link Generator#nextId()}; for a custom kind, as
   *     it documents
   */
  UUID nextId();

  /**
   * Returns the next id if there is one at once. Never waits.
   *
   * @return an id, or empty if {@link #nextId()} would have waited; then no id is used up
   * @throws PolyflakeException as {@link #nextId()}
   */
  Optional<UUID> tryNextId();

  /**
   * Returns the ids that as many calls of {@link #nextId()} would have returned, at a fraction of
   * their cost.
   *
   * @param count the number of ids
   * @return ids
   * @throws BadArgumentException {@code option_invalid} if the count is negative
   * @throws PolyflakeException as {@link #nextId()}
   */
  UUID[] nextIds(int count);

  /**
   * Overwrites all bytes with new ids, each 16 bytes, big endian: they sort like the ids. After an
   * exception the contents are unspecified.
   *
   * @param ids the array to overwrite; its length is a multiple of 16
   * @throws BadArgumentException {@code option_invalid} for another length
   * @throws PolyflakeException as {@link #nextId()}
   */
  void fill(byte[] ids);
}
