package io.github.polyflake;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Random tails for UUIDs, so that an id is one native call and not two: UUIDs of position 0, each with a tail of its own,
 * which the native library spells by the hundred. An id is one of them and what its position adds.
 *
 * <p>In stripes that threads share by their number: virtual threads are too many for a pool each, and no lock could pin one.
 * A tail is taken by counting, so never twice, and overwritten with zeros.
 */
final class TailPool {
  private static final int STRIPES = 16; // a power of two
  private static final int BLOCK = 128;

  /** Immutable but for what is taken. */
  private static final class Block {
    final long[] words; // high and low of each
    final AtomicInteger taken = new AtomicInteger();

    Block(byte[] uuids) {
      words = new long[uuids.length / Long.BYTES];
      ByteBuffer.wrap(uuids).asLongBuffer().get(words);
    }

    int size() {
      return words.length / 2;
    }
  }

  private final Positions positions;
  private final long[] zeros;
  private final Spread high;
  private final Spread low;
  private final AtomicReferenceArray<Block> stripes = new AtomicReferenceArray<>(STRIPES);

  /** Exact: a tail is made only for an id that is there to take it, since a test has given as many as it needs. */
  TailPool(Positions positions, boolean exact) {
    this.positions = positions;
    zeros = new long[exact ? 1 : BLOCK];
    Spread[] spreads = Spread.ofUuids(positions.layout());
    high = spreads[0];
    low = spreads[1];
  }

  /** The id of this position. Errors: {@code registry_unusable} (no random bits), {@code option_invalid} (no entropy). */
  UUID spell(long position) {
    int stripe = (int) Thread.currentThread().getId() & STRIPES - 1;
    Block block = stripes.get(stripe);
    int at = block == null ? 0 : block.taken.getAndIncrement();
    while (block == null || at >= block.size()) {
      block = new Block(positions.spell(zeros));
      at = block.taken.getAndIncrement(); // before others see it: this thread always gets one
      stripes.set(stripe, block);
    }
    long highWord = block.words[2 * at];
    long lowWord = block.words[2 * at + 1];
    block.words[2 * at] = 0;
    block.words[2 * at + 1] = 0;
    return new UUID(highWord + high.of(position), lowWord + low.of(position));
  }
}
