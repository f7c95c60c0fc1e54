package io.github.polyflake.stores;

/** A node id that a generator holds. Immutable. Each value is also a bean property. */
public final class LeaseInfo {
  private final long node;
  private final long untilMs;
  private final String label;

  LeaseInfo(long node, long untilMs, String label) {
    this.node = node;
    this.untilMs = untilMs;
    this.label = label;
  }

  /**
   * Returns the node id.
   *
   * @return the node fields as one number; unsigned
   */
  public long node() {
    return node;
  }

  /**
   * Returns the end of its holder's window.
   *
   * @return Unix milliseconds
   */
  public long untilMs() {
    return untilMs;
  }

  /**
   * Returns a text for people about the holder.
   *
   * @return host and pid, or empty; untrusted
   */
  public String label() {
    return label;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #node()}
   */
  public long getNode() {
    return node;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #untilMs()}
   */
  public long getUntilMs() {
    return untilMs;
  }

  /**
   * Returns the value as a bean property.
   *
   * @return {@link #label()}
   */
  public String getLabel() {
    return label;
  }

  @Override
  public String toString() {
    return "LeaseInfo(node=" + Long.toUnsignedString(node) + ", untilMs=" + untilMs + ", label=" + label + ")";
  }
}
