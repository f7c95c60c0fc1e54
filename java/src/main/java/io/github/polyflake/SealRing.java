package io.github.polyflake;

import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeSealRing;
import io.github.polyflake.internal.NativeSeals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Seals of one tweak, used one after the other, for changing keys: the first one seals, all of them
 * open.
 *
 * <p>Each seal has its own key id; one of them may have none. The key id at the front of a text
 * selects the seal that opens it. One id has as many valid texts as there are seals: compare opened
 * ids, not texts.
 *
 * <p>Immutable, safe for use by several threads, never blocks.
 */
public final class SealRing {
  private final NativeSealRing handle;
  private final List<Seal> seals;

  private SealRing(List<Seal> seals) {
    NativeLibrary.require();
    this.seals = Collections.unmodifiableList(seals);
    NativeSeals all = new NativeSeals();
    for (Seal seal : seals) {
      all.add(seal.handle);
    }
    handle = new NativeSealRing(all);
  }

  /**
   * Returns a ring of these seals.
   *
   * @param seals the seals, the current one first
   * @return the ring
   * @throws BadArgumentException {@code option_invalid} if there is no seal, if two have the same
   *     key id or none, or if their tweaks differ
   */
  public static SealRing of(Seal... seals) {
    return new SealRing(new ArrayList<>(Arrays.asList(seals)));
  }

  /**
   * Returns the sealed form of an id, by the first seal.
   *
   * @param id an id that {@link Seal#seal(long)} accepts
   * @return a number of {@link Seal#bits()} bits
   * @throws BadArgumentException {@code id_out_of_range}
   */
  public long seal(long id) {
    return handle.seal(id);
  }

  /**
   * Returns the id of a sealed form, by the seal without a key id.
   *
   * @param sealed a number that {@link Seal#seal(long)} returned
   * @return the id
   * @throws BadArgumentException {@code option_invalid} if every seal has a key id,
   *     {@code id_out_of_range}
   */
  public long unseal(long sealed) {
    return handle.unseal(sealed, false, "");
  }

  /**
   * Returns the id of a sealed form, by the seal with this key id.
   *
   * @param sealed a number that {@link Seal#seal(long)} returned
   * @param keyId the key id of the seal that returned it
   * @return the id
   * @throws BadArgumentException {@code option_invalid} if no seal has this key id,
   *     {@code id_out_of_range}
   */
  public long unseal(long sealed, String keyId) {
    return handle.unseal(sealed, true, Objects.requireNonNull(keyId, "keyId"));
  }

  /**
   * Returns the sealed form of an id as text in base62, by the first seal.
   *
   * @param id an id that {@link Seal#seal(long)} accepts
   * @return 11 characters, behind the key id if there is one
   * @throws BadArgumentException as seal()
   */
  public String encode(long id) {
    return encode(id, Seal.CODEC);
  }

  /**
   * Returns the sealed form of an id as text in a codec, by the first seal.
   *
   * @param id an id that {@link Seal#seal(long)} accepts
   * @param codec the name of a {@link Codec}
   * @return text of the codec's full width, behind the key id if there is one
   * @throws BadArgumentException as seal(); {@code option_invalid}
   */
  public String encode(long id, String codec) {
    return handle.encode(id, codec);
  }

  /**
   * Returns the id of a text in base62, by the seal whose key id begins the text.
   *
   * @param text a text that {@link #encode(long)} returned
   * @return the id
   * @throws BadArgumentException with the position of the wrong character: {@code text_invalid}
   *     (also if no seal has the key id), {@code id_out_of_range}
   */
  public long decode(String text) {
    return decode(text, Seal.CODEC);
  }

  /**
   * Returns the id of a text in a codec, by the seal whose key id begins the text.
   *
   * @param text a text of the codec's full width, behind the key id if there is one
   * @param codec the name of a {@link Codec}
   * @return the id
   * @throws BadArgumentException {@code option_invalid}; with the position of the wrong character:
   *     {@code text_invalid} (also if no seal has the key id), {@code id_out_of_range}
   */
  public long decode(String text, String codec) {
    return handle.decode(text, codec);
  }

  /**
   * Returns the sealed forms of many ids as texts in base62: {@link #encode(long)}.
   *
   * @param ids ids that {@link Seal#seal(long)} accepts
   * @return their texts, in the same order
   * @throws BadArgumentException as encode(); the message has the index of the id
   */
  public String[] encodeMany(long... ids) {
    return encodeMany(ids, Seal.CODEC);
  }

  /**
   * Returns the sealed forms of many ids as texts in a codec: {@link #encode(long, String)}.
   *
   * @param ids ids that {@link Seal#seal(long)} accepts
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
    return decodeMany(texts, Seal.CODEC);
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
   * Returns the seals.
   *
   * @return the seals, the current one first; unmodifiable
   */
  public List<Seal> seals() {
    return seals;
  }

  @Override
  public String toString() {
    return "SealRing" + seals;
  }
}
