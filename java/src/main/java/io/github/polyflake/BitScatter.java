package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Computes the value that a position adds to the id of position 0, in one word of the id. Each bit
 * of a position becomes one bit of the id, at an index that the native library chooses. These are
 * read from the library once, so this class does not repeat its rules. Immutable.
 */
final class BitScatter {
  /** By layout, for UUIDs: the high word, then the low word. Never shrinks: layouts are few. */
  private static final Map<String, BitScatter[]> OF_LAYOUTS = new ConcurrentHashMap<>();

  /**
   * Adjacent bits that stay adjacent move together. Most layouts need two moves, which have fields
   * of their own; the arrays hold the others.
   */
  private final long mask0;
  private final int turn0; // bits of rotation to the left
  private final long mask1;
  private final int turn1;
  private final long[] masks;
  private final int[] turns;

  /** Takes one word of the id of each position in {@link #probes(int)}, in the same order. */
  BitScatter(long[] words) {
    long[] masks = new long[words.length];
    int[] turns = new int[words.length];
    int moves = 0;
    for (int bit = 0; bit < words.length - 1; bit++) {
      long added = words[1 + bit] - words[0];
      if (added == 0) {
        continue; // this bit is in the other word
      }
      int turn = Long.numberOfTrailingZeros(added) - bit & 63;
      if (moves == 0 || turns[moves - 1] != turn) {
        turns[moves++] = turn;
      }
      masks[moves - 1] |= 1L << bit;
    }
    mask0 = masks[0]; // 0 if there is no move
    turn0 = turns[0];
    mask1 = masks[1];
    turn1 = turns[1];
    this.masks = Arrays.copyOfRange(masks, 2, Math.max(2, moves));
    this.turns = Arrays.copyOfRange(turns, 2, Math.max(2, moves));
  }

  /** Returns the value that this position adds. */
  long of(long position) {
    long sum = Long.rotateLeft(position & mask0, turn0) + Long.rotateLeft(position & mask1, turn1);
    for (int i = 0; i < masks.length; i++) {
      sum += Long.rotateLeft(position & masks[i], turns[i]);
    }
    return sum;
  }

  /** Returns position 0, then the positions with a single bit set, from bit 0 to bit bits - 1. */
  static long[] probes(int bits) {
    long[] probes = new long[1 + bits];
    for (int bit = 0; bit < bits; bit++) {
      probes[1 + bit] = 1L << bit;
    }
    return probes;
  }

  /** Returns two: for the high and the low word of UUIDs. {@code layout} is a canonical text. */
  static BitScatter[] ofUuids(String layout) {
    return OF_LAYOUTS.computeIfAbsent(layout, BitScatter::ask);
  }

  private static BitScatter[] ask(String layout) {
    long[] probes = probes(Arrays.stream(new NativeLayout(layout).fieldWidths()).sum());
    long[] high = new long[probes.length];
    long[] low = new long[probes.length];
    for (int i = 0; i < probes.length; i++) {
      ByteBuffer uuid = ByteBuffer.wrap(Facade.layoutToUuid(layout, probes[i]));
      high[i] = uuid.getLong();
      low[i] = uuid.getLong();
    }
    return new BitScatter[] {new BitScatter(high), new BitScatter(low)};
  }
}
