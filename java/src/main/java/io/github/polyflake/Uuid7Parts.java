package io.github.polyflake;

import java.time.Instant;
import java.util.Objects;

/**
 * A UUID of version 7 taken apart by {@link TimedUuidSource#decode(java.util.UUID)}. Immutable.
 *
 * <p>All but {@link #time()} are bean properties too, so that a framework can write them as JSON or
 * read them in a template.
 */
public final class Uuid7Parts {
  private final long timeMs;
  private final long tick;
  private final long sequence;
  private final long node;
  private final long tail;

  /** From what the native library gives, in the order of the fields above. */
  Uuid7Parts(long[] values) {
    timeMs = values[0];
    tick = values[1];
    sequence = values[2];
    node = values[3];
    tail = values[4];
  }

  /**
   * Returns the time at which the id was made.
   *
   * @return an instant in whole milliseconds, UTC
   */
  public Instant time() {
    return Instant.ofEpochMilli(timeMs);
  }

  /**
   * Returns the time at which the id was made.
   *
   * @return Unix milliseconds
   */
  public long timeMs() {
    return timeMs;
  }

  /**
   * Returns that time in ticks of the layout.
   *
   * @return milliseconds since the epoch of the layout; without a worker that of Unix
   */
  public long tick() {
    return tick;
  }

  /**
   * Returns the sequence, which tells ids of one tick apart.
   *
   * @return 0 to 2<sup>32</sup> - 1
   */
  public long sequence() {
    return sequence;
  }

  /**
   * Returns the node id of its worker.
   *
   * @return all node fields as one number; unsigned, 0 without a worker
   */
  public long node() {
    return node;
  }

  /**
   * Returns the random bits.
   *
   * @return 56 bits without a worker; with one, the low 64 of the bits that the layout leaves of
   *     74; unsigned
   */
  public long tail() {
    return tail;
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
   * @return {@link #tick()}
   */
  public long getTick() {
    return tick;
  }

  /**
   * A bean property.
   *
   * @return {@link #sequence()}
   */
  public long getSequence() {
    return sequence;
  }

  /**
   * A bean property.
   *
   * @return {@link #node()}
   */
  public long getNode() {
    return node;
  }

  /**
   * A bean property.
   *
   * @return {@link #tail()}
   */
  public long getTail() {
    return tail;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Uuid7Parts)) {
      return false;
    }
    Uuid7Parts that = (Uuid7Parts) other;
    return timeMs == that.timeMs && tick == that.tick && sequence == that.sequence && node == that.node
        && tail == that.tail;
  }

  @Override
  public int hashCode() {
    return Objects.hash(timeMs, sequence, node, tail);
  }

  @Override
  public String toString() {
    return "Uuid7Parts(time=" + time() + ", tick=" + Long.toUnsignedString(tick) + ", sequence=" + sequence
        + ", node=" + Long.toUnsignedString(node) + ", tail=" + Long.toUnsignedString(tail) + ")";
  }
}
