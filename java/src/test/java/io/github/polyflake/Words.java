package io.github.polyflake;

import java.nio.ByteBuffer;

/** What stands for random bits in tests. */
final class Words {
  private Words() {}

  static byte[] of(long... words) {
    ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES);
    bytes.asLongBuffer().put(words);
    return bytes.array();
  }
}
