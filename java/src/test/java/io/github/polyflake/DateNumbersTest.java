package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Facts about numbers of dates beyond the vectors. */
class DateNumbersTest {
  private static final DateNumbers ORDERS = DateNumbers.of("yyyyMMdd", 6, "ORD");

  @Test
  void numbers_are_made_taken_apart_printed_and_read() {
    long number = ORDERS.number(20230414, 1);
    assertEquals(20230414000001L, number);
    assertEquals("DateNumbers.Parts(label=20230414, count=1)", ORDERS.parts(number).toString());
    assertEquals("ORD20230414000001", ORDERS.text(number));
    assertEquals(number, ORDERS.parse("ORD20230414000001"));
    assertEquals(3, refused("text_invalid", () -> ORDERS.parse("ORD20231314000001")).position().getAsInt());
  }

  @Test
  void numbers_that_are_none_are_refused() {
    refused("field_out_of_range", () -> ORDERS.number(20230414, 0));
    refused("field_out_of_range", () -> ORDERS.number(20230414, -1));
    refused("field_out_of_range", () -> ORDERS.number(-20230414, 1));
    refused("field_out_of_range", () -> ORDERS.number(20230230, 1));
    for (long number : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 20230414000000L}) {
      refused("field_out_of_range", () -> ORDERS.parts(number));
      refused("field_out_of_range", () -> ORDERS.text(number));
    }
    assertThrows(NullPointerException.class, () -> ORDERS.parse(null));
    assertThrows(NullPointerException.class, () -> DateNumbers.of(null, 6, ""));
    assertThrows(NullPointerException.class, () -> DateNumbers.of("yyyy", 6, null));
  }

  @Test
  void numbers_with_the_same_options_are_equal() {
    DateNumbers same = DateNumbers.of("yyyyMMdd", 6, "ORD");
    assertEquals(ORDERS, same);
    assertEquals(ORDERS.hashCode(), same.hashCode());
    assertNotEquals(ORDERS, DateNumbers.of("yyyyMM", 6, "ORD"));
    assertNotEquals(ORDERS, DateNumbers.of("yyyyMMdd", 7, "ORD"));
    assertNotEquals(ORDERS, DateNumbers.of("yyyyMMdd", 6, ""));
    assertEquals("DateNumbers(period=yyyyMMdd, digits=6, prefix='ORD')", ORDERS.toString());
    DateNumbers.Parts parts = ORDERS.parts(20230414000001L);
    assertEquals(parts, same.parts(20230414000001L));
    assertEquals(parts.hashCode(), same.parts(20230414000001L).hashCode());
    assertNotEquals(parts, ORDERS.parts(20230414000002L));
    assertNotEquals(parts, ORDERS.parts(20230415000001L));
  }
}
