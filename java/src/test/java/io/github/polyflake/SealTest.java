package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Private ids in Java; what every language must do is in the vectors. */
class SealTest {
  private static final byte[] KEY = key(32);

  @TempDir
  Path folder;

  private static byte[] key(int size) {
    byte[] key = new byte[size];
    for (int i = 0; i < size; i++) {
      key[i] = (byte) i;
    }
    return key;
  }

  private Path keyFile(String text, String mode) throws Exception {
    Path file = folder.resolve("sch\u00fc\u4e2d\ud83d\ude00.key");
    Files.write(file, text.getBytes(StandardCharsets.US_ASCII));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return file;
  }

  @Test
  void a_million_random_ids_go_in_and_out() {
    Random dice = new Random(20200101);
    for (int bits : new int[] {63, 64}) {
      Seal seal = Seal.builder(KEY).tweak("order").bits(bits).build();
      long[] ids = dice.longs(500_000).map(id -> bits == 64 ? id : id & Long.MAX_VALUE).toArray();
      String[] texts = seal.encodeMany(ids);
      assertArrayEquals(ids, seal.decodeMany(texts));
      Set<String> different = new HashSet<>(Arrays.asList(texts));
      assertEquals(Arrays.stream(ids).distinct().count(), different.size());
      for (int i = 0; i < 5000; i++) {
        long sealed = seal.seal(ids[i]);
        assertTrue(bits == 64 || sealed >= 0);
        assertEquals(ids[i], seal.unseal(sealed));
        assertEquals(texts[i], seal.encode(ids[i]));
      }
    }
  }

  @Test
  void a_text_has_eleven_characters_unless_a_codec_is_named() {
    Seal seal = Seal.of(KEY, "order");
    assertEquals(11, seal.encode(7).length());
    assertEquals(String.format("%016x", seal.seal(7)), seal.encode(7, "hex"));
    assertEquals(7, seal.decode(seal.encode(7, "hex"), "hex"));
    assertArrayEquals(new String[] {seal.encode(7, "hex")}, seal.encodeMany(new long[] {7}, "hex"));
    assertArrayEquals(new long[] {7}, seal.decodeMany(new String[] {seal.encode(7, "hex")}, "hex"));
    assertEquals("option_invalid", refused(() -> seal.encode(7, "base63")).code());
  }

  @Test
  void a_tweak_is_text_or_its_bytes_and_half_of_a_character_is_refused() {
    String text = "\u00e9t\u00e9 \ud83d\ude00";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertEquals(Seal.of(KEY, text).seal(7), Seal.builder(KEY).tweak(bytes).build().seal(7));
    assertEquals(Seal.of(KEY, "").seal(7), Seal.builder(KEY).build().seal(7));
    assertNotEquals(Seal.of(KEY, "order").seal(7), Seal.of(KEY, "user").seal(7));
    assertEquals("option_invalid", refused(() -> Seal.of(KEY, "a\ud800")).code());
    assertArrayEquals(bytes, Seal.of(KEY, text).tweak());
    assertArrayEquals(new byte[0], Seal.builder(KEY).build().tweak());
  }

  @Test
  void a_tweak_in_bytes_cannot_be_changed_through_its_seal() {
    byte[] given = {1, 2};
    Seal seal = Seal.builder(KEY).tweak(given).build();
    given[0] = 3;
    seal.tweak()[0] = 4;
    assertArrayEquals(new byte[] {1, 2}, seal.tweak());
  }

  @Test
  void the_array_of_the_key_can_be_wiped_once_the_seal_is_built() {
    byte[] key = KEY.clone();
    Seal seal = Seal.of(key, "order");
    Arrays.fill(key, (byte) 0);
    assertEquals(Seal.of(KEY, "order").seal(7), seal.seal(7));
  }

  @Test
  void null_is_refused_as_everywhere_in_java() {
    assertThrows(NullPointerException.class, () -> Seal.of(null, "order"));
    for (Executable call : new Executable[] {
      () -> Seal.of(KEY, null), () -> Seal.builder(KEY).tweak((byte[]) null)
    }) {
      assertEquals("tweak", assertThrows(NullPointerException.class, call).getMessage());
    }
    assertThrows(NullPointerException.class, () -> Seal.builder((Path) null));
    assertThrows(NullPointerException.class, () -> Seal.builder(KEY).keyId(null));
    assertThrows(NullPointerException.class, () -> Seal.of(KEY, "order").decode(null));
    assertThrows(NullPointerException.class, () -> SealRing.of((Seal) null));
    assertThrows(NullPointerException.class, () -> SealRing.of(Seal.of(KEY, "order")).unseal(7, null));
  }

