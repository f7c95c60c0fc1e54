package io.github.polyflake;

import static io.github.polyflake.Vector.check;
import static io.github.polyflake.Vector.fields;
import static io.github.polyflake.Vector.number;
import static io.github.polyflake.Vector.text;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Runs every vector of the groups that the package has through the public API; one that cannot be run fails. */
class VectorsTest {
  private static final String[] GROUPS =
      {"layout", "layout_text", "codec", "generator", "options", "published", "friendly", "explain",
        "sqids", "hashids", "seal", "kind_text", "uuid", "uuid_generator", "objectid",
        "id_text", "date", "ticket"};

  /** The groups that are left out, with the reason. */
  private static final Map<String, String> NOT_IN_JAVA = notInJava();

  private static Map<String, String> notInJava() {
    Map<String, String> reasons = new LinkedHashMap<>();
    reasons.put("counter", "a rule of the core, which tests/core runs");
    reasons.put("step", "a rule of the core, which tests/core runs");
    return reasons;
  }

  @Test
  void every_vector_holds() throws Exception {
    JsonObject all = read();
    int run = 0;
    int elsewhere = 0;
    List<String> failures = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (JsonElement group : all.getAsJsonArray("groups")) {
      String name = text(group.getAsJsonObject(), "name");
      if (NOT_IN_JAVA.containsKey(name)) {
        leftOut.add(name);
        elsewhere += group.getAsJsonObject().getAsJsonArray("tests").size();
        continue;
      }
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
    int expected = all.get("number_of_tests").getAsInt() - elsewhere;
    System.out.println("vectors: " + (run - failures.size()) + " of " + expected + " passed (java)");
    assertTrue(failures.isEmpty(), () -> failures.size() + " failures, first " + failures.get(0));
    assertEquals(expected, run);
    assertEquals(Arrays.asList(GROUPS), groups);
    assertEquals(new ArrayList<>(NOT_IN_JAVA.keySet()), leftOut);
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
        check(test, () -> LayoutVectors.layout(test));
        break;
      case "layout_text":
        check(test, () -> LayoutVectors.layoutText(test));
        break;
      case "codec":
        TextVectors.codec(test);
        break;
      case "id_text":
        check(test, () -> TextVectors.idText(test));
        break;
      case "sqids":
        TextVectors.sqids(test);
        break;
      case "hashids":
        TextVectors.hashids(test);
        break;
      case "seal":
        check(test, () -> SealVectors.sealing(test));
        break;
      case "kind_text":
        check(test, () -> KindVectors.kindText(test));
        break;
      case "uuid":
        KindVectors.uuid(test);
        break;
      case "uuid_generator":
        KindVectors.generator(test);
        break;
      case "objectid":
        check(test, () -> KindVectors.objectId(test));
        break;
      case "date":
        check(test, () -> DateVectors.date(test));
        break;
      case "ticket":
        TicketVectors.ticket(test);
        break;
      case "generator":
        generator(test);
        break;
      case "options":
        check(test, () -> options(test));
        break;
      case "friendly":
        LayoutVectors.friendly(test);
        break;
      case "explain":
        LayoutVectors.explain(test);
        break;
      default:
        throw new AssertionError("unknown group " + group);
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
}
