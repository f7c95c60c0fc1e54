package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Sqids and Hashids as objects of Java; texts are in the vectors. */
class SqidsTest {
  private static Sqids avoiding(String... words) {
    return Sqids.builder().blocklist(Arrays.asList(words)).build();
  }

  @Test
  void sqids_are_equal_where_their_options_are() {
    assertEquals(Sqids.create(), Sqids.create());
    assertEquals(Sqids.create().hashCode(), Sqids.create().hashCode());
    assertEquals(avoiding("word", "text"), avoiding("text", "word"));
    assertEquals(avoiding("word", "text").hashCode(), avoiding("text", "word").hashCode());
    assertNotEquals(avoiding("word"), avoiding("text"));
    assertNotEquals(Sqids.create(), Sqids.builder().blocklist(Collections.emptySet()).build());
    assertNotEquals(Sqids.create(), Sqids.builder().minLength(1).build());
    assertNotEquals(Sqids.create(), Sqids.builder().alphabet("abc").build());
    assertNotEquals(Sqids.create(), "sqids");
  }

  @Test
  void hashids_are_equal_where_their_salt_and_options_are() {
    assertEquals(new Hashids("salt", 5), new Hashids("salt", 5));
    assertEquals(new Hashids("salt", 5).hashCode(), new Hashids("salt", 5).hashCode());
    assertNotEquals(new Hashids("salt"), new Hashids("pepper"));
    assertNotEquals(new Hashids("salt"), new Hashids("salt", 5));
    assertNotEquals(new Hashids("salt", 0), new Hashids("salt", 0, "abcdefgh12345678"));
    assertNotEquals(new Hashids(), "hashids");
  }
}
