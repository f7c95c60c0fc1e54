package io.github.polyflake;

import io.github.polyflake.internal.NativeCodec;
import io.github.polyflake.internal.NativeLibrary;

/**
 * Writes ids as short, strict text that sorts like the number, and reads them back.
 *
 * <pre>{@code
 * Codec codec = Codec.of("base62");
 * String text = codec.encode(id);   // 11 characters
 * long same = codec.decode(text);
 * }</pre>
 *
 * <p>Names: {@code decimal}, {@code hex} (16 characters), {@code crockford32} (13), {@code base36}
 * (13), {@code base58} (11), {@code base62} (11), and for interchange {@code zbase32} and
 * {@code base58-flickr}. Texts of one width sort like their ids, except in the last two codecs. A
 * codec hides nothing: any reader of a text can read the id's time.
 *
 * <p>Immutable, never blocks. Codecs are equal if their names and options are equal.
 *
 * <p><b>Thread safety.</b> Any number of threads may use one codec.
 */
public final class Codec {
  private final NativeCodec handle;
  private final String name;
  private final int width;
  private final boolean check;
  private final Radix radix; // null if texts differ in length or end in a check symbol

  private Codec(NativeCodec handle) {
    this.handle = handle;
    name = handle.name();
    width = handle.width();
    check = handle.check();
    radix = width > 0 && !check ? new Radix(handle.digits(), width) : null;
  }

  /**
   * Returns a codec with its default width and no check symbol.
   *
   * @param name the name of the codec
   * @return the codec
   * @throws BadArgumentException {@code option_invalid} for an unknown name
   */
  public static Codec of(String name) {
    return builder(name).build();
  }

  /**
   * Returns a builder of a codec with options.
   *
   * @param name the name of the codec
   * @return a builder
   */
  public static Builder builder(String name) {
    NativeLibrary.require();
    return new Builder(name);
  }

  /**
   * Returns the text of an id.
   *
   * @param id any 64 bits, read as unsigned
   * @return ASCII text
   * @throws BadArgumentException {@code id_out_of_range} if the id needs more characters than
   *     {@link #width()}
   */
  public String encode(long id) {
    String text = radix == null ? null : radix.write(id);
    return text == null ? handle.encode(id) : text;
  }

  /**
   * Returns the id of a text. Accepts the texts that {@link #encode(long)} writes; in
   * {@code crockford32} also other case, I and L as 1, and O as 0.
   *
   * @param text an id in this codec
   * @return the id; negative from 2<sup>63</sup> on
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range} from 2<sup>64</sup>
   *     on, each with the position of the wrong character
   */
  public long decode(String text) {
    long id = radix == null ? Radix.LEFT : radix.read(text);
    return id == Radix.LEFT ? handle.decode(text) : id;
  }

  /**
   * Returns the texts of many ids.
   *
   * @param ids any 64 bits each, read as unsigned
   * @return their texts, in the same order
   * @throws BadArgumentException as {@link #encode(long)}; the message contains the index
   */
  public String[] encodeMany(long... ids) {
    if (radix == null) {
      return handle.encodeMany(ids);
    }
    String[] texts = new String[ids.length];
    for (int i = 0; i < ids.length; i++) {
      texts[i] = radix.write(ids[i]);
      if (texts[i] == null) {
        return handle.encodeMany(ids);
      }
    }
    return texts;
  }

  /**
   * Returns the ids of many texts.
   *
   * @param texts ids in this codec
   * @return the ids, in the same order
   * @throws BadArgumentException as {@link #decode(String)}; the message contains the index
   */
  public long[] decodeMany(String... texts) {
    if (radix == null) {
      return handle.decodeMany(texts);
    }
    long[] ids = new long[texts.length];
    for (int i = 0; i < texts.length; i++) {
      ids[i] = radix.read(texts[i]);
      if (ids[i] == Radix.LEFT) {
        return handle.decodeMany(texts);
      }
    }
    return ids;
  }

  /**
   * Returns the name of this codec.
   *
   * @return a name from the list of codecs above
   */
  public String name() {
    return name;
  }

  /**
   * Returns the digits of this codec, in the order of their values.
   *
   * @return one character for each value
   */
  public String digits() {
    return handle.digits();
  }

  /**
   * Returns the number of characters of every text, without the check symbol.
   *
   * @return the width; 0 if each text is as short as its id allows
   */
  public int width() {
    return width;
  }

  /**
   * Returns whether texts of this codec end in a check symbol.
   *
   * @return true if the codec was built with a check symbol
   */
  public boolean check() {
    return check;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Codec && name.equals(((Codec) other).name) && width == ((Codec) other).width
        && check == ((Codec) other).check;
  }

  @Override
  public int hashCode() {
    return name.hashCode() + 31 * width + (check ? 1 : 0);
  }

  @Override
  public String toString() {
    return "Codec(" + name + ", width=" + width + ", check=" + check + ")";
  }

  /** The options of a {@link Codec}; {@link #build()} checks them. */
  public static final class Builder {
    private final String name;
    private Long width; // null for the codec's default
    private boolean check;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets the number of characters of every text, without the check symbol.
     *
     * @param characters 0 (as few as the id needs) to the number that 2<sup>64</sup> - 1 needs
     * @return this builder
     */
    public Builder width(long characters) {
      width = characters;
      return this;
    }

    /**
     * Adds or omits a check symbol at the end of each text, which detects every wrong character;
     * none if not called. Only {@code crockford32} has one.
     *
     * @param check true if texts end in a check symbol
     * @return this builder
     */
    public Builder check(boolean check) {
      this.check = check;
      return this;
    }

    /**
     * Returns a codec with these options.
     *
     * @return the codec
     * @throws BadArgumentException {@code option_invalid} for an unknown name or an option that the
     *     codec does not have
     */
    public Codec build() {
      return new Codec(width == null ? new NativeCodec(name, check) : new NativeCodec(name, width, check));
    }
  }
}
