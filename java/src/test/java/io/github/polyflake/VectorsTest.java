package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Runs every vector through the public API; one that cannot be run fails. */
class VectorsTest {
  private static final String[] GROUPS = {"layout", "layout_text", "codec", "generator", "options", "published"};

  @Test
  void every_vector_holds() throws Exception {
    JsonObject all = read();
    int run = 0;
    List<String> failures = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    for (JsonElement group : all.getAsJsonArray("groups")) {
      String name = text(group.getAsJsonObject(), "name");
      groups.add(name);
      for (JsonElement test : group.getAsJsonObject().getAsJsonArray("tests")) {
        run++;
        try {
          if (needsFreshRegistry(test.getAsJsonObject())) {
            runAlone(text(test.getAsJsonObject(), "id"));
          } else {
            run(name, test.getAsJsonObject());
          }
        } catch (AssertionError | RuntimeException e) {
          failures.add(name + " " + test + ": " + e);
        }
      }
    }
    int expected = all.get("number_of_tests").getAsInt();
    System.out.println("vectors: " + (run - failures.size()) + " of " + expected + " passed (java)");
    assertTrue(failures.isEmpty(), () -> failures.size() + " failures, first " + failures.get(0));
    assertEquals(expected, run);
    assertEquals(List.of(GROUPS), groups);
  }

  private static JsonObject read() throws IOException {
    byte[] bytes = Files.readAllBytes(Paths.get(System.getProperty("polyflake.vectors")));
    return JsonParser.parseString(new String(bytes, StandardCharsets.UTF_8)).getAsJsonObject();
  }

  private static boolean needsFreshRegistry(JsonObject test) {
    return test.has("flags") && test.getAsJsonArray("flags").contains(new JsonPrimitive("fresh_registry"));
  }

  /** In a JVM of its own, since a registry is named by the environment. */
  private static void runAlone(String id) throws Exception {
    String vectors = "-Dpolyflake.vectors=" + System.getProperty("polyflake.vectors");
    ChildJvm child = ChildJvm.run(vectors, One.class.getName(), id);
    assertEquals("passed\n", child.out, child.err);
  }

  static final class One {
    public static void main(String[] args) throws IOException {
      for (JsonElement group : read().getAsJsonArray("groups")) {
        for (JsonElement test : group.getAsJsonObject().getAsJsonArray("tests")) {
          if (text(test.getAsJsonObject(), "id").equals(args[0])) {
            run(text(group.getAsJsonObject(), "name"), test.getAsJsonObject());
            System.out.println("passed");
          }
        }
      }
    }
  }

  private static void run(String group, JsonObject test) {
    switch (group) {
      case "layout":
      case "published":
        check(test, () -> layout(test));
        break;
      case "layout_text":
        check(test, () -> layoutText(test));
        break;
      case "codec":
        check(test, () -> codec(test));
        break;
      case "generator":
        generator(test);
        break;
      case "options":
        check(test, () -> options(test));
        break;
      default:
        throw new AssertionError("unknown group " + group);
    }
  }

