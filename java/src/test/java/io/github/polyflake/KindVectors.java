package io.github.polyflake;

import static io.github.polyflake.Vector.assertId;
import static io.github.polyflake.Vector.assertText;
import static io.github.polyflake.Vector.check;
import static io.github.polyflake.Vector.inputOf;
import static io.github.polyflake.Vector.number;
import static io.github.polyflake.Vector.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeKindText;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** The groups of kinds of ids. */
final class KindVectors {
  private static final String[] OWN =
      {"orders", "a", "a_", "a0", "z_9", "e_e", "abcdefghijklmnopqrstuvwxyz_01234"};
  private static final int PIECE = 4096; // of ids that are thrown away

  static {
    for (String name : OWN) {
      Kinds.register(name, options -> new Numbers(name, options));
    }
  }

  private KindVectors() {}

  static void kindText(JsonObject test) {
    if (text(test, "text").startsWith(Kinds.SEGMENT)) { // it is only read: opening needs a server
      NativeKindText kind = Facade.parseKind(text(test, "text"), OWN);
      assertKindText(test, kind.getName(), kind.getHasStore() ? kind.getStore() : null);
      return;
    }
    KindBuilder builder = Kinds.open(text(test, "text"));
    if (text(test, "text").startsWith("snowflake")) {
      builder.option("worker", 1);
    }
    try (IdSource source = builder.build()) {
      assertKindText(test, source.kind(), source instanceof Numbers ? ((Numbers) source).store : null);
    }
  }

  private static void assertKindText(JsonObject test, String kind, Object store) {
    JsonObject expect = test.getAsJsonObject("expect");
    assertEquals(text(expect, "kind"), kind);
    assertEquals(expect.get("store").isJsonNull() ? null : text(expect, "store"), store);
  }

  static void uuid(JsonObject test) {
    try (TimedUuidSource source = uuidSource(test)) {
      switch (text(test, "op")) {
        case "parse":
          check(test, () -> {
            read(source::decode, text(test, "text"));
            String hex = UUID.fromString(text(test, "text")).toString().replace("-", "");
            assertEquals(text(test.getAsJsonObject("expect"), "hex"), hex);
          });
          break;
        case "decode":
          check(test, () -> assertParts(test, source.decode(text(test, "text"))));
          check(test, () -> assertParts(test, source.decode(UUID.fromString(text(test, "text")))));
          break;
        case "first_id":
          check(test, () -> assertText(test, source.firstId(time(test)).toString()));
          break;
        case "last_id":
          check(test, () -> assertText(test, source.lastId(time(test)).toString()));
          break;
        case "to_uuid":
          check(test, () -> assertText(test, Layout.of(text(test, "layout")).toUuid(inputOf(test)).toString()));
          break;
        case "from_uuid":
          check(test, () -> {
            long id = Layout.of(text(test, "layout")).fromUuid(UUID.fromString(text(test, "text")));
            assertId(test.getAsJsonObject("expect"), id);
          });
          break;
        default:
          throw new AssertionError("unknown op " + test);
      }
    }
  }

  /** With a worker its clock is at the begin of the layout, which may be short. */
  private static TimedUuidSource uuidSource(JsonObject test) {
    if (!test.has("layout") || !text(test, "op").equals("decode")) {
      return Kinds.uuid7().build();
    }
    Layout layout = Layout.of(text(test, "layout"));
    return Kinds.uuid7().worker(0).layout(layout).clock(new ManualClock(layout.epochMs())).build();
  }

  static void objectId(JsonObject test) {
    try (ObjectIdSource source = Kinds.objectid().build()) {
      switch (text(test, "op")) {
        case "parse":
          read(source::decode, text(test, "text"));
          assertEquals(text(test.getAsJsonObject("expect"), "hex"), text(test, "text"));
          break;
        case "decode":
          assertParts(test, source.decode(text(test, "text")));
          break;
        case "first_id":
          assertText(test, source.firstId(time(test)));
          break;
        case "last_id":
          assertText(test, source.lastId(time(test)));
          break;
        default:
          throw new AssertionError("unknown op " + test);
      }
    }
  }

  /** The text must be read, whatever it then says: there is no function that only reads. */
  private static void read(Consumer<String> decode, String text) {
    try {
      decode.accept(text);
    } catch (PolyflakeException e) {
      if (e.code().equals("text_invalid")) {
        throw e;
      }
      assertTrue(e.getMessage().contains(text), e.getMessage());
    }
  }

  private static Instant time(JsonObject test) {
    return Instant.ofEpochMilli(number(test, "time_ms"));
  }

  private static void assertParts(JsonObject test, Uuid7Parts parts) {
    JsonObject expect = test.getAsJsonObject("expect");
    assertEquals(number(expect, "time_ms"), parts.timeMs());
    assertEquals(text(expect, "tick"), Long.toUnsignedString(parts.tick()));
    assertEquals(expect.get("sequence").getAsLong(), parts.sequence());
    assertEquals(text(expect, "node"), Long.toUnsignedString(parts.node()));
    assertEquals(text(expect, "tail"), Long.toUnsignedString(parts.tail()));
  }

