package io.github.polyflake;

import java.util.Optional;

/** A source of ids that are texts, as those of {@link Kinds#objectid()} are. */
public interface TextSource extends IdSource {
  /**
   * The next id.
   *
   * <p><b>Blocking.</b> As the source says.
   *
   * @return an id
   * @throws StateException {@code generator_closed} after {@link IdSource#close()}
   * @throws ClockException of ObjectIds: {@code clock_before_epoch}, {@code clock_behind} (set back by more than 24 days),
   *     {@code time_exhausted}
   * @throws PolyflakeException of an own kind what it says
   */
  String nextId();

  /**
   * The next id if there is one at once. Never waits.
   *
   * @return an id, or empty where {@link #nextId()} would have waited; then none is used up
   * @throws PolyflakeException as {@link #nextId()}
   */
  Optional<String> tryNextId();

  /**
   * The ids that as many calls of {@link #nextId()} would have given.
   *
   * @param count how many
   * @return ids
   * @throws BadArgumentException {@code option_invalid} if the count is negative
   * @throws PolyflakeException as {@link #nextId()}
   */
  String[] nextIds(int count);
}
