package io.github.polyflake;

/**
 * A source of numbers that begin with the date. {@link Kinds#date()} begins its settings and
 * documents the guarantees.
 *
 * <p><b>Blocking.</b> A call that finds no number held parks its thread until the store gives some,
 * at most {@link DateIdBuilder#timeout(java.time.Duration)}; a virtual thread releases its carrier.
 * The wait cannot be interrupted: a thread that is interrupted meanwhile gets its number and keeps
 * its interrupt status. No call does I/O: a daemon thread does that, which never keeps the JVM
 * running.
 */
public interface DateIdSource extends LongSource {
  /**
   * Returns the next number. It is above all that this source returned before the call.
   *
   * @return the label of the period, then the count: 20230414000001
   * @throws StateException {@code generator_closed} after {@link #close()}
   * @throws LeaseException {@code store_unavailable} (nothing is held, and the store did not
   *     answer in time), {@code range_exhausted} (the period has no more numbers),
   *     {@code store_went_back}, {@code store_misconfigured}, {@code clock_skew},
   *     {@code namespace_not_initialised}, {@code layout_mismatch}
   * @throws ClockException {@code clock_behind} (that of the store, in an earlier period)
   */
  @Override
  long nextId();

  /**
   * Returns the next number as it is printed, with the prefix.
   *
   * @return for example {@code "ORD20230414000001"}
   * @throws PolyflakeException as {@link #nextId()}
   */
  @Override
  String nextIdString();

  /**
   * Returns numbers in rising order, which may be of two periods; numbers of other calls may lie
   * between them.
   *
   * <p><b>Blocking.</b> Until the store gave that many, each fetch at most
   * {@link DateIdBuilder#timeout(java.time.Duration)}. After an exception the numbers that were
   * taken are left out.
   *
   * @param count the number of ids
   * @return numbers
   * @throws BadArgumentException {@code option_invalid} if the count is negative
   * @throws PolyflakeException as {@link #nextId()}
   */
  @Override
  long[] nextIds(int count);

  /**
   * Returns the numbers of this source and their texts, for those that were issued.
   *
   * @return with the period, the digits and the prefix of this source
   */
  DateNumbers numbers();

  /**
   * Returns the state of this source, for health checks. Issues nothing, never waits, never throws.
   *
   * @return whether it can issue now
   */
  GeneratorState state();

  /**
   * Closes this source: every later call for a number is refused with {@code generator_closed}.
   * Idempotent.
   *
   * <p><b>Blocking.</b> The last source of a counter with the same options gives back the numbers
   * that it holds: half a second at most.
   */
  @Override
  void close();
}
