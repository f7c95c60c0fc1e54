package io.github.polyflake;

/**
 * What all sources of ids have in common, whatever the ids are: for code that is told a kind by its configuration.
 *
 * <pre>{@code
 * try (IdSource ids = Kinds.open("uuid7").build()) {
 *   String id = ids.nextIdString();
 * }
 * }</pre>
 *
 * <p>What ids are is said by the four below: {@link LongSource}, {@link UuidSource}, {@link TextSource}, and for those that
 * know times {@link TimedUuidSource} and {@link ObjectIdSource}. Own kinds implement one of them; see {@link KindProvider}.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread at any time, also while another one closes the source.
 */
public interface IdSource extends AutoCloseable {
  /**
   * The kind of its ids.
   *
   * @return {@code "snowflake"}, {@code "uuid7"}, {@code "uuid4"}, {@code "objectid"} or the name of an own kind
   */
  String kind();

  /**
   * The next id as text.
   *
   * <p><b>Blocking.</b> As {@code nextId()} of the source.
   *
   * @return decimal digits, 8-4-4-4-12 or 24 hexadecimal digits in lower case, or what an own kind has
   * @throws PolyflakeException as {@code nextId()} of the source
   */
  String nextIdString();

  /**
   * What it has done so far.
   *
   * @return a copy of the counters
   */
  Stats stats();

  /** Ends this source: all calls for ids are refused from now on, {@code generator_closed}. Idempotent. */
  @Override
  void close();

  /**
   * Whether {@link #close()} has been called.
   *
   * @return true from then on
   */
  boolean isClosed();
}
