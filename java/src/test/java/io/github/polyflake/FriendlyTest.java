package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Friendly forms in zones, and explain: what Java adds to the core. Forms and rankings are in the vectors. */
class FriendlyTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant BACK = Instant.parse("2026-10-25T01:00:00Z"); // from 03:00 to 02:00

  @Test
  void ids_of_a_zone_read_back_but_for_the_hour_that_comes_twice() {
    Layout layout = Layout.of("polyflake");
    for (int i = 0; i < 1000; i++) {
      Instant time = BACK.plusMillis((i - 500) * 179_999L);
      long id = layout.encode(time, i, Collections.singletonMap("worker", i));
      String text = layout.friendly(id, BERLIN);
      if (Duration.between(time, BACK).abs().compareTo(Duration.ofHours(1)) < 0) {
        BadArgumentException refusal =
            assertThrows(BadArgumentException.class, () -> layout.fromFriendly(text, BERLIN));
        assertEquals("text_invalid", refusal.code());
        assertEquals(id, layout.fromFriendly(text, ZoneOffset.ofHours(time.isBefore(BACK) ? 2 : 1)));
      } else {
        assertEquals(id, layout.fromFriendly(text, BERLIN));
      }
    }
  }

  @Test
  void zones_are_known_to_the_end_of_every_layout() {
    Layout wide = Layout.of("timestamp:62 sequence:1 tick=1ms epoch=2020-01-01T00:00:00.000Z");
    assertEquals(Long.MAX_VALUE, wide.fromFriendly(wide.friendly(Long.MAX_VALUE, BERLIN), BERLIN));
  }

  @Test
  void a_wrong_text_has_a_position() {
    BadArgumentException refusal = assertThrows(BadArgumentException.class,
        () -> Layout.of("polyflake").fromFriendly("20220320133617924-05-0"));
    assertEquals("text_invalid", refusal.code());
    assertEquals(OptionalInt.of(18), refusal.position());
  }

  @Test
  void nothing_given_is_a_null_pointer_exception() {
    Layout layout = Layout.of("polyflake");
    assertThrows(NullPointerException.class, () -> layout.friendly(1, null));
    assertThrows(NullPointerException.class, () -> layout.fromFriendly(null));
    assertThrows(NullPointerException.class, () -> layout.fromFriendly("20200101000000000-0-0", null));
    assertThrows(NullPointerException.class, () -> Polyflake.explain(1, null));
  }

  @Test
  void explain_takes_the_present_where_none_is_given() {
    try (Generator generator = Generator.builder().worker(1).build()) {
      long id = generator.nextId();
      Explanation first = Polyflake.explain(id).get(0);
      assertEquals("polyflake", first.preset());
      assertTrue(first.plausible());
      assertEquals(Optional.of(Polyflake.decode(id)), first.parts());
      assertEquals(Optional.empty(), first.whyNot());
    }
  }

  @Test
  void an_explanation_says_why_its_time_is_not_plausible() {
    List<Explanation> all = Polyflake.explain(-1);
    Explanation last = all.get(all.size() - 1);
    assertFalse(last.plausible());
    assertEquals(Optional.of("too_wide"), last.whyNot());
    assertEquals(Optional.empty(), last.parts());
    assertTrue(last.toString().contains("too_wide"), last.toString());
    assertThrows(UnsupportedOperationException.class, () -> all.remove(0));
  }

  @Test
  void a_present_beyond_milliseconds_is_refused() {
    BadArgumentException refusal =
        assertThrows(BadArgumentException.class, () -> Polyflake.explain(1, Instant.MAX));
    assertEquals("option_invalid", refusal.code());
  }
}
