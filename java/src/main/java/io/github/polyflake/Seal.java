package io.github.polyflake;

import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeSeal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * A keyed permutation of ids, for numbers and texts that go out instead of ids and tell neither time nor volume.
 *
 * <pre>{@code
 * Seal seal = Seal.fromFile(Paths.get("/run/secrets/ids"), "order");
 * String text = seal.encode(id);   // 11 characters
 * long same = seal.decode(text);
 * }</pre>
 *
 * <p>FF1 with AES, of NIST SP 800-38G. A seal is no signature: every text that fits gives some id, so look it up, as
 * always. It hides neither that two ids are equal nor that there is one.
 *
 * <p>Immutable, safe for use by several threads, never blocks once it is built. What AES made of the key is wiped when the
 * next seal, codec or generator is made after the collector has found the seal dead. The array of the key is the caller's:
 * {@code Arrays.fill(key, (byte) 0)} wipes it, once the seal is built, but not what the collector left behind where it moved
 * the array before. A key that {@link #fromFile} reads is in no array of Java's.
 */
public final class Seal {
  static final String CODEC = "base62";

  final NativeSeal handle;
  private final byte[] tweak;
  private final String shownTweak;
  private final int bits;
  private final String keyId;

  private Seal(NativeSeal handle, Builder made) {
    this.handle = handle;
    tweak = made.tweak;
    shownTweak = made.shownTweak;
    bits = (int) made.bits;
    keyId = made.keyId;
  }

  /**
   * A seal of 63 bits without a key id.
   *
   * @param key 16, 24 or 32 random bytes
   * @param tweak what the ids are of, as {@link Builder#tweak(String)}
   * @return the seal
   * @throws BadArgumentException {@code option_invalid}
   */
  public static Seal of(byte[] key, String tweak) {
    return builder(key).tweak(tweak).build();
  }

  /**
   * The same of a key in a file, as {@link #builder(Path)}. Blocks: file I/O.
   *
   * @param path of the file
   * @param tweak what the ids are of, as {@link Builder#tweak(String)}
   * @return the seal
   * @throws BadArgumentException {@code option_invalid}, and {@code text_invalid} with the position in the file
   */
  public static Seal fromFile(Path path, String tweak) {
    return builder(path).tweak(tweak).build();
  }

  /**
   * A seal with options.
   *
   * @param key 16, 24 or 32 random bytes
   * @return a builder, which makes no copy: wipe the array when the seal is built, since one that was wiped before is a key
   *     of zeros to {@link Builder#build()}
   */
  public static Builder builder(byte[] key) {
    return new Builder(Objects.requireNonNull(key, "key"), null);
  }

  /**
   * A seal with options, of a key in a file: 32, 48 or 64 hex digits, and at most one line end;
   * {@code openssl rand -hex 32} prints one. The file must be a plain one, and not be readable by everybody or writable by
   * others than its owner. What it has is in no message.
   *
   * @param path of the file, which {@link Builder#build()} reads: that one blocks
   * @return a builder
   * @throws BadArgumentException {@code option_invalid} for a path of another file system than the default one
   */
  public static Builder builder(Path path) {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw PolyflakeException.refuse("option_invalid", "a key file must be one of the default file system");
    }
    return new Builder(null, path.toString());
  }

  /**
   * The sealed form of an id.
   *
   * @param id below 2<sup>63</sup>, or any 64 bits, read as unsigned, where bits are 64
   * @return a number of as many bits
   * @throws BadArgumentException {@code id_out_of_range}
   */
  public long seal(long id) {
    return handle.seal(id);
  }

  /**
   * The id of a sealed form. Any other number gives some id, too: look it up.
   *
   * @param sealed as {@link #seal(long)} gives it
   * @return the id
   * @throws BadArgumentException {@code id_out_of_range}
   */
  public long unseal(long sealed) {
    return handle.unseal(sealed);
  }

  /**
   * The sealed form as text of base62, behind the key id if there is one.
   *
   * @param id as {@link #seal(long)} takes it
   * @return 11 characters, without the key id
   * @throws BadArgumentException as seal()
   */
  public String encode(long id) {
    return encode(id, CODEC);
  }

  /**
   * The same in another codec.
   *
   * @param id as {@link #seal(long)} takes it
   * @param codec the name of one, as in {@link Codec}
   * @return text of the codec's full width, behind the key id if there is one
   * @throws BadArgumentException as seal(); {@code option_invalid}
   */
  public String encode(long id, String codec) {
    return handle.encode(id, codec);
  }

  /**
   * The id of a text that {@link #encode(long)} gave. Any other text that fits gives some id, too: look it up.
   *
   * @param text of base62, behind the key id if there is one
   * @return the id
   * @throws BadArgumentException with the position of the character at fault {@code text_invalid} (also of a key id that is
   *     another one), {@code id_out_of_range}
   */
  public long decode(String text) {
    return decode(text, CODEC);
  }

  /**
   * The same in another codec.
   *
   * @param text of the codec's full width, behind the key id if there is one
   * @param codec the name of one, as in {@link Codec}
   * @return the id
   * @throws BadArgumentException {@code option_invalid}; with the position of the character at fault {@code text_invalid} (also
   *     of a key id that is another one), {@code id_out_of_range}
   */
  public long decode(String text, String codec) {
    return handle.decode(text, codec);
  }

  /**
   * The texts of many ids, in base62.
   *
   * @param ids as {@link #seal(long)} takes them
   * @return their texts, in the same order
   * @throws BadArgumentException as encode(); the message has the index
   */
  public String[] encodeMany(long... ids) {
    return encodeMany(ids, CODEC);
  }

  /**
   * The same in another codec.
   *
   * @param ids as {@link #seal(long)} takes them
   * @param codec the name of one, as in {@link Codec}
   * @return their texts, in the same order
   * @throws BadArgumentException as encode(); the message has the index
   */
  public String[] encodeMany(long[] ids, String codec) {
    return handle.encodeMany(ids, codec);
  }

  /**
   * The ids of many texts in base62.
   *
   * @param texts as {@link #encode(long)} gives them
   * @return the ids, in the same order
   * @throws BadArgumentException as decode(); the message has the index
   */
  public long[] decodeMany(String... texts) {
    return decodeMany(texts, CODEC);
  }

  /**
   * The same in another codec.
   *
   * @param texts as {@link #encode(long, String)} gives them
   * @param codec the name of one, as in {@link Codec}
   * @return the ids, in the same order
   * @throws BadArgumentException as decode(); the message has the index
   */
  public long[] decodeMany(String[] texts, String codec) {
    return handle.decodeMany(texts, codec);
  }

  /**
   * What the ids are of.
   *
   * @return a copy of its bytes, UTF-8 where it was given as text
   */
  public byte[] tweak() {
    return tweak.clone();
  }

  /**
   * How many bits ids and sealed forms have.
   *
   * @return 63 or 64
   */
  public int bits() {
    return bits;
  }

  /**
   * What stands in front of each text.
   *
   * @return empty for nothing
   */
  public Optional<String> keyId() {
    return Optional.ofNullable(keyId);
  }

  @Override
  public String toString() {
    return "Seal(<key>, tweak=" + shownTweak + ", bits=" + bits + ", keyId=" + keyId + ")";
  }

  /** What a seal is made with. */
  public static final class Builder {
    private static final byte[] NOTHING = {};

    private final byte[] key;
    private final String path;
    private byte[] tweak = NOTHING;
    private String shownTweak = "";
    private long bits = 63;
    private String keyId;

    private Builder(byte[] key, String path) {
      NativeLibrary.require();
      this.key = key;
      this.path = path;
    }

    /**
     * What the ids are of, such as {@code "order"}. Ids of another tweak are sealed otherwise, and two Unicode normal forms
     * are two tweaks. No secret.
     *
     * @param tweak up to 255 bytes of UTF-8
     * @return this builder
     * @throws BadArgumentException {@code option_invalid} for half of a surrogate pair
     */
    public Builder tweak(String tweak) {
      CharBuffer text = CharBuffer.wrap(Objects.requireNonNull(tweak, "tweak"));
      try {
        ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(text);
        this.tweak = new byte[bytes.remaining()];
        bytes.get(this.tweak);
        shownTweak = tweak;
      } catch (CharacterCodingException e) {
        throw PolyflakeException.refuse("option_invalid", "tweak has half of a character");
      }
      return this;
    }

    /**
     * The same in bytes.
     *
     * @param tweak up to 255 bytes
     * @return this builder
     */
    public Builder tweak(byte[] tweak) {
      this.tweak = Objects.requireNonNull(tweak, "tweak").clone();
      shownTweak = Arrays.toString(tweak);
      return this;
    }

    /**
     * How many bits ids and sealed forms have. Never changed under a key.
     *
     * @param bits 63, the default, for ids below 2<sup>63</sup>, which become numbers that are not negative, or 64
     * @return this builder
     */
    public Builder bits(long bits) {
      this.bits = bits;
      return this;
    }

    /**
     * What to put in front of each text: see {@link SealRing}.
     *
     * @param keyId 1 to 8 of 0-9A-Za-z; case matters, whatever the codec
     * @return this builder
     */
    public Builder keyId(String keyId) {
      this.keyId = Objects.requireNonNull(keyId, "keyId");
      return this;
    }

    /**
     * The seal. Blocks where the key is in a file: file I/O.
     *
     * @return a seal with these options
     * @throws BadArgumentException {@code option_invalid}; for a file all that {@link Seal#fromFile} names
     */
    public Seal build() {
      boolean hasKeyId = keyId != null;
      String id = hasKeyId ? keyId : "";
      if (path == null) {
        return new Seal(new NativeSeal(key, tweak, bits, hasKeyId, id), this);
      }
      byte[] name = path.getBytes(StandardCharsets.UTF_8);
      return new Seal(NativeSeal.fromFile(name, tweak, bits, hasKeyId, id), this);
    }
  }
}
