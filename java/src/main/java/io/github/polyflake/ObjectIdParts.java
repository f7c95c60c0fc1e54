package io.github.polyflake;

import java.time.Instant;
import java.util.Objects;

/**
 * An ObjectId taken apart by {@link ObjectIdSource#decode(String)}. Immutable.
 *
 * <p>All but {@link #time()} are bean properties too, so that a framework can write them as JSON or
 * read them in a template.
 */
public final class ObjectIdParts {
  private final long timeMs;
  private final long process;
  private final long counter;

  /** From what the native library gives, in the order of the fields above. */
  ObjectIdParts(long[] values) {
    timeMs = values[0];
    process = values[1];
    counter = values[2];
  }

  /**
   * Returns the second in which the id was made.
   *
   * @return an instant in whole seconds, UTC
   */
  public Instant time() {
    return Instant.ofEpochMilli(timeMs);
  }

  /**
   * Returns the second in which the id was made.
   *
   * @return Unix milliseconds
   */
  public long timeMs() {
    return timeMs;
  }

  /**
   * Returns the five bytes of the process that made the id.
   *
   * @return 0 to 2<sup>40</sup> - 1
   */
  public long process() {
    return process;
  }

  /**
   * Returns the counter, which tells ids of one second apart.
   *
   * @return 0 to 2<sup>24</sup> - 1
   */
  public long counter() {
    return counter;
  }

  /**
   * A bean property.
   *
   * @return {@link #timeMs()}
   */
  public long getTimeMs() {
    return timeMs;
  }

  /**
   * A bean property.
   *
   * @return {@link #process()}
   */
  public long getProcess() {
    return process;
  }

  /**
   * A bean property.
   *
   * @return {@link #counter()}
   */
  public long getCounter() {
    return counter;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof ObjectIdParts)) {
      return false;
    }
    ObjectIdParts that = (ObjectIdParts) other;
    return timeMs == that.timeMs && process == that.process && counter == that.counter;
  }

  @Override
  public int hashCode() {
    return Objects.hash(timeMs, process, counter);
  }

  @Override
  public String toString() {
    return "ObjectIdParts(time=" + time() + ", process=" + process + ", counter=" + counter + ")";
  }
}
