package io.github.polyflake;

import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeSqids;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A list of ids as one short text, for people and URLs, over all 64 bits.
 *
 * <pre>{@code
 * Sqids sqids = Sqids.create();
 * String text = sqids.encode(1, 2, 3);   // 86Rf07
 * long[] same = sqids.decode(text);
 * }</pre>
 *
 * <p>All options are part of the format: a text is read with the options that wrote it; only words
 * may be added to the blocklist. A text hides nothing: anyone who knows the alphabet reads the ids.
 *
 * <p>Immutable, safe for use by several threads, never blocks.
 */
public final class Sqids {
  private final NativeSqids handle;
  private final String alphabet;
  private final int minLength;
  private final Set<String> blocklist; // null for the default

  private Sqids(Builder options) {
    String[] words = options.blocklist == null ? new String[0] : options.blocklist.toArray(new String[0]);
    handle = new NativeSqids(options.alphabet, options.minLength, options.blocklist != null, words);
    alphabet = handle.alphabet();
    minLength = handle.minLength();
    blocklist = options.blocklist == null ? null : new HashSet<>(options.blocklist);
  }

  /**
   * Returns texts with the default options: 62 letters and digits, the shortest texts, the default
   * blocklist.
   *
   * @return texts of the specification's examples
   */
  public static Sqids create() {
    return builder().build();
  }

  /**
   * Begins texts with options.
   *
   * @return a builder
   */
  public static Builder builder() {
    NativeLibrary.require();
    return new Builder();
  }

  /**
   * Returns the words of the specification, which no text has by default.
   *
   * @return a new list, to which words can be added
   */
  public static List<String> defaultBlocklist() {
    NativeLibrary.require();
    return new ArrayList<>(Arrays.asList(Facade.defaultBlocklist()));
  }

  /**
   * Returns the text of ids. No ids have the empty text.
   *
   * @param ids up to 1024, any 64 bits each, read as unsigned
   * @return ASCII text
   * @throws BadArgumentException {@code option_invalid} for too many ids, or if all their texts are
   *     blocked
   */
  public String encode(long... ids) {
    return handle.encode(ids);
  }

  /**
   * Returns the ids that {@link #encode(long...)} gave this text; every other text is refused.
   *
   * @param text of ids
   * @return the ids; negative from 2<sup>63</sup> on
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range} from 2<sup>64</sup>
   *     on, each with the position of the first character that differs from the text of the ids
   *     that were read
   */
  public long[] decode(String text) {
    return handle.decode(text);
  }

  /**
   * Returns the characters of texts.
   *
   * @return in the order in which they were given
   */
  public String alphabet() {
    return alphabet;
  }

  /**
   * Returns the fewest characters of a text.
   *
   * @return 0 to 255
   */
  public int minLength() {
    return minLength;
  }

  /** Returns true if the other one writes texts with the same options. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Sqids
        && alphabet.equals(((Sqids) other).alphabet)
        && minLength == ((Sqids) other).minLength
        && Objects.equals(blocklist, ((Sqids) other).blocklist);
  }

  @Override
  public int hashCode() {
    return Objects.hash(alphabet, minLength, blocklist);
  }

  @Override
  public String toString() {
    return "Sqids(alphabet=" + Integers.quoted(alphabet) + ", minLength=" + minLength + ")";
  }

  /** The options of texts. */
  public static final class Builder {
    private String alphabet = Facade.sqidsAlphabet();
    private long minLength;
    private List<String> blocklist;

    private Builder() {}

    /**
     * Sets the characters of texts.
     *
     * @param characters at least 3 printable ASCII characters, each once; their order counts
     * @return this builder
     */
    public Builder alphabet(String characters) {
      alphabet = characters;
      return this;
    }

    /**
     * Sets the least length of texts; shorter ones are filled up.
     *
     * @param characters 0 to 255
     * @return this builder
     */
    public Builder minLength(long characters) {
      minLength = characters;
      return this;
    }

    /**
     * Sets the words that no text has, in any case of letters, instead of {@link
     * Sqids#defaultBlocklist()}.
     *
     * @param words any words; none for no blocklist
     * @return this builder
     */
    public Builder blocklist(Collection<String> words) {
      blocklist = Collections.unmodifiableList(new ArrayList<>(words));
      return this;
    }

    /**
     * Returns the texts.
     *
     * @return with these options
     * @throws BadArgumentException {@code option_invalid}
     */
    public Sqids build() {
      return new Sqids(this);
    }
  }
}
