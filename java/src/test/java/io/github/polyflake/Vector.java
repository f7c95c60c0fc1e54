package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the runners of all groups share. */
final class Vector {
  private Vector() {}

  /** Runs the body: it must fail with the error of the test or, without one, not at all. */
  static void check(JsonObject test, Runnable body) {
    if (!test.has("error")) {
      assertTrue(test.has("expect") || test.has("ids") || test.has("first"), "nothing is expected");
      body.run();
      return;
    }
    try {
      body.run();
    } catch (PolyflakeException e) {
      assertEquals(text(test, "error"), e.code());
      if (test.has("message_has")) {
        for (JsonElement part : test.getAsJsonArray("message_has")) {
          assertTrue(e.getMessage().contains(part.getAsString()), e.getMessage());
        }
      }
      if (test.has("position")) {
        assertEquals(test.get("position").getAsInt(), e.position().orElse(-1));
      }
      return;
    }
    throw new AssertionError("not refused");
  }

  static void assertText(JsonObject test, String text) {
    assertEquals(text(test.getAsJsonObject("expect"), "text"), text);
  }

  static long inputOf(JsonObject test) {
    return Long.parseUnsignedLong(text(test.getAsJsonObject("input"), "id"));
  }

  static void assertId(JsonObject expect, long id) {
    assertEquals(Long.parseUnsignedLong(text(expect, "id")), id);
    assertEquals(text(expect, "hex"), String.format("%016x", id));
  }

  static Map<String, Long> fields(JsonObject object) {
    Map<String, Long> fields = new LinkedHashMap<>();
    for (Map.Entry<String, JsonElement> field : object.entrySet()) {
      fields.put(field.getKey(), field.getValue().getAsLong());
    }
    return fields;
  }

  static long number(JsonObject object, String name) {
    return Long.parseLong(text(object, name));
  }

  static String text(JsonObject object, String name) {
    return object.get(name).getAsString();
  }
}
