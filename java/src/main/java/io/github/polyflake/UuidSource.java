package io.github.polyflake;

import java.util.Optional;
import java.util.UUID;

/**
 * A source of UUIDs: version 4 of {@link Kinds#uuid4()}, version 7 of {@link Kinds#uuid7()}.
 *
 * <p>They sort by their bytes and their texts. {@link UUID#compareTo(UUID)} compares two signed halves, which puts them in
 * another order as soon as the highest bits differ: in those of version 7, from the year 6429 on.
 */
public interface UuidSource extends IdSource {
  /**
   * The next id.
   *
   * <p><b>Blocking.</b> As the source says.
   *
   * @return an id
   * @throws StateException {@code generator_closed} after {@link IdSource#close()}
   * @throws WorkerException {@code registry_unusable} (the operating system has no random bits)
   * @throws ClockException of version 7: {@code clock_before_epoch}, {@code clock_behind} (set back by more than 24 days),
   *     {@code time_exhausted}
   * @throws PolyflakeException with a worker as {@link Generator#nextId()}; of an own kind what it says
   */
  UUID nextId();

  /**
   * The next id if there is one at once. Never waits.
   *
   * @return an id, or empty where {@link #nextId()} would have waited; then none is used up
   * @throws PolyflakeException as {@link #nextId()}
   */
  Optional<UUID> tryNextId();

  /**
   * The ids that as many calls of {@link #nextId()} would have given, at a fraction of their cost.
   *
   * @param count how many
   * @return ids
   * @throws BadArgumentException {@code option_invalid} if the count is negative
   * @throws PolyflakeException as {@link #nextId()}
   */
  UUID[] nextIds(int count);

  /**
   * Overwrites all bytes with new ids, each 16 bytes, big endian: they sort like the ids. After an exception the contents
   * are unspecified.
   *
   * @param ids where they go; its length is a multiple of 16
   * @throws BadArgumentException {@code option_invalid} for another length
   * @throws PolyflakeException as {@link #nextId()}
   */
  void fill(byte[] ids);
}