  @Test
  void nothing_shows_the_key() {
    byte[] secret = "hunter2hunter2!!".getBytes(StandardCharsets.US_ASCII);
    Seal seal = Seal.builder(secret).keyId("k1").build();
    assertEquals("Seal(<key>, tweak='', bits=63, keyId=k1)", seal.toString());
    assertEquals("SealRing[Seal(<key>, tweak='', bits=63, keyId=k1)]", SealRing.of(seal).toString());
    assertEquals("Seal(<key>, tweak='order', bits=63, keyId=null)", Seal.of(KEY, "order").toString());
    byte[] tweak = {0, -1};
    assertEquals("Seal(<key>, tweak=<2 bytes>, bits=63, keyId=null)",
        Seal.builder(KEY).tweak(tweak).build().toString());
    assertFalse(refused(() -> Seal.builder(secret).bits(62).build()).getMessage().contains("hunter"));
    assertEquals(Optional.of("k1"), seal.keyId());
    assertEquals(Optional.empty(), Seal.of(KEY, "").keyId());
  }

  @Test
  void the_fault_of_a_text_has_a_position_and_its_index_is_in_the_message() {
    Seal seal = Seal.builder(KEY).keyId("k1").build();
    String good = seal.encode(7);
    BadArgumentException error = refused(() -> seal.decodeMany(good, good.substring(0, 13) + "-"));
    assertEquals("text_invalid", error.code());
    assertEquals(OptionalInt.of(13), error.position());
    assertTrue(error.getMessage().contains("text 1 of the list"), error.getMessage());
    assertTrue(refused(() -> seal.encodeMany(1, -1)).getMessage().contains("id 1 of the list"));
  }

  @Test
  void a_key_file_has_hex_digits_whatever_its_name_is() throws Exception {
    StringBuilder hex = new StringBuilder();
    for (byte one : KEY) {
      hex.append(String.format("%02X", one));
    }
    Path file = keyFile(hex + "\n", "rw-------");
    assertEquals(Seal.of(KEY, "order").seal(7), Seal.fromFile(file, "order").seal(7));
    Seal seal = Seal.builder(file).bits(64).keyId("k1").build();
    assertEquals(64, seal.bits());
    assertTrue(seal.encode(-1).startsWith("k1_"));
  }

  @Test
  void a_key_file_that_is_wrong_is_refused_without_its_content() throws Exception {
    Path file = keyFile("c0ffeec0ffee", "rw-------");
    BadArgumentException error = refused(() -> Seal.fromFile(file, ""));
    assertEquals("text_invalid", error.code());
    assertEquals(OptionalInt.of(12), error.position());
    assertFalse(error.getMessage().contains("c0ffee"), error.getMessage());
    keyFile("c0ffee", "rw-r--r--");
    assertTrue(refused(() -> Seal.fromFile(file, "")).getMessage().contains("chmod"));
    Files.delete(file);
    assertEquals("option_invalid", refused(() -> Seal.fromFile(file, "")).code());
  }

  @Test
  void a_key_file_in_an_archive_is_refused() throws Exception {
    URI archive = URI.create("jar:" + folder.resolve("keys.zip").toUri());
    try (FileSystem inside = FileSystems.newFileSystem(archive, Collections.singletonMap("create", "true"))) {
      Path file = inside.getPath(keyFile("00", "rw-------").toString());
      assertEquals("option_invalid", refused(() -> Seal.builder(file)).code());
    }
  }

  @Test
  void a_ring_seals_by_its_first_seal_and_opens_by_the_key_id() {
    Seal old = Seal.builder(key(16)).keyId("1").build();
    Seal current = Seal.builder(KEY).keyId("2").build();
    SealRing ring = SealRing.of(current, old);
    assertEquals(List.of(current, old), ring.seals());
    assertEquals(current.encode(7), ring.encode(7));
    assertArrayEquals(new long[] {7, 8}, ring.decodeMany(old.encode(7), current.encode(8)));
    assertEquals(7, ring.unseal(old.seal(7), "1"));
    assertEquals("option_invalid", refused(() -> ring.unseal(7, "3")).code());
    assertEquals("option_invalid", refused(() -> ring.unseal(7)).code());
    Seal first = Seal.of(KEY, "");
    assertEquals(7, SealRing.of(current, first).unseal(first.seal(7)));
    assertArrayEquals(new String[] {current.encode(7, "hex")}, ring.encodeMany(new long[] {7}, "hex"));
    assertArrayEquals(new long[] {7}, ring.decodeMany(new String[] {old.encode(7, "hex")}, "hex"));
    assertEquals(OptionalInt.of(0), refused(() -> ring.decode("3" + old.encode(7).substring(1))).position());
    assertThrows(UnsupportedOperationException.class, () -> ring.seals().add(old));
    assertEquals("option_invalid", refused(SealRing::of).code());
  }

  @Test
  void threads_share_a_seal_while_others_are_dropped() {
    Seal seal = Seal.of(KEY, "order");
    String[] expected = seal.encodeMany(IntStream.range(0, 20_000).asLongStream().toArray());
    IntStream.range(0, 80_000).parallel().forEach(i -> {
      if (i % 4 == 0) {
        assertEquals(expected[i / 4], Seal.of(KEY, "order").encode(i / 4));
      } else {
        assertEquals(expected[i / 4], seal.encode(i / 4));
      }
    });
  }
}
