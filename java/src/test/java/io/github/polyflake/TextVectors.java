package io.github.polyflake;

import static io.github.polyflake.Vector.assertId;
import static io.github.polyflake.Vector.assertText;
import static io.github.polyflake.Vector.check;
import static io.github.polyflake.Vector.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** The groups of ids as text: codecs, Sqids and Hashids. */
final class TextVectors {
  private TextVectors() {}

  static void codec(JsonObject test) {
    boolean plain = !test.has("options"); // then the functions for a single id do the same
    String name = text(test, "codec");
    switch (text(test, "op")) {
      case "make":
        check(test, () -> made(test.getAsJsonObject("expect"), make(test)));
        break;
      case "encode":
        long id = Long.parseUnsignedLong(text(test.getAsJsonObject("input"), "id"));
        check(test, () -> assertText(test, make(test).encode(id)));
        check(test, () -> assertText(test, make(test).encodeMany(id)[0]));
        if (plain) {
          check(test, () -> assertText(test, Polyflake.toText(id, name)));
        }
        break;
      case "decode":
        String given = text(test, "text");
        check(test, () -> assertId(test.getAsJsonObject("expect"), make(test).decode(given)));
        check(test, () -> assertId(test.getAsJsonObject("expect"), make(test).decodeMany(given)[0]));
        if (plain) {
          check(test, () -> assertId(test.getAsJsonObject("expect"), Polyflake.fromText(given, name)));
        }
        break;
      default:
        throw new AssertionError("unknown op");
    }
  }

  static void idText(JsonObject test) {
    long id = Polyflake.idFromText(text(test, "text"));
    assertId(test.getAsJsonObject("expect"), id);
    assertEquals(text(test, "text"), Long.toString(id));
  }

  private static Codec make(JsonObject test) {
    Codec.Builder builder = Codec.builder(text(test, "codec"));
    if (test.has("options")) {
      for (Map.Entry<String, JsonElement> option : test.getAsJsonObject("options").entrySet()) {
        switch (option.getKey()) {
          case "width":
            builder.width(option.getValue().getAsLong());
            break;
          case "check":
            builder.check(option.getValue().getAsBoolean());
            break;
          default:
            throw new AssertionError("unknown option");
        }
      }
    }
    return builder.build();
  }

  private static void made(JsonObject expect, Codec codec) {
    assertEquals(text(expect, "digits"), codec.digits());
    assertEquals(expect.get("width").getAsInt(), codec.width());
    assertEquals(expect.get("check").getAsBoolean(), codec.check());
  }

  /** Sqids and Hashids do the same things. */
  private static final class Texts {
    final Function<long[], String> encode;
    final Function<String, long[]> decode;
    final String alphabet;
    final int minLength;

    Texts(Sqids sqids) {
      encode = sqids::encode;
      decode = sqids::decode;
      alphabet = sqids.alphabet();
      minLength = sqids.minLength();
    }

    Texts(Hashids hashids) {
      encode = hashids::encode;
      decode = hashids::decode;
      alphabet = hashids.alphabet();
      minLength = hashids.minLength();
    }
  }

  static void hashids(JsonObject test) {
    JsonObject options = test.has("options") ? test.getAsJsonObject("options") : new JsonObject();
    texts(test, () -> new Texts(salted(options)));
  }

  private static Hashids salted(JsonObject options) {
    String salt = options.has("salt") ? text(options, "salt") : "";
    long length = options.has("min_length") ? options.get("min_length").getAsLong() : 0;
    return options.has("alphabet") ? new Hashids(salt, length, text(options, "alphabet")) : new Hashids(salt, length);
  }

  static void sqids(JsonObject test) {
    if (text(test, "op").equals("default_blocklist")) {
      assertEquals(words(test.getAsJsonObject("expect").get("words")), Sqids.defaultBlocklist());
      return;
    }
    Sqids.Builder builder = Sqids.builder();
    if (test.has("options")) {
      for (Map.Entry<String, JsonElement> option : test.getAsJsonObject("options").entrySet()) {
        switch (option.getKey()) {
          case "alphabet":
            builder.alphabet(option.getValue().getAsString());
            break;
          case "min_length":
            builder.minLength(option.getValue().getAsLong());
            break;
          case "blocklist":
            builder.blocklist(words(option.getValue()));
            break;
          default:
            throw new AssertionError("unknown option");
        }
      }
    }
    texts(test, () -> new Texts(builder.build()));
  }

  private static void texts(JsonObject test, Supplier<Texts> make) {
    JsonObject expect = test.getAsJsonObject("expect");
    switch (text(test, "op")) {
      case "make":
        check(test, () -> {
          Texts made = make.get();
          assertEquals(text(expect, "alphabet"), made.alphabet);
          assertEquals(expect.get("min_length").getAsInt(), made.minLength);
        });
        break;
      case "encode":
        long[] ids = ids(test);
        check(test, () -> assertText(test, make.get().encode.apply(ids)));
        if (expect != null) {
          assertArrayEquals(ids, make.get().decode.apply(text(expect, "text")));
        }
        break;
      case "decode":
        check(test, () -> {
          long[] read = make.get().decode.apply(text(test, "text"));
          assertArrayEquals(ids(expect), read);
        });
        break;
      default:
        throw new AssertionError("unknown op");
    }
  }

  private static List<String> words(JsonElement array) {
    List<String> words = new ArrayList<>();
    array.getAsJsonArray().forEach(word -> words.add(word.getAsString()));
    return words;
  }

  private static long[] ids(JsonObject holder) {
    return words(holder.get("ids")).stream().mapToLong(Long::parseUnsignedLong).toArray();
  }
}
