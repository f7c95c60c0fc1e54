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
 * A keyed permutation of ids, for numbers and texts that are shown instead of ids. They reveal
 * neither the time nor the number of things made.
 *
 * <pre>{@code
 * Seal seal = Seal.fromFile(Paths.get("/run/secrets/ids"), "order");
 * String text = seal.encode(id);   // 11 characters
 * long same = seal.decode(text);
 * }</pre>
 *
 * <p>A seal is not a signature: every well-formed text gives some id, so look the id up, as always.
 * A seal hides neither that two ids are equal nor that an id exists. Source: NIST SP 800-38G, FF1
 * with AES.
 *
 * <p>Immutable, safe for use by several threads, never blocks once it is built.
 *
 * <p>The AES state of a key is wiped when the program makes a seal, codec or generator after the
 * garbage collector has found the old seal dead. The key's array belongs to the caller:
 * {@code Arrays.fill(key, (byte) 0)} wipes it once the seal is built, but not the copies that the
 * collector left in memory if it moved the array before. A key that {@link #fromFile} reads is
 * never in a Java array.
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
   * Returns a seal of 63 bits without a key id.
   *
   * @param key 16, 24 or 32 random bytes
   * @param tweak the type of the ids: {@link Builder#tweak(String)}
   * @return the seal
   * @throws BadArgumentException {@code option_invalid}
   */
  public static Seal of(byte[] key, String tweak) {
    return builder(key).tweak(tweak).build();
  }

  /**
   * Returns a seal of 63 bits without a key id, with the key from a file: see
   * {@link #builder(Path)}. Blocks: file I/O.
   *
   * @param path the path of the key file
   * @param tweak the type of the ids: {@link Builder#tweak(String)}
   * @return the seal
   * @throws BadArgumentException {@code option_invalid}; {@code text_invalid} with the position in
   *     the file
   */
  public static Seal fromFile(Path path, String tweak) {
    return builder(path).tweak(tweak).build();
  }

  /**
   * Returns a builder for a seal with options. The builder does not copy the key. Wipe the array
   * only after {@link Builder#build()}: a wiped array would be taken for a key of zeros.
   *
   * @param key 16, 24 or 32 random bytes
   * @return a builder
   */
  public static Builder builder(byte[] key) {
    return new Builder(Objects.requireNonNull(key, "key"), null);
  }

  /**
   * Returns a builder for a seal with options, with the key from a file: 32, 48 or 64 hex digits,
   * and at most one line end. {@code openssl rand -hex 32} prints one. It must be a plain file that
   * only its owner may write and not everyone may read. No message shows its content.
   *
   * @param path the path of the key file; {@link Builder#build()} reads it, and blocks for that
   * @return a builder
   * @throws BadArgumentException {@code option_invalid} if the path is not of the default file
   *     system
   */
  public static Builder builder(Path path) {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw PolyflakeException.refuse("option_invalid", "a key file must be one of the default file system");
    }
    return new Builder(null, path.toString());
  }

  /**
   * Returns the sealed form of an id.
   *
   * @param id an id below 2<sup>63</sup>, or any 64 bits, read as unsigned, if {@link #bits()} is
   *     64
   * @return a number of {@link #bits()} bits
   * @throws BadArgumentException {@code id_out_of_range}
   */
  public long seal(long id) {
    return handle.seal(id);
  }

  /**
   * Returns the id of a sealed form. A forged number also gives some id: look it up.
   *
   * @param sealed a number that {@link #seal(long)} returned
   * @return the id
   * @throws BadArgumentException {@code id_out_of_range}
   */
  public long unseal(long sealed) {
    return handle.unseal(sealed);
  }

  /**
   * Returns the sealed form of an id as text in base62, behind the key id if there is one.
   *
   * @param id an id that {@link #seal(long)} accepts
   * @return 11 characters, not counting the key id
   * @throws BadArgumentException as seal()
   */
  public String encode(long id) {
    return encode(id, CODEC);
  }

  /**
   * Returns the sealed form of an id as text in a codec, behind the key id if there is one.
   *
   * @param id an id that {@link #seal(long)} accepts
   * @param codec the name of a {@link Codec}
   * @return text of the codec's full width, behind the key id if there is one
   * @throws BadArgumentException as seal(); {@code option_invalid}
   */
  public String encode(long id, String codec) {
    return handle.encode(id, codec);
  }

  /**
   * Returns the id of a text that {@link #encode(long)} returned. A forged text of the right form
   * also gives some id: look it up.
   *
   * @param text a text in base62, behind the key id if there is one
   * @return the id
   * @throws BadArgumentException with the position of the wrong character: {@code text_invalid}
   *     (also for another key id), {@code id_out_of_range}
   */
  public long decode(String text) {
    return decode(text, CODEC);
  }

  /**
   * Returns the id of a text that {@link #encode(long, String)} returned for the same codec. A
   * forged text of the right form also gives some id: look it up.
   *
   * @param text a text of the codec's full width, behind the key id if there is one
   * @param codec the name of a {@link Codec}
   * @return the id
   * @throws BadArgumentException {@code option_invalid}; with the position of the wrong character:
   *     {@code text_invalid} (also for another key id), {@code id_out_of_range}
   */
  public long decode(String text, String codec) {
    return handle.decode(text, codec);
  }

  /**
   * Returns the sealed forms of many ids as texts in base62: {@link #encode(long)}.
   *
   * @param ids ids that {@link #seal(long)} accepts
   * @return their texts, in the same order
   * @throws BadArgumentException as encode(); the message has the index of the id
   */
  public String[] encodeMany(long... ids) {
    return encodeMany(ids, CODEC);
  }

  /**
   * Returns the sealed forms of many ids as texts in a codec: {@link #encode(long, String)}.
   *
   * @param ids ids that {@link #seal(long)} accepts
   * @param codec the name of a {@link Codec}
   * @return their texts, in the same order
   * @throws BadArgumentException as encode(); the message has the index of the id
   */
  public String[] encodeMany(long[] ids, String codec) {
    return handle.encodeMany(ids, codec);
  }

  /**
   * Returns the ids of many texts in base62: {@link #decode(String)}.
   *
   * @param texts texts that {@link #encode(long)} returned
   * @return the ids, in the same order
   * @throws BadArgumentException as decode(); the message has the index of the text
   */
  public long[] decodeMany(String... texts) {
    return decodeMany(texts, CODEC);
  }

  /**
   * Returns the ids of many texts in a codec: {@link #decode(String, String)}.
   *
   * @param texts texts that {@link #encode(long, String)} returned
   * @param codec the name of a {@link Codec}
   * @return the ids, in the same order
   * @throws BadArgumentException as decode(); the message has the index of the text
   */
  public long[] decodeMany(String[] texts, String codec) {
    return handle.decodeMany(texts, codec);
  }

  /**
   * Returns the tweak: the type of the ids.
   *
   * @return a copy of its bytes; UTF-8 if the tweak was given as text
   */
  public byte[] tweak() {
    return tweak.clone();
  }

  /**
   * Returns the number of bits of ids and sealed forms.
   *
   * @return 63 or 64
   */
  public int bits() {
    return bits;
  }

  /**
   * Returns the key id, which begins each text.
   *
   * @return empty if the seal has no key id
   */
  public Optional<String> keyId() {
    return Optional.ofNullable(keyId);
  }

  @Override
  public String toString() {
    return "Seal(<key>, tweak=" + shownTweak + ", bits=" + bits + ", keyId=" + keyId + ")";
  }

  /** The options of a seal. */
  public static final class Builder {
    private static final byte[] NOTHING = {};

    private final byte[] key;
    private final String path;
    private byte[] tweak = NOTHING;
    private String shownTweak = Integers.quoted("");
    private long bits = 63;
    private String keyId;

    private Builder(byte[] key, String path) {
      NativeLibrary.require();
      this.key = key;
      this.path = path;
    }

    /**
     * Sets the type of the ids, such as {@code "order"}. It is not a secret. Another tweak gives
     * another permutation under the same key; two Unicode normal forms of a text are two tweaks.
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
        shownTweak = Integers.quoted(tweak);
      } catch (CharacterCodingException e) {
        throw PolyflakeException.refuse("option_invalid", "tweak has half of a character");
      }
      return this;
    }

    /**
     * Sets the type of the ids as bytes: see {@link #tweak(String)}.
     *
     * @param tweak up to 255 bytes
     * @return this builder
     */
    public Builder tweak(byte[] tweak) {
      this.tweak = Objects.requireNonNull(tweak, "tweak").clone();
      shownTweak = "<" + tweak.length + " bytes>";
      return this;
    }

    /**
     * Sets the number of bits of ids and sealed forms. Never change it under a key.
     *
     * @param bits 63 (the default) for ids below 2<sup>63</sup> and sealed forms that are not
     *     negative, or 64
     * @return this builder
     */
    public Builder bits(long bits) {
      this.bits = bits;
      return this;
    }

    /**
     * Sets the key id, which begins each text: see {@link SealRing}.
     *
     * @param keyId 1 to 8 of 0-9A-Za-z; case matters, with every codec
     * @return this builder
     */
    public Builder keyId(String keyId) {
      this.keyId = Objects.requireNonNull(keyId, "keyId");
      return this;
    }

    /**
     * Returns the seal. Blocks: file I/O if the key is in a file.
     *
     * @return a seal with these options
     * @throws BadArgumentException {@code option_invalid}; for a key file, as {@link Seal#fromFile}
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