  private static void assertParts(JsonObject test, ObjectIdParts parts) {
    JsonObject expect = test.getAsJsonObject("expect");
    assertEquals(number(expect, "time_ms"), parts.timeMs());
    assertEquals(text(expect, "process"), String.format("%010x", parts.process()));
    assertEquals(expect.get("counter").getAsLong(), parts.counter());
  }

  static void generator(JsonObject test) {
    ManualClock clock = test.has("clock_ms") ? new ManualClock(number(test, "clock_ms")) : null;
    if (test.has("error")) {
      check(test, () -> open(test, clock).close());
      return;
    }
    try (IdSource source = open(test, clock)) {
      for (JsonElement element : test.getAsJsonArray("steps")) {
        JsonObject step = element.getAsJsonObject();
        if (step.has("advance")) {
          clock.advance(step.get("advance").getAsLong());
        } else if (step.has("set")) {
          clock.set(number(step, "set"));
        } else if (step.has("held_ms")) {
          assertEquals(step.get("held_ms").getAsLong(), source.stats().heldMs());
        } else {
          call(source, step);
          assertEquals(number(step, "clock_ms"), clock.timeMs(), () -> "clock after " + step);
        }
      }
    }
  }

  private static IdSource open(JsonObject test, ManualClock clock) {
    KindBuilder builder = Kinds.open(text(test, "kind")).option("entropy", entropy(test));
    if (clock != null) {
      builder.option("clock", clock);
    }
    for (Map.Entry<String, JsonElement> option : test.getAsJsonObject("options").entrySet()) {
      JsonElement value = option.getValue();
      switch (option.getKey()) {
        case "worker":
          builder.option("worker", value.getAsLong());
          break;
        case "layout":
          builder.option("layout", value.getAsString());
          break;
        case "max_wait_ms":
          builder.option("maxWait", Duration.ofMillis(value.getAsLong()));
          break;
        case "max_lead_ms":
          builder.option("maxLead", Duration.ofMillis(value.getAsLong()));
          break;
        default:
          throw new AssertionError("unknown option " + option.getKey());
      }
    }
    return builder.build();
  }

  private static byte[] entropy(JsonObject test) {
    String hex = text(test, "entropy");
    int given = hex.length() / 2;
    int zeros = test.has("zero_words") ? Long.BYTES * test.get("zero_words").getAsInt() : 0;
    byte[] words = new byte[given + zeros];
    for (int i = 0; i < given; i++) {
      words[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return words;
  }

  private static void call(IdSource source, JsonObject step) {
    if (step.has("skip")) {
      skip(source, step.get("skip").getAsInt());
    } else {
      check(step, () -> assertIds(source, step, issue(source, step)));
    }
  }

  private static void skip(IdSource source, int count) {
    for (int rest = count; rest > 0; rest -= PIECE) {
      byte[] ids = new byte[Math.min(rest, PIECE) * bytesOf(source)];
      if (source instanceof UuidSource) {
        ((UuidSource) source).fill(ids);
      } else {
        ((ObjectIdSource) source).fill(ids);
      }
    }
  }

  private static int bytesOf(IdSource source) {
    return source instanceof UuidSource ? 16 : 12;
  }

  private static List<String> issue(IdSource source, JsonObject step) {
    boolean uuids = source instanceof UuidSource;
    List<String> ids = new ArrayList<>();
    if (step.has("batch")) {
      int count = step.get("batch").getAsInt();
      Object[] batch = uuids ? ((UuidSource) source).nextIds(count) : ((TextSource) source).nextIds(count);
      Arrays.stream(batch).map(Object::toString).forEach(ids::add);
    } else if (step.has("try")) {
      assertEquals(1, step.get("try").getAsInt());
      Optional<?> id = uuids ? ((UuidSource) source).tryNextId() : ((TextSource) source).tryNextId();
      id.map(Object::toString).ifPresent(ids::add);
    } else {
      for (int i = step.get("next").getAsInt(); i > 0; i--) {
        ids.add(uuids ? ((UuidSource) source).nextId().toString() : ((TextSource) source).nextId());
      }
    }
    return ids;
  }

  private static void assertIds(IdSource source, JsonObject step, List<String> ids) {
    if (step.has("ids")) {
      JsonArray expected = step.getAsJsonArray("ids");
      assertEquals(expected.size(), ids.size(), () -> "ids of " + step);
      for (int i = 0; i < ids.size(); i++) {
        assertEquals(expected.get(i).getAsString(), ids.get(i), () -> "ids of " + step);
      }
      return;
    }
    assertEquals(step.get("batch").getAsInt(), ids.size());
    assertEquals(text(step, "first"), ids.get(0));
    assertEquals(text(step, "last"), ids.get(ids.size() - 1));
    BigInteger sum = ids.stream().map(id -> new BigInteger(id.replace("-", ""), 16)).reduce(BigInteger::add).get();
    BigInteger rest = sum.mod(BigInteger.ONE.shiftLeft(8 * bytesOf(source)));
    assertEquals(text(step, "sum"), String.format("%0" + 2 * bytesOf(source) + "x", rest));
  }
}
