package io.github.polyflake;

import static io.github.polyflake.Vector.assertId;
import static io.github.polyflake.Vector.assertText;
import static io.github.polyflake.Vector.check;
import static io.github.polyflake.Vector.fields;
import static io.github.polyflake.Vector.number;
import static io.github.polyflake.Vector.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The groups of layouts: what is in an id, as parts, as friendly forms, and of which preset. */
final class LayoutVectors {
  private LayoutVectors() {}

  static void layout(JsonObject test) {
    Layout layout = Layout.of(text(test, "layout"));
    if (test.has("preset")) {
      assertEquals(Layout.of(text(test, "preset")), layout);
    }
    JsonObject expect = test.getAsJsonObject("expect");
    switch (text(test, "op")) {
      case "encode":
        long sequence = test.has("sequence") ? test.get("sequence").getAsLong() : 0;
        Map<String, Long> fields = fields(test.getAsJsonObject("fields"));
        if (test.has("tick")) {
          assertId(expect, layout.encodeTick(number(test, "tick"), sequence, fields));
        } else {
          long timeMs = number(test, "time_ms");
          long id = layout.encodeTimeMs(timeMs, sequence, fields);
          assertId(expect, id);
          assertEquals(id, layout.encode(Instant.ofEpochMilli(timeMs), sequence, fields));
        }
        break;
      case "decode":
        String decimal = text(test.getAsJsonObject("input"), "id");
        Parts parts = layout.decode(Polyflake.fromText(text(test.getAsJsonObject("input"), "hex"), "hex"));
        assertEquals(parts, layout.decode(decimal));
        assertParts(expect, parts);
        assertEquals(layout.nodeFields(), new ArrayList<>(parts.fields().keySet()));
        if (expect.has("utc")) {
          assertEquals(Instant.parse(text(expect, "utc")), parts.time());
        }
        break;
      case "first_id":
        assertId(expect, layout.firstId(Instant.ofEpochMilli(number(test, "time_ms"))));
        break;
      case "last_id":
        assertId(expect, layout.lastId(Instant.ofEpochMilli(number(test, "time_ms"))));
        break;
      default:
        throw new AssertionError("unknown op");
    }
  }

  private static void assertParts(JsonObject expect, Parts parts) {
    assertEquals(number(expect, "time_ms"), parts.timeMs());
    assertEquals(Instant.ofEpochMilli(number(expect, "time_ms")), parts.time());
    assertEquals(text(expect, "tick"), Long.toUnsignedString(parts.tick()));
    assertEquals(expect.get("sequence").getAsLong(), parts.sequence());
    assertEquals(text(expect, "node"), Long.toUnsignedString(parts.node()));
    assertEquals(fields(expect.getAsJsonObject("fields")), parts.fields());
  }

  static void friendly(JsonObject test) {
    Layout layout = Layout.of(text(test, "layout"));
    switch (text(test, "op")) {
      case "write":
        long id = Long.parseUnsignedLong(text(test.getAsJsonObject("input"), "id"));
        int offset = test.get("utc_offset_s").getAsInt();
        for (ZoneId zone : zones(test, offset)) {
          check(test, () -> assertText(test, layout.friendly(id, zone)));
        }
        if (offset == 0) {
          check(test, () -> assertText(test, layout.friendly(id)));
        }
        break;
      case "read":
        String given = text(test, "text");
        JsonArray offsets = test.getAsJsonArray("utc_offsets_s");
        List<ZoneId> zones =
            offsets.size() == 1 ? zones(test, offsets.get(0).getAsInt()) : Collections.singletonList(zone(test));
        for (ZoneId zone : zones) {
          check(test, () -> assertId(test.getAsJsonObject("expect"), layout.fromFriendly(given, zone)));
        }
        if (zones.contains(ZoneOffset.UTC)) {
          check(test, () -> assertId(test.getAsJsonObject("expect"), layout.fromFriendly(given)));
        }
        break;
      default:
        throw new AssertionError("unknown op");
    }
  }

  private static ZoneId zone(JsonObject test) {
    return ZoneId.of(text(test, "zone"));
  }

  private static List<ZoneId> zones(JsonObject test, int offset) {
    ZoneId fixed = ZoneOffset.ofTotalSeconds(offset);
    return test.has("zone") ? Arrays.asList(zone(test), fixed) : Collections.singletonList(fixed);
  }

  static void explain(JsonObject test) {
    long id = Long.parseUnsignedLong(text(test.getAsJsonObject("input"), "id"));
    List<Explanation> explanations = Polyflake.explain(id, Instant.ofEpochMilli(number(test, "now_ms")));
    JsonArray expected = test.getAsJsonArray("expect");
    assertEquals(expected.size(), explanations.size());
    for (int i = 0; i < expected.size(); i++) {
      JsonObject expect = expected.get(i).getAsJsonObject();
      Explanation explanation = explanations.get(i);
      assertEquals(text(expect, "preset"), explanation.preset());
      assertEquals(expect.get("why_not").isJsonNull(), explanation.plausible());
      assertEquals(explanation.plausible() ? null : text(expect, "why_not"), explanation.whyNot().orElse(null));
      assertEquals(!expect.get("parts").isJsonNull(), explanation.parts().isPresent());
      explanation.parts().ifPresent(parts -> assertParts(expect.getAsJsonObject("parts"), parts));
    }
  }

  static void layoutText(JsonObject test) {
    Layout layout;
    switch (text(test, "op")) {
      case "preset":
        layout = Layout.of(text(test, "name"));
        assertTrue(Polyflake.presets().contains(text(test, "name")));
        break;
      case "parse":
        layout = Layout.of(text(test, "text"));
        break;
      default:
        throw new AssertionError("unknown op");
    }
    JsonObject expect = test.getAsJsonObject("expect");
    assertEquals(text(expect, "text"), layout.toString());
    assertEquals(expect.get("tick_ms").getAsLong(), layout.tickMs());
    assertEquals(number(expect, "epoch_ms"), layout.epochMs());
    List<String> fields = new ArrayList<>();
    for (JsonElement field : expect.getAsJsonArray("fields")) {
      fields.add(field.getAsJsonArray().get(0).getAsString() + "=" + field.getAsJsonArray().get(1).getAsInt());
    }
    assertEquals("{" + String.join(", ", fields) + "}", layout.fields().toString());
  }
}
