package io.github.polyflake;

import io.github.polyflake.internal.NativeCodec;
import io.github.polyflake.internal.NativeLibrary;

/**
 * How ids are written: short, strict text that sorts like the number.
 *
 * <pre>{@code
 * Codec codec = Codec.of("base62");
 * String text = codec.encode(id);   // 11 characters
 * long same = codec.decode(text);
 * }</pre>
 *
 * <p>Names: {@code decimal}, {@code hex} (16 characters), {@code crockford32} (13), {@code base36} (13), {@code base58}
 * (11), {@code base62} (11), and for interchange {@code zbase32} and {@code base58-flickr}. Texts of one width sort like
 * their ids, but for the last two. A codec hides nothing: an id's time can be read from its text.
 *
 * <p>Immutable, safe for use by several threads, never blocks. Equal when name and options are.
 */
public final class Codec {
  private final NativeCodec handle;
  private final String name;
  private final int width;
  private final boolean check;
  private final Radix radix; // null where texts differ in length or end in a check symbol

  private Codec(NativeCodec handle) {
    this.handle = handle;
    name = handle.name();
    width = handle.width();
    check = handle.check();
    radix = width > 0 && !check ? new Radix(handle.digits(), width) : null;
  }

  /**
   * A codec with the width of its own and no check symbol.
   *
   * @param name of the codec
   * @return the codec
   * @throws BadArgumentException {@code option_invalid} for an unknown name
   */
  public static Codec of(String name) {
    return builder(name).build();
  }

  /**
   * A codec with options.
   *
   * @param name of the codec
   * @return a builder
   */
  public static Builder builder(String name) {
    NativeLibrary.require();
    return new Builder(name);
  }

  /**
   * The text of an id.
   *
   * @param id any 64 bits, read as unsigned
   * @return ASCII text
   * @throws BadArgumentException {@code id_out_of_range} where the id needs more characters than the width
   */
  public String encode(long id) {
    String text = radix == null ? null : radix.write(id);
    return text == null ? handle.encode(id) : text;
  }

  /**
   * The id that {@link #encode(long)} gave this text; every other spelling is refused.
   *
   * @param text an id in this codec
   * @return the id; negative from 2<sup>63</sup> on
   * @throws BadArgumentException {@code text_invalid}, {@code id_out_of_range} from 2<sup>64</sup> on, each with
   *     the position of the character at fault
   */
  public long decode(String text) {
    long id = radix == null ? Radix.LEFT : radix.read(text);
    return id == Radix.LEFT ? handle.decode(text) : id;
  }

  /**
   * The texts of many ids.
   *
   * @param ids any 64 bits each, read as unsigned
   * @return their texts, in the same order
   * @throws BadArgumentException as {@link #encode(long)}; the message has the index
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
   * The ids of many texts.
   *
   * @param texts ids in this codec
   * @return the ids, in the same order
   * @throws BadArgumentException as {@link #decode(String)}; the message has the index
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
   * The name.
   *
   * @return as in the table of codecs
   */
  public String name() {
    return name;
  }

  /**
   * The digits, in the order of their values.
   *
   * @return one character for each value
   */
  public String digits() {
    return handle.digits();
  }

  /**
   * The number of characters of every text, a check symbol not counted.
   *
   * @return 0 for as few as an id needs
   */
  public int width() {
    return width;
  }

  /**
   * Whether texts end in a check symbol.
   *
   * @return true for a codec that was built with one
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

  /** What a codec is made with. */
  public static final class Builder {
    private final String name;
    private Long width; // null for the codec's own
    private boolean check;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * The number of characters of every text, a check symbol not counted.
     *
     * @param characters 0 for as few as the id needs, up to those of 2<sup>64</sup> - 1
     * @return this builder
     */
    public Builder width(long characters) {
      width = characters;
      return this;
    }

    /**
     * A check symbol at the end, which finds every wrong character; {@code crockford32} alone has one.
     *
     * @param check whether texts end in one
     * @return this builder
     */
    public Builder check(boolean check) {
      this.check = check;
      return this;
    }

    /**
     * The codec.
     *
     * @return a codec with these options
     * @throws BadArgumentException {@code option_invalid} for an unknown name or an option that the codec does not have
     */
    public Codec build() {
      return new Codec(width == null ? new NativeCodec(name, check) : new NativeCodec(name, width, check));
    }
  }
}
