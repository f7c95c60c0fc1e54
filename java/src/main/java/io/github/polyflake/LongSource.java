package io.github.polyflake;

import java.util.OptionalLong;

/** A source of ids that are numbers, as {@link Generator} is. */
public interface LongSource extends IdSource {
  /**
   * The next id.
   *
   * <p><b>Blocking.</b> As the source says.
   *
   * @return an id
   * @throws StateException {@code generator_closed} after {@link IdSource#close()}
   * @throws PolyflakeException as {@link Generator#nextId()}; of an own kind what it says
   */
  long nextId();

  /**
   * The next id if there is one at once. Never waits.
   *
   * @return an id, or empty where {@link #nextId()} would have waited; then none is used up
   * @throws PolyflakeException as {@link #nextId()}
   */
  OptionalLong tryNextId();

  /**
   * The ids that as many calls of {@link #nextId()} would have given.
   *
   * @param count how many
   * @return ids
   * @throws BadArgumentException {@code option_invalid} if the count is negative
   * @throws PolyflakeException as {@link #nextId()}
   */
  long[] nextIds(int count);

  /**
   * Overwrites all elements with new ids, as {@link #nextIds(int)} does. After an exception the contents are unspecified.
   *
   * @param ids where they go
   * @throws PolyflakeException as {@link #nextId()}
   */
  void fill(long[] ids);
}
