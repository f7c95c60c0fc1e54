package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.NativeCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codecs as objects of Java, and many at once; single texts are in the vectors. */
class CodecTest {
  private static final int MANY = 200_000;

  /** Ids of every length, 64 bits among them. */
  private static long[] randomIds(int count) {
    long[] ids = new Random(20220320).longs(count).toArray();
    for (int i = 0; i < count; i += 2) {
      ids[i] >>>= i / 2 % 64;
    }
    return ids;
  }

  private static NativeCodec core(String name, long width) {
    return new NativeCodec(name, width, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"decimal", "hex", "crockford32", "base36", "base58", "base62", "zbase32", "base58-flickr"})
  void many_random_ids_are_read_back(String name) {
    long[] ids = randomIds(MANY);
    Codec codec = Codec.of(name);
    assertTrue(Arrays.equals(ids, codec.decodeMany(codec.encodeMany(ids))));
  }

  @ParameterizedTest
  @CsvSource({"decimal, 20", "hex, 16", "crockford32, 13", "base36, 13", "base58, 11", "base62, 11"})
  void many_texts_of_one_width_sort_like_their_ids(String name, int width) {
    long[] ids = randomIds(MANY);
    Arrays.setAll(ids, i -> ids[i] + Long.MIN_VALUE); // as signed numbers they then sort like unsigned ones
    Arrays.sort(ids);
    Arrays.setAll(ids, i -> ids[i] + Long.MIN_VALUE);
    String[] texts = Codec.builder(name).width(width).build().encodeMany(ids);
    for (int i = 1; i < texts.length; i++) {
      assertTrue(texts[i].length() == width && texts[i - 1].compareTo(texts[i]) <= 0, texts[i]);
    }
  }

  /** What is counted out in Java is what the core counts out, in every width, for what fits and what does not. */
  @ParameterizedTest
  @CsvSource({"decimal, 20", "hex, 16", "crockford32, 13", "base36, 13", "base58, 11", "base62, 11", "zbase32, 13",
    "base58-flickr, 11"})
  void digits_of_java_are_those_of_the_core(String name, int fullWidth) {
    for (int width = 1; width <= fullWidth; width++) {
      long[] ids = randomIds(width == fullWidth ? 100_000 : 500);
      NativeCodec core = core(name, width);
      Codec codec = Codec.builder(name).width(width).build();
      Radix radix = new Radix(core.digits(), width);
      for (long id : ids) {
        String text = radix.write(id);
        if (text == null) {
          sameOutcome(() -> core.encode(id), () -> codec.encode(id));
        } else {
          assertEquals(core.encode(id), text);
          assertEquals(id, radix.read(text));
          assertEquals(id, codec.decode(text));
        }
      }
    }
  }

