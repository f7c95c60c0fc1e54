package io.github.polyflake;

/**
 * A source of the numbers of a counter that hosts share. {@link Kinds#segment()} begins its
 * settings and documents the guarantees.
 *
 * <p><b>Blocking.</b> A call that finds no number held parks its thread until the store gives some,
 * at most {@link SegmentBuilder#timeout(java.time.Duration)}; a virtual thread releases its
 * carrier. The wait cannot be interrupted: a thread that is interrupted meanwhile gets its number
 * and keeps its interrupt status. No call does I/O: a daemon thread does that, which never keeps
 * the JVM running.
 */
public interface SegmentSource extends LongSource {
  /**
   * Returns the next number. It is above all that this source returned before the call.
   *
   * @return a number of the counter, 1 to 2<sup>63</sup> - 2
   * @throws StateException {@code generator_closed} after {@link #close()}
   * @throws LeaseException {@code store_unavailable} (nothing is held, and the store did not
   *     answer in time), {@code range_exhausted}, {@code store_went_back},
   *     {@code store_misconfigured}, {@code clock_skew}, {@code namespace_not_initialised},
   *     {@code layout_mismatch}
   * @throws ClockException {@code clock_behind} (that of the store)
   */
  @Override
  long nextId();

  /**
   * Returns numbers in rising order; numbers of other calls may lie between them.
   *
   * <p><b>Blocking.</b> Until the store gave that many, each fetch at most
   * {@link SegmentBuilder#timeout(java.time.Duration)}. After an exception the numbers that were
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
