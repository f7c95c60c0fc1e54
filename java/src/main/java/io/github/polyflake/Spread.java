package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a position adds to the id of position 0, in one word of the id. Each bit of a position is one bit of the id, wherever
 * the native library puts it: so its rules are asked for once, and no rule is written twice. Immutable.
 */
final class Spread {
  /** Of UUIDs, by layout: the words of each, the high one first. A program has few layouts. */
  private static final Map<String, Spread[]> OF_LAYOUTS = new ConcurrentHashMap<>();

  /** Neighbours that stay neighbours move together: two moves, which is what most layouts need, and all others. */
  private final long mask0;
  private final int turn0; // to the left
  private final long mask1;
  private final int turn1;
  private final long[] masks;
  private final int[] turns;

  /** From the words of the ids of {@link #probes(int)}. */
  Spread(long[] words) {
    long[] masks = new long[words.length];
    int[] turns = new int[words.length];
    int moves = 0;
    for (int bit = 0; bit < words.length - 1; bit++) {
      long added = words[1 + bit] - words[0];
      if (added == 0) {
        continue; // it is in the other word
      }
      int turn = Long.numberOfTrailingZeros(added) - bit & 63;
      if (moves == 0 || turns[moves - 1] != turn) {
        turns[moves++] = turn;
      }
      masks[moves - 1] |= 1L << bit;
    }
    mask0 = masks[0]; // 0: no move
    turn0 = turns[0];
    mask1 = masks[1];
    turn1 = turns[1];
    this.masks = Arrays.copyOfRange(masks, 2, Math.max(2, moves));
    this.turns = Arrays.copyOfRange(turns, 2, Math.max(2, moves));
  }

  /** What this position adds. */
  long of(long position) {
    long sum = Long.rotateLeft(position & mask0, turn0) + Long.rotateLeft(position & mask1, turn1);
    for (int i = 0; i < masks.length; i++) {
      sum += Long.rotateLeft(position & masks[i], turns[i]);
    }
    return sum;
  }

  /** Position 0, and those that have one of so many bits alone, the lowest first. */
  static long[] probes(int bits) {
    long[] probes = new long[1 + bits];
    for (int bit = 0; bit < bits; bit++) {
      probes[1 + bit] = 1L << bit;
    }
    return probes;
  }

  /** Of the high and the low word of UUIDs of this layout, which is a canonical text. */
  static Spread[] ofUuids(String layout) {
    return OF_LAYOUTS.computeIfAbsent(layout, Spread::ask);
  }

  private static Spread[] ask(String layout) {
    long[] probes = probes(Arrays.stream(new NativeLayout(layout).fieldWidths()).sum());
    long[] high = new long[probes.length];
    long[] low = new long[probes.length];
    for (int i = 0; i < probes.length; i++) {
      ByteBuffer uuid = ByteBuffer.wrap(Facade.layoutToUuid(layout, probes[i]));
      high[i] = uuid.getLong();
      low[i] = uuid.getLong();
    }
    return new Spread[] {new Spread(high), new Spread(low)};
  }
}
