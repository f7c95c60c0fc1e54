package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeHashids;
import io.github.polyflake.internal.NativeLibrary;
import java.util.Objects;

/**
 * A list of ids as one short text, for those who have texts of Hashids already; new ones are better {@link Sqids}.
 *
 * <pre>{@code
 * Hashids hashids = new Hashids("this is my salt");
 * String text = hashids.encode(1, 2, 3);
 * long[] same = hashids.decode(text);
 * }</pre>
 *
 * <p>Salt, length and alphabet are part of the format: a text is read with those that it was written with. A text hides
 * nothing: the salt is no key.
 *
 * <p>Immutable, safe for use by several threads, never blocks.
 */
public final class Hashids {
  private final NativeHashids handle;
  private final String salt;
  private final String alphabet;
  private final int minLength;

  /** Without a salt. */
  public Hashids() {
    this("");
  }

  /**
   * With a salt.
   *
   * @param salt any text, of which as many characters count as the alphabet has
   * @throws BadArgumentException {@code option_invalid} for half of a surrogate pair
   */
  public Hashids(String salt) {
    this(salt, 0);
  }

  /**
   * With a salt, and texts that are not short.
   *
   * @param salt any text, of which as many characters count as the alphabet has
   * @param minLength 0 to 1024: shorter texts are filled up
   * @throws BadArgumentException {@code option_invalid}
   */
  public Hashids(String salt, long minLength) {
    this(salt, minLength, defaultAlphabet());
  }

  /**
   * With all options.
   *
   * @param salt any text, of which as many characters count as the alphabet has
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
   * The text of ids. No ids have the empty text.
   *
   * @param ids up to 1024, any 64 bits each, read as unsigned
   * @return ASCII text
   * @throws BadArgumentException {@code option_invalid} for too many ids
   */
  public String encode(long... ids) {
    return handle.encode(ids);
  }

  /**
   * The ids that {@link #encode(long...)} gave this text; every other text is refused.
   *
   * @param text of ids
   * @return the ids; negative from 2<sup>63</sup> on
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range} from 2<sup>64</sup> on, each with
   *     the position of the first character that differs from the text of the ids that were read
   */
  public long[] decode(String text) {
    return handle.decode(text);
  }

  /**
   * The characters of texts.
   *
   * @return in the order in which they were given
   */
  public String alphabet() {
    return alphabet;
  }

  /**
   * The fewest characters of a text.
   *
   * @return 0 to 1024
   */
  public int minLength() {
    return minLength;
  }

  /** Whether the other writes texts with the same salt and options. */
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
    return "Hashids(alphabet=" + alphabet + ", minLength=" + minLength + ")";
  }
}
