package io.github.polyflake;

import java.util.Optional;

/** A source of ids that are texts, as those of {@link Kinds#objectid()} are. */
public interface TextSource extends IdSource {
  /**
   * Returns the next id.
   *
   * <p><b>Blocking.</b> As the source documents.
   *
   * @return an id
   * @throws StateException {@code generator_closed} after {@link IdSource#close()}
   * @throws ClockException for ObjectIds: {@code clock_before_epoch}, {@code clock_behind} (set
   *     back by more than 24 days), {@code time_exhausted}
   * @throws PolyflakeException for a custom kind, as it documents
   */
  String nextId();

  /**
   * Returns the next id if there is one at once. Never waits.
   *
   * @return an id, or empty if {@link #nextId()} would have waited; then no id is used up
   * @throws PolyflakeException as {@link #nextId()}
   */
  Optional<String> tryNextId();

  /**
   * Returns the ids that as many calls of {@link #nextId()} would have returned.
   *
   * @param count the number of ids
   * @return ids
   * @throws BadArgumentException {@code option_invalid} if the count is negative
   * @throws PolyflakeException as {@link #nextId()}
   */
  String[] nextIds(int count);
}
