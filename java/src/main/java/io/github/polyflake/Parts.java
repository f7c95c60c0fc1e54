package io.github.polyflake;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An id taken apart by {@link Layout#decode(long)}. Immutable.
 *
 * <p>All but {@link #time()} are bean properties too, so that a framework can write them as JSON or
 * read them in a template; a plain mapper refuses an {@link Instant}. {@link #tick()} and
 * {@link #node()} are 64 bits wide in wide layouts: JavaScript reads such numbers, like ids, only
 * from text.
 */
public final class Parts {
  private final long timeMs;
  private final long tick;
  private final long sequence;
  private final long node;
  private final Map<String, Long> fields;

  /**
   * Takes what the native library gives: time, tick, sequence, node, then values of node fields.
   */
  Parts(long[] values, String[] nodeFields) {
    timeMs = values[0];
    tick = values[1];
    sequence = values[2];
    node = values[3];
    Map<String, Long> named = new LinkedHashMap<>();
    for (int i = 0; i < nodeFields.length; i++) {
      named.put(nodeFields[i], values[4 + i]);
    }
    fields = Collections.unmodifiableMap(named);
  }

  /**
   * Returns the beginning of the id's tick.
   *
   * @return an instant in whole milliseconds, UTC
   */
  public Instant time() {
    return Instant.ofEpochMilli(timeMs);
  }

  /**
   * Returns the beginning of the id's tick.
   *
   * @return Unix milliseconds
   */
  public long timeMs() {
    return timeMs;
  }

  /**
   * Returns the timestamp field.
   *
   * @return ticks since the epoch of the layout; unsigned
   */
  public long tick() {
    return tick;
  }

  /**
   * Returns the sequence field.
   *
   * @return 0 to 2<sup>32</sup> - 1
   */
  public long sequence() {
    return sequence;
  }

  /**
   * Returns all node fields as one number, the most significant one first.
   *
   * @return the node id; unsigned, 0 if the layout has no node fields
   */
  public long node() {
    return node;
  }

  /**
   * Returns the node fields.
   *
   * @return values by name, the most significant one first; unmodifiable
   */
  public Map<String, Long> fields() {
    return fields;
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
   * @return {@link #fields()}
   */
  public Map<String, Long> getFields() {
    return fields;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Parts)) {
      return false;
    }
    Parts that = (Parts) other;
    return timeMs == that.timeMs && tick == that.tick && sequence == that.sequence && node == that.node
        && fields.equals(that.fields);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Long.hashCode(tick) + Long.hashCode(node)) + Long.hashCode(sequence);
  }

  @Override
  public String toString() {
    return "Parts(time=" + time() + ", tick=" + Long.toUnsignedString(tick) + ", sequence=" + sequence + ", node="
        + Long.toUnsignedString(node) + ", fields=" + fields + ")";
  }
}
