package io.github.polyflake;

/**
 * The settings of a source of UUIDs of version 4: {@link Kinds#uuid4()}. Values are checked by
 * {@link #build()}. Not thread safe; may be used for several sources.
 *
 * <p>Ids are 122 random bits, in no order, and differ by chance: of 10<sup>15</sup> two are equal
 * with a probability of one in ten million.
 */
public final class Uuid4Builder {
  private final Settings settings = new Settings(Kinds.UUID4);

  Uuid4Builder() {}

  /**
   * Sets a clock for tests, which {@link #entropy(byte[])} needs; ids have no time.
   *
   * @param clock a clock
   * @return this
   */
  public Uuid4Builder clock(ManualClock clock) {
    settings.clock(clock);
    return this;
  }

  /**
   * Replaces the random bits, for tests with a {@link #clock(ManualClock)}. Ids that find none left
   * are refused.
   *
   * @param words words of 8 bytes, big endian, two for each id
   * @return this
   */
  public Uuid4Builder entropy(byte[] words) {
    settings.entropy(words);
    return this;
  }

  /**
   * Opens a source. Never waits, and neither does a call for an id.
   *
   * @return a source
   * @throws BadArgumentException {@code option_invalid}
   */
  public UuidSource build() {
    return new Uuid4Source(settings);
  }
}
