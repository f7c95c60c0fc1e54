package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import java.math.BigInteger;
import java.util.Map;

/** Converts Java's numbers to the 64-bit integers of the native library: exactly, or it refuses. */
final class Integers {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private Integers() {}

  /** Returns the number of ids asked for. Errors: {@code option_invalid} if it is negative. */
  static int count(int count) {
    if (count < 0) {
      throw PolyflakeException.refuse("option_invalid", "count must be at least 0, got " + count);
    }
    return count;
  }

  /**
   * Returns the number of ids of this size that fill the bytes.
   * Errors: {@code option_invalid} if the last id would be incomplete.
   */
  static int countIn(byte[] ids, int idBytes) {
    if (ids.length % idBytes != 0) {
      throw PolyflakeException.refuse("option_invalid",
          "ids of " + idBytes + " bytes fill a multiple of that, not " + ids.length + " bytes");
    }
    return ids.length / idBytes;
  }

  static long value(String name, Object value) {
    if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    if (!(value instanceof BigInteger)) {
      throw PolyflakeException.refuse("field_out_of_range",
          "field " + quoted(name) + " takes an integer, not a " + typeOf(value));
    }
    BigInteger big = (BigInteger) value;
    if (big.compareTo(MIN) < 0 || big.compareTo(MAX) > 0) {
      throw PolyflakeException.refuse("field_out_of_range",
          "field " + quoted(name) + " takes a 64-bit integer at most, got one of " + big.bitLength() + " bits");
    }
    return big.longValue();
  }

  /** Returns untrusted text for a message; see quoted() of the core. */
  static String quoted(String untrusted) {
    return Facade.quoted(untrusted);
  }

  static String typeOf(Object value) {
    return value.getClass().getSimpleName();
  }
}
