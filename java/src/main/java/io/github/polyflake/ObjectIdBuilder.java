package io.github.polyflake;

import java.time.Duration;

/**
 * The settings of a source of MongoDB's 12-byte ids: {@link Kinds#objectid()}. Values are checked
 * by {@link #build()} unless noted. Not thread safe; may be used for several sources.
 *
 * <p>An id is the second, five random bytes of the process and a counter. Ids of one process rise
 * strictly for its life. Unlike in MongoDB's drivers, the counter starts over in each second, and
 * carries into the next second instead of wrapping around. If the clock is set back, the source
 * holds its time up: {@link Stats#heldMs()}. Between processes ids differ by chance, by 40 random
 * bits. 16 777 216 ids a second.
 *
 * <p>They are not secrets: a reader of one id may guess others.
 */
public final class ObjectIdBuilder {
  private final Settings settings = new Settings(Kinds.OBJECTID);

  ObjectIdBuilder() {}

  /**
   * Sets the longest wait of one call for the clock; 10 ms if not called. A call always waits for
   * up to one second.
   *
   * @param maxWait as for {@link Generator.Builder#maxWait(Duration)}
   * @return this
   * @throws BadArgumentException {@code option_invalid} at once, beyond 64 bits of milliseconds
   */
  public ObjectIdBuilder maxWait(Duration maxWait) {
    settings.maxWait(maxWait);
    return this;
  }

  /**
   * Sets how far ids may run ahead of the clock without waiting; zero if not called.
   *
   * @param maxLead as for {@link Generator.Builder#maxLead(Duration)}
   * @return this
   * @throws BadArgumentException {@code option_invalid} at once, beyond 64 bits of milliseconds
   */
  public ObjectIdBuilder maxLead(Duration maxLead) {
    settings.maxLead(maxLead);
    return this;
  }

  /**
   * Sets a clock for tests, instead of the system's. The source then shares its state with no
   * other.
   *
   * @param clock a clock
   * @return this
   */
  public ObjectIdBuilder clock(ManualClock clock) {
    settings.clock(clock);
    return this;
  }

  /**
   * Replaces the random bits, for tests with a {@link #clock(ManualClock)}.
   *
   * @param words two words of 8 bytes, big endian: the key of the seconds, then the process in
   *     its 40 low bits
   * @return this
   */
  public ObjectIdBuilder entropy(byte[] words) {
    settings.entropy(words);
    return this;
  }

  /**
   * Opens a source. Never waits.
   *
   * @return a source
   * @throws BadArgumentException {@code option_invalid}
   * @throws ClockException {@code clock_before_epoch}, {@code time_exhausted}
   * @throws WorkerException {@code registry_unusable} (no random bits)
   */
  public ObjectIdSource build() {
    return new ObjectIds(settings);
  }
}
