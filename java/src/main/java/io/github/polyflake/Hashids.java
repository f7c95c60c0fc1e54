package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeHashids;
import io.github.polyflake.internal.NativeLibrary;
import java.util.Objects;

/**
 * Writes a list of ids as one short text, for programs that have texts of Hashids already. For new
 * texts use {@link Sqids}.
 *
 * <pre>{@code
 * Hashids hashids = new Hashids("this is my salt");
 * String text = hashids.encode(1, 2, 3);
 * long[] same = hashids.decode(text);
 * }</pre>
 *
 * <p>Salt, length and alphabet are part of the format: read a text with the same parameters that
 * wrote it. A text hides nothing: the salt is not a key.
 *
 * <p>Immutable, never blocks.
 *
 * <p><b>Thread safety.</b> Any number of threads may use one object.
 */
public final class Hashids {
  private final NativeHashids handle;
  private final String salt;
  private final String alphabet;
  private final int minLength;

  /** Uses no salt and the default options. */
  public Hashids() {
    this("");
  }

  /**
   * Uses a salt and the default options.
   *
   * @param salt any text; only as many of its characters count as the alphabet has
   * @throws BadArgumentException {@code option_invalid} for half of a surrogate pair
   */
  public Hashids(String salt) {
    this(salt, 0);
  }

  /**
   * Uses a salt and a minimum length.
   *
   * @param salt any text; only as many of its characters count as the alphabet has
   * @param minLength 0 to 1024: shorter texts are filled up
   * @throws BadArgumentException {@code option_invalid}
   */
  public Hashids(String salt, long minLength) {
    this(salt, minLength, defaultAlphabet());
  }

  /**
   * Uses the given options.
   *
   * @param salt any text; only as many of its characters count as the alphabet has
   * @param minLength 0 to 1024: shorter texts are filled up
   * @param alphabet at least 16 printable ASCII characters, each once; their order counts
   * @throws BadArgumentException {@code option_invalid}
   */
  public Hashids(String salt, long minLength, String alphabet) {
    NativeLibrary.require();
    handle = new NativeHashids(salt, minLength, alphabet);
    this.salt = salt;
    this.alphabet = handle.alphabet();
    this.minLength = handle.minLength();
  }

  private static String defaultAlphabet() {
    NativeLibrary.require();
    return Facade.hashidsAlphabet();
  }

  /**
   * Returns the text of a list of ids; the empty text for no ids.
   *
   * @param ids up to 1024, any 64 bits each, read as unsigned
   * @return ASCII text
   * @throws BadArgumentException {@code option_invalid} for too many ids
   */
  public String encode(long... ids) {
    return handle.encode(ids);
  }

  /**
   * Returns the ids of a text that {@link #encode(long...)} wrote; refuses any other text.
   *
   * @param text the text of a list of ids
   * @return the ids; negative from 2<sup>63</sup> on
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range} from 2<sup>64</sup>
   *     on, each with the position of the first character that differs from the text of the ids
   *     that were read
   */
  public long[] decode(String text) {
    return handle.decode(text);
  }

  /**
   * Returns the alphabet: the characters that texts consist of.
   *
   * @return the characters in the order in which they were given
   */
  public String alphabet() {
    return alphabet;
  }

  /**
   * Returns the minimum length of a text, in characters.
   *
   * @return 0 to 1024
   */
  public int minLength() {
    return minLength;
  }

  /** Returns whether the other object has the same salt and options. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Hashids
        && salt.equals(((Hashids) other).salt)
        && minLength == ((Hashids) other).minLength
        && alphabet.equals(((Hashids) other).alphabet);
  }

  @Override
  public int hashCode() {
    return Objects.hash(salt, minLength, alphabet);
  }

  @Override
  public String toString() {
    return "Hashids(alphabet=" + Integers.quoted(alphabet) + ", minLength=" + minLength + ")";
  }
}
