package io.github.polyflake.internal;

import java.nio.ByteBuffer;

/**
 * The numbers that a counted source holds. Those of a segment are taken in memory, since a native
 * call costs twice as much as the number. Dates, Java 8 and native images need the call.
 *
 * <p>{@link #take()} repeats {@code Range::take()} and {@code Range::holds()} of the core, on the
 * same words and with the same orders of memory, while other threads call the core. The reasons why
 * no number is given out twice are in {@code range.hpp}.
 */
public final class HeldRange {
  /** The result of {@link #take} if no number was taken. */
  public static final long NONE = ~0;

  static final int WORDS = 5;

  private final NativeCountedSource source;
  private final ByteBuffer paused; // null, as the other words: each number is a native call
  private final ByteBuffer next;
  private final ByteBuffer limit;
  private final ByteBuffer begin;
  private final ByteBuffer execution;
  private final long owner;

  /** Returns the numbers of a source. The source is not freed before them. */
  public static HeldRange of(NativeCountedSource source) {
    ByteBuffer[] words = new ByteBuffer[WORDS];
    long owner = NativeWords.areUsable() ? Facade.rangeWords(source, words) : 0;
    return new HeldRange(source, words, owner);
  }

  /** Takes the words in the order of {@code Range::Words}. They last as long as the source. */
  HeldRange(NativeCountedSource source, ByteBuffer[] words, long owner) {
    this.source = source;
    this.owner = owner;
    paused = words[0];
    next = words[1];
    limit = words[2];
    begin = words[3];
    execution = words[4];
  }

  /** Returns true if numbers are taken in memory. */
  boolean isInMemory() {
    return next != null;
  }

  /**
   * Returns a number that is held, or {@link #NONE}. It may also return {@code ~number}: no other
   * call gets this number, but it counts only once its range has come. Requires: the source is not
   * closed.
   */
  public long take() {
    if (next == null) {
      return Facade.claimHeld(source);
    }
    try {
      long number = takeInMemory();
      // The words are freed with the source, and the collector does not know that they are used.
      NativeWords.reachabilityFence(source);
      return number;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private long takeInMemory() throws Throwable {
    if (NativeWords.getOpaque(paused) != 0) {
      return NONE;
    }
    long number = NativeWords.getAndIncrement(next);
    // The limit first, as in the core. After a freeze the number is negative here: below any range.
    long limit = NativeWords.getAcquire(this.limit);
    boolean counts = NativeWords.getOpaque(begin) <= number && number < limit;
    // Native code may fork the process. Java code then runs in the copy until threads must stop. A
    // number of the original, early or not, is not one of the copy.
    if (number < 0 || NativeWords.getOpaque(execution) != owner) {
      return NONE;
    }
    return counts ? number : ~number;
  }
}