  /** Runs the body: it must fail with the error of the test or, without one, not at all. */
  private static void check(JsonObject test, Runnable body) {
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
      return;
    }
    throw new AssertionError("not refused");
  }

  private static void layout(JsonObject test) {
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
        assertEquals(number(expect, "time_ms"), parts.timeMs());
        assertEquals(Instant.ofEpochMilli(number(expect, "time_ms")), parts.time());
        assertEquals(text(expect, "tick"), Long.toUnsignedString(parts.tick()));
        assertEquals(expect.get("sequence").getAsLong(), parts.sequence());
        assertEquals(text(expect, "node"), Long.toUnsignedString(parts.node()));
        assertEquals(fields(expect.getAsJsonObject("fields")), parts.fields());
        assertEquals(layout.nodeFields(), List.copyOf(parts.fields().keySet()));
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

  private static void layoutText(JsonObject test) {
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

  private static void codec(JsonObject test) {
    String codec = text(test, "codec");
    switch (text(test, "op")) {
      case "encode":
        long id = Long.parseUnsignedLong(text(test.getAsJsonObject("input"), "id"));
        assertEquals(text(test.getAsJsonObject("expect"), "text"), Polyflake.toText(id, codec));
        break;
      case "decode":
        assertId(test.getAsJsonObject("expect"), Polyflake.fromText(text(test, "text"), codec));
        break;
      default:
        throw new AssertionError("unknown op");
    }
  }

  private static void generator(JsonObject test) {
    ManualClock clock = new ManualClock(number(test, "clock_ms"));
    try (Generator generator = open(test, clock)) {
      for (JsonElement element : test.getAsJsonArray("steps")) {
        JsonObject step = element.getAsJsonObject();
        if (step.has("advance")) {
          clock.advance(step.get("advance").getAsLong());
        } else if (step.has("set")) {
          clock.set(number(step, "set"));
        } else {
          check(step, () -> assertIds(step, issue(generator, step)));
          assertEquals(number(step, "clock_ms"), clock.timeMs(), () -> "clock after " + step);
        }
      }
    }
  }

  private static long[] issue(Generator generator, JsonObject step) {
    if (step.has("batch")) {
      return generator.nextIds(step.get("batch").getAsInt());
    }
    if (step.has("try")) {
      assertEquals(1, step.get("try").getAsInt());
      OptionalLong id = generator.tryNextId();
      return id.isPresent() ? new long[] {id.getAsLong()} : new long[0];
    }
    long[] ids = new long[step.get("next").getAsInt()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = generator.nextId();
    }
    return ids;
  }

  private static void assertIds(JsonObject step, long[] ids) {
    if (step.has("ids")) {
      JsonArray expected = step.getAsJsonArray("ids");
      assertEquals(expected.size(), ids.length, () -> "ids of " + step);
      for (int i = 0; i < ids.length; i++) {
        assertEquals(Long.parseLong(expected.get(i).getAsString()), ids[i], () -> "ids of " + step);
      }
      return;
    }
    long sum = 0;
    for (long id : ids) {
      sum += id;
    }
    assertEquals(number(step, "first"), ids[0]);
    assertEquals(number(step, "last"), ids[ids.length - 1]);
    assertEquals(Long.parseUnsignedLong(text(step, "sum")), sum);
  }

  private static void options(JsonObject test) {
    try (Generator generator = open(test, new ManualClock(number(test, "clock_ms")))) {
      assertEquals(Long.parseUnsignedLong(text(test.getAsJsonObject("expect"), "worker")), generator.worker());
    }
  }

  private static Generator open(JsonObject test, ManualClock clock) {
    Generator.Builder builder = Generator.builder().clock(clock);
    if (test.has("layout")) {
      builder.layout(text(test, "layout"));
    }
    JsonElement worker = test.get("worker");
    if (worker.isJsonObject()) {
      builder.worker(fields(worker.getAsJsonObject()));
    } else if (worker.getAsJsonPrimitive().isString()) {
      builder.worker(worker.getAsString());
    } else {
      builder.worker(worker.getAsLong());
    }
    JsonObject options = test.has("options") ? test.getAsJsonObject("options") : new JsonObject();
    for (Map.Entry<String, JsonElement> option : options.entrySet()) {
      JsonElement value = option.getValue();
      switch (option.getKey()) {
        case "max_wait_ms":
          builder.maxWait(Duration.ofMillis(value.getAsLong()));
          break;
        case "max_lead_ms":
          builder.maxLead(Duration.ofMillis(value.getAsLong()));
          break;
        case "sequence_spread":
          builder.sequenceSpread(value.getAsLong());
          break;
        case "ordering":
          builder.ordering(value.getAsString());
          break;
        default:
          throw new AssertionError("unknown option " + option.getKey());
      }
    }
    return builder.build();
  }

  private static void assertId(JsonObject expect, long id) {
    assertEquals(Long.parseUnsignedLong(text(expect, "id")), id);
    assertEquals(text(expect, "hex"), String.format("%016x", id));
  }

  private static Map<String, Long> fields(JsonObject object) {
    Map<String, Long> fields = new LinkedHashMap<>();
    for (Map.Entry<String, JsonElement> field : object.entrySet()) {
      fields.put(field.getKey(), field.getValue().getAsLong());
    }
    return fields;
  }

  private static long number(JsonObject object, String name) {
    return Long.parseLong(text(object, name));
  }

  private static String text(JsonObject object, String name) {
    return object.get(name).getAsString();
  }
}
