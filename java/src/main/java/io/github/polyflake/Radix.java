package io.github.polyflake;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Digits of one width, counted out in Java: a native call that takes or gives a text costs several
 * times as much as the digits. It knows ids below 2<sup>63</sup> and their own texts. It
 * leaves all other texts to the core, which reads or refuses them.
 */
final class Radix {
  /** The result of {@link #read} for a text that it leaves to the core. */
  static final long LEFT = -1;

  private final byte[] digits;
  private final byte[] values = new byte[128];
  private final short[] pairs; // of digits, by their value
  private final int base;
  private final int width;
  private final long mostHead; // any one digit more fits 64 bits

  /** Takes the digits, in the order of their values, and the width, at least 1, from the core. */
  Radix(String digits, int width) {
    this.digits = digits.getBytes(StandardCharsets.ISO_8859_1);
    this.width = width;
    base = this.digits.length;
    mostHead = Long.divideUnsigned(-1, base) - 1;
    Arrays.fill(values, (byte) -1);
    for (int value = 0; value < base; value++) {
      values[this.digits[value]] = (byte) value;
    }
    pairs = new short[base * base];
    for (int value = 0; value < pairs.length; value++) {
      pairs[value] = (short) (this.digits[value / base] << 8 | this.digits[value % base]);
    }
  }

  /** Returns the text of an id, or null if it is left to the core. */
  String write(long id) {
    if (id < 0) {
      return null;
    }
    return base == 32 && width == 13 ? write13(id) : writeAny(id);
  }

  /**
   * The text in base 32, apart from others: a compiler that knows shift and length makes it short.
   */
  private String write13(long id) {
    byte[] text = new byte[13];
    byte[] digits = this.digits;
    for (int i = 12; i >= 0; i--) {
      text[i] = digits[(int) id & digits.length - 1];
      id >>>= 5;
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Two digits at a time. */
  private String writeAny(long id) {
    byte[] text = new byte[width];
    int left = width;
    while (left > 1) {
      long rest = withoutPair(id);
      int pair = pairs[(int) (id - rest * pairs.length)];
      text[--left] = (byte) pair;
      text[--left] = (byte) (pair >> 8);
      id = rest;
    }
    if (left == 1 && id < base) {
      text[0] = digits[(int) id];
      id = 0;
    }
    return id == 0 ? new String(text, StandardCharsets.ISO_8859_1) : null;
  }

  /** A division by a number that the compiler knows takes it a multiplication. */
  private long withoutPair(long id) {
    switch (base) {
      case 62:
        return id / (62 * 62);
      case 58:
        return id / (58 * 58);
      case 36:
        return id / (36 * 36);
      case 16:
        return id / (16 * 16);
      default:
        return id / pairs.length;
    }
  }

  /** Returns the id of a text, or {@link #LEFT}. */
  long read(String text) {
    int last = width - 1;
    if (text.length() != width) {
      return LEFT;
    }
    long head = 0;
    int seen = 0; // negative as soon as a character is not a digit
    for (int i = 0; i < last; i++) {
      int value = valueOf(text.charAt(i));
      seen |= value;
      head = head * base + value;
    }
    int value = valueOf(text.charAt(last));
    return (seen | value) >= 0 && head >= 0 && head <= mostHead ? head * base + value : LEFT;
  }

  private int valueOf(char c) {
    return c < values.length ? values[c] : -1;
  }
}
