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
 * Seals of one tweak that were current one after the other: the first one seals, all of them open. For changing keys.
 *
 * <p>Each seal has a key id of its own, one may have none; a text is opened by the seal whose key id stands in front of it.
 * An id has as many texts that are taken as there are seals: compare opened ids, not texts.
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
   * A ring of these seals.
   *
   * @param seals the current one first
   * @return the ring
   * @throws BadArgumentException {@code option_invalid} where there is no seal, or two have one key id, or none, or different
   *     tweaks
   */
  public static SealRing of(Seal... seals) {
    return new SealRing(new ArrayList<>(Arrays.asList(seals)));
  }

  /**
   * The sealed form of an id, by the first seal.
   *
   * @param id as {@link Seal#seal(long)} takes it
   * @return a number of as many bits as the seal has
   * @throws BadArgumentException {@code id_out_of_range}
   */
  public long seal(long id) {
    return handle.seal(id);
  }

  /**
   * The id of a sealed form of the seal that has no key id.
   *
   * @param sealed as {@link Seal#seal(long)} gives it
   * @return the id
   * @throws BadArgumentException {@code option_invalid} where each seal has a key id, {@code id_out_of_range}
   */
  public long unseal(long sealed) {
    return handle.unseal(sealed, false, "");
  }

  /**
   * The id of a sealed form of the seal with this key id.
   *
   * @param sealed as {@link Seal#seal(long)} gives it
   * @param keyId of the seal that gave it
   * @return the id
   * @throws BadArgumentException {@code option_invalid} where there is no such seal, {@code id_out_of_range}
   */
  public long unseal(long sealed, String keyId) {
    return handle.unseal(sealed, true, Objects.requireNonNull(keyId, "keyId"));
  }

  /**
   * The sealed form as text of base62, by the first seal.
   *
   * @param id as {@link Seal#seal(long)} takes it
   * @return 11 characters, behind the key id if there is one
   * @throws BadArgumentException as seal()
   */
  public String encode(long id) {
    return encode(id, Seal.CODEC);
  }

  /**
   * The same in another codec.
   *
   * @param id as {@link Seal#seal(long)} takes it
   * @param codec the name of one, as in {@link Codec}
   * @return text of the codec's full width, behind the key id if there is one
   * @throws BadArgumentException as seal(); {@code option_invalid}
   */
  public String encode(long id, String codec) {
    return handle.encode(id, codec);
  }

  /**
   * The id of a text in base62, by the seal whose key id stands in front of it.
   *
   * @param text as {@link #encode(long)} gives it
   * @return the id
   * @throws BadArgumentException with the position of the character at fault {@code text_invalid} (also of a key id of no
   *     seal), {@code id_out_of_range}
   */
  public long decode(String text) {
    return decode(text, Seal.CODEC);
  }

  /**
   * The same in another codec.
   *
   * @param text of the codec's full width, behind the key id if there is one
   * @param codec the name of one, as in {@link Codec}
   * @return the id
   * @throws BadArgumentException {@code option_invalid}; with the position of the character at fault {@code text_invalid} (also
   *     of a key id of no seal), {@code id_out_of_range}
   */
  public long decode(String text, String codec) {
    return handle.decode(text, codec);
  }

  /**
   * The texts of many ids, in base62.
   *
   * @param ids as {@link Seal#seal(long)} takes them
   * @return their texts, in the same order
   * @throws BadArgumentException as encode(); the message has the index
   */
  public String[] encodeMany(long... ids) {
    return encodeMany(ids, Seal.CODEC);
  }

  /**
   * The same in another codec.
   *
   * @param ids as {@link Seal#seal(long)} takes them
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
    return decodeMany(texts, Seal.CODEC);
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
   * The seals.
   *
   * @return the current one first; cannot be changed
   */
  public List<Seal> seals() {
    return seals;
  }

  @Override
  public String toString() {
    return "SealRing" + seals;
  }
}
