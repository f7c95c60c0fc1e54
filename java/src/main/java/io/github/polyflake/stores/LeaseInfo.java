package io.github.polyflake.stores;

/** A node id that is held. Immutable. All are bean properties too. */
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
   * The node id.
   *
   * @return the node fields as one number; unsigned
   */
  public long node() {
    return node;
  }

  /**
   * When the window of its holder ends.
   *
   * @return Unix milliseconds
   */
  public long untilMs() {
    return untilMs;
  }

  /**
   * Its holder, for people.
   *
   * @return host and pid, or empty; untrusted
   */
  public String label() {
    return label;
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
   * @return {@link #untilMs()}
   */
  public long getUntilMs() {
    return untilMs;
  }

  /**
   * A bean property.
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
