package io.github.polyflake;

import java.nio.ByteBuffer;
import java.util.UUID;

/** UUIDs as the bytes that the native library takes and gives: 16 each, big endian. */
final class Uuids {
  static final int BYTES = 16;

  private Uuids() {}

  static UUID of(byte[] bytes) {
    return read(ByteBuffer.wrap(bytes));
  }

  /** Those of the bytes, into all[from ...]. */
  static void read(byte[] bytes, UUID[] all, int from) {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    for (int i = from; rest.hasRemaining(); i++) {
      all[i] = read(rest);
    }
  }

  private static UUID read(ByteBuffer rest) {
    long high = rest.getLong();
    return new UUID(high, rest.getLong());
  }

  static byte[] bytesOf(UUID uuid) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    return bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits()).array();
  }
}