  /** Texts that differ from one that is read in a character, or are longer or shorter. */
  @ParameterizedTest
  @CsvSource({"hex, 16", "crockford32, 13", "base36, 13", "base58, 11", "base62, 11", "zbase32, 13"})
  void what_is_refused_is_refused_by_the_core(String name, int width) {
    NativeCodec core = core(name, width);
    Codec codec = Codec.builder(name).width(width).build();
    Random random = new Random(7);
    String odd = "-_ +/\u0000\u0080\u00b1\u0130\u0160\u0660\uff10\ud800~IiLlOoUuZz09";
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder(core.encode(random.nextLong()));
      char c = random.nextBoolean() ? odd.charAt(random.nextInt(odd.length()))
          : core.digits().charAt(random.nextInt(core.digits().length()));
      switch (random.nextInt(4)) {
        case 0:
          text.insert(random.nextInt(text.length() + 1), c);
          break;
        case 1:
          text.deleteCharAt(random.nextInt(text.length()));
          break;
        default:
          text.setCharAt(random.nextInt(3) == 0 ? 0 : random.nextInt(text.length()), c);
      }
      sameOutcome(() -> core.decode(text.toString()), () -> codec.decode(text.toString()));
    }
  }

  private static void sameOutcome(Callable<?> expected, Callable<?> found) {
    assertEquals(outcomeOf(expected), outcomeOf(found));
  }

  private static String outcomeOf(Callable<?> call) {
    try {
      return String.valueOf(call.call());
    } catch (BadArgumentException e) {
      return e.code() + e.position() + e.getMessage();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void digits_of_java_leave_to_the_core_what_they_do_not_know() {
    Radix radix = new Radix(Codec.of("crockford32").digits(), 13);
    assertNull(radix.write(-1));
    assertEquals(Radix.LEFT, radix.read("FZZZZZZZZZZZZ")); // 2^64 - 1
    assertEquals(Radix.LEFT, radix.read("G000000000000"));
    assertEquals(Radix.LEFT, radix.read("000000000000i"));
    assertEquals(Radix.LEFT, radix.read("00000000000\u012f0"));
    assertEquals(Radix.LEFT, radix.read(""));
    assertEquals(-1, Codec.of("crockford32").decode("FZZZZZZZZZZZZ"));
    assertEquals("FZZZZZZZZZZZZ", Codec.of("crockford32").encode(-1));
    assertEquals(1, Codec.of("crockford32").decode("000000000000i"));
  }

  @Test
  void many_are_what_one_by_one_are() {
    long[] ids = randomIds(2000);
    for (Codec codec : new Codec[] {Codec.of("decimal"), Codec.of("base62"), Codec.of("crockford32"),
      Codec.builder("crockford32").check(true).build()}) {
      String[] texts = new String[ids.length];
      Arrays.setAll(texts, i -> codec.encode(ids[i]));
      assertArrayEquals(texts, codec.encodeMany(ids));
      assertArrayEquals(ids, codec.decodeMany(texts));
    }
    assertEquals(0, Codec.of("base62").encodeMany().length);
    assertEquals(0, Codec.of("base62").decodeMany().length);
  }

  @Test
  void a_codec_is_shared_by_threads() throws Exception {
    long[] ids = randomIds(200_000);
    Codec codec = Codec.of("base62");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> parts = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        parts.add(threads.submit(() -> {
          for (long id : ids) {
            assertEquals(id, codec.decode(codec.encode(id)));
          }
        }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void codecs_are_equal_when_name_and_options_are() {
    Codec codec = Codec.of("base62");
    Codec same = Codec.builder("base62").width(11).check(false).build();
    assertEquals(codec, same);
    assertEquals(codec.hashCode(), same.hashCode());
    Set<Codec> different = new HashSet<>(Arrays.asList(codec, same, Codec.builder("base62").width(0).build(),
        Codec.of("base58"), Codec.of("crockford32"), Codec.builder("crockford32").check(true).build()));
    assertEquals(5, different.size());
    assertNotEquals("base62", codec);
    assertNotEquals(null, codec);
  }

  @Test
  void a_codec_prints_readably_and_says_what_it_is() {
    Codec codec = Codec.builder("crockford32").width(0).check(true).build();
    assertEquals("Codec(crockford32, width=0, check=true)", codec.toString());
    assertEquals("crockford32", codec.name());
    assertEquals("0123456789ABCDEFGHJKMNPQRSTVWXYZ", codec.digits());
    assertEquals(0, codec.width());
    assertTrue(codec.check());
  }

  @Test
  void null_is_refused() {
    for (Codec codec : new Codec[] {Codec.of("base62"), Codec.of("decimal")}) {
      assertThrows(NullPointerException.class, () -> codec.decode(null));
      assertThrows(NullPointerException.class, () -> codec.encodeMany((long[]) null));
      assertThrows(NullPointerException.class, () -> codec.decodeMany((String[]) null));
      assertThrows(NullPointerException.class, () -> codec.decodeMany("0", null));
    }
    assertThrows(NullPointerException.class, () -> Codec.of(null));
    assertThrows(NullPointerException.class, () -> Codec.builder(null).build());
  }

  @Test
  void a_refusal_among_many_says_which_and_where() {
    Codec codec = Codec.of("base62");
    PolyflakeException e = refused("text_invalid", () -> codec.decodeMany("00000000000", "000-0000000"));
    assertTrue(e.getMessage().contains("text 1 of the list"), e::getMessage);
    assertEquals(OptionalInt.of(3), e.position());
    Codec narrow = Codec.builder("base62").width(2).build();
    e = refused("id_out_of_range", () -> narrow.encodeMany(0, 1, 62 * 62));
    assertTrue(e.getMessage().contains("id 2 of the list"), e::getMessage);
  }

  @Test
  void options_that_a_codec_does_not_have_are_refused() {
    refused("option_invalid", () -> Codec.of("Base62"));
    refused("option_invalid", () -> Codec.builder("base62").check(true).build());
    for (long width : new long[] {-1, 12, Long.MAX_VALUE, Long.MIN_VALUE}) {
      refused("option_invalid", () -> Codec.builder("base62").width(width).build());
    }
  }
}
