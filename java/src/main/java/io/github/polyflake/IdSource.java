package io.github.polyflake;

/**
 * The common interface of all sources of ids, for code that gets the kind of ids from its
 * configuration.
 *
 * <pre>{@code
 * try (IdSource ids = Kinds.open("uuid7").build()) {
 *   String id = ids.nextIdString();
 * }
 * }</pre>
 *
 * <p>The type of the ids is given by a subinterface: {@link LongSource}, {@link UuidSource} or
 * {@link TextSource}, and for ids that contain a time {@link TimedUuidSource} or
 * {@link ObjectIdSource}. A kind of your own implements one of them; see {@link KindProvider}.
 *
 * <p><b>Thread safety.</b> Any thread may call any method at any time, also while another thread
 * closes the source.
 */
public interface IdSource extends AutoCloseable {
  /**
   * Returns the kind of this source's ids.
   *
   * @return a name of {@link Kinds#names()}, such as {@code "uuid7"}
   */
  String kind();

  /**
   * Returns the next id as text.
   *
   * <p><b>Blocking.</b> As {@code nextId()} of the source.
   *
   * @return decimal digits of a number, 8-4-4-4-12 hexadecimal digits of a UUID in lower case, else
   *     the text that its kind defines
   * @throws PolyflakeException as {@code nextId()} of the source
   */
  String nextIdString();

  /**
   * Returns counts of this source's work so far.
   *
   * @return a copy of the counters
   */
  Stats stats();

  /**
   * Closes this source: every later call for an id is refused with {@code generator_closed}.
   * Idempotent.
   */
  @Override
  void close();

  /**
   * Returns whether {@link #close()} has been called.
   *
   * @return true after the first call of {@link #close()}
   */
  boolean isClosed();
}
