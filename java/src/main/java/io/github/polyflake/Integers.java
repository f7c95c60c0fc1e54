package io.github.polyflake;

import java.math.BigInteger;
import java.util.Map;

/** Java's numbers as the 64-bit integers that the native library takes: exactly, or refused. */
final class Integers {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private Integers() {}

  /** How many ids are asked for. Errors: {@code option_invalid} for fewer than none. */
  static int count(int count) {
    if (count < 0) {
      throw PolyflakeException.refuse("option_invalid", "count must be at least 0, got " + count);
    }
    return count;
  }

  /** How many ids of this size the bytes have room for. Errors: {@code option_invalid} for a part of one. */
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

  /** Untrusted text as it may appear in a message: quoted, printable ASCII, cut after 32 characters. */
  static String quoted(String untrusted) {
    StringBuilder text = new StringBuilder("\"");
    for (char c : untrusted.substring(0, Math.min(32, untrusted.length())).toCharArray()) {
      text.append(c < ' ' || c > '~' || c == '"' || c == '\\' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
    }
    return text.append(untrusted.length() > 32 ? "\"..." : "\"").toString();
  }

  static String typeOf(Object value) {
    return value.getClass().getSimpleName();
  }
}
