package io.github.polyflake;

import java.util.OptionalLong;

/** A source of ids that are numbers, as {@link Generator} is. */
public interface LongSource extends IdSource {
  /**
   * Returns the next id.
   *
   * <p><b>Blocking.</b> As the source documents.
   *
   * @return an id
   * @throws StateException {@code generator_closed} after {@link IdSource#close()}
   * @throws PolyflakeException as {@link Generator#nextId()}; for a custom kind, as it documents
   */
  long nextId();

  /**
   * Returns the next id if there is one at once. Never waits.
   *
   * @return an id, or empty if {@link #nextId()} would have waited; then no id is used up
   * @throws PolyflakeException as {@link #nextId()}
   */
  OptionalLong tryNextId();

  /**
   * Returns the ids that as many calls of {@link #nextId()} would have returned.
   *
   * @param count the number of ids
   * @return ids
   * @throws BadArgumentException {@code option_invalid} if the count is negative
   * @throws PolyflakeException as {@link #nextId()}
   */
  long[] nextIds(int count);

  /**
   * Overwrites all elements with new ids, as {@link #nextIds(int)} does. After an exception the
   * contents are unspecified.
   *
   * @param ids the array to overwrite
   * @throws PolyflakeException as {@link #nextId()}
   */
  void fill(long[] ids);
}
