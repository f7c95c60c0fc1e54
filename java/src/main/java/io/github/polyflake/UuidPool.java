package io.github.polyflake;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * UUIDs with random bits of their own that the native library makes by the hundred, so that an id
 * is not a native call for them. One is taken, and something added to it.
 *
 * <p>In stripes that threads share by their number: virtual threads are too many for a pool each,
 * and a lock would pin them. A UUID is taken by counting, so never twice, and overwritten with
 * zeros.
 */
final class UuidPool {
  private static final int STRIPES = 16; // a power of two
  private static final int BLOCK = 128;

  /** Immutable, except for what is taken. */
  private static final class Block {
    final long[] words; // high and low of each
    /** Also beyond the size, without end if no more can be made. */
    final AtomicLong taken = new AtomicLong();

    Block(byte[] uuids) {
      words = new long[uuids.length / Long.BYTES];
      ByteBuffer.wrap(uuids).asLongBuffer().get(words);
    }

    int size() {
      return words.length / 2;
    }

    long left() {
      return Math.max(size() - taken.get(), 0);
    }

    /** Returns how many were left: none is taken from now on. */
    long drain() {
      return Math.max(size() - taken.getAndSet(size()), 0);
    }
  }

  private final Supplier<byte[]> more;
  private final AtomicReferenceArray<Block> stripes = new AtomicReferenceArray<>(STRIPES);
  private final AtomicLong drained = new AtomicLong();

  /** `more` makes so many UUIDs as blockSize() says, big endian. */
  UuidPool(Supplier<byte[]> more) {
    this.more = more;
  }

  /** Returns how many are made at once; if exact, one, as a test gives only as many as it needs. */
  static int blockSize(boolean exact) {
    return exact ? 1 : BLOCK;
  }

  /** Returns the next one, with this added to its high and low word. Errors: those of `more`. */
  UUID next(long addedHigh, long addedLow) {
    int stripe = (int) Thread.currentThread().getId() & STRIPES - 1;
    Block block = stripes.get(stripe);
    long taken = block == null ? 0 : block.taken.getAndIncrement();
    if (block == null || taken >= block.size()) {
      block = new Block(more.get());
      taken = block.taken.getAndIncrement(); // before others see it: this thread always gets one
      Block before = stripes.getAndSet(stripe, block);
      if (before != null) { // of another thread that had the same thought, it may be
        drained.addAndGet(before.drain());
      }
    }
    int at = (int) taken;
    long high = block.words[2 * at];
    long low = block.words[2 * at + 1];
    block.words[2 * at] = 0;
    block.words[2 * at + 1] = 0;
    return new UUID(high + addedHigh, low + addedLow);
  }

  /** Returns how many were made and not taken. */
  long left() {
    long left = drained.get();
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      Block block = stripes.get(stripe);
      left += block == null ? 0 : block.left();
    }
    return left;
  }
}
