package io.github.polyflake;

import static io.github.polyflake.Vector.assertId;
import static io.github.polyflake.Vector.assertText;
import static io.github.polyflake.Vector.inputOf;
import static io.github.polyflake.Vector.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The group of private ids. */
final class SealVectors {
  private SealVectors() {}

  static void sealing(JsonObject test) {
    Sealing sealing = test.has("ring") ? Sealing.of(ring(test)) : Sealing.of(seal(test.getAsJsonObject("seal")));
    String codec = test.has("codec") ? text(test, "codec") : null;
    switch (text(test, "op")) {
      case "seal":
        assertId(test.getAsJsonObject("expect"), sealing.seal.apply(inputOf(test)));
        break;
      case "unseal":
        long sealed = inputOf(test);
        boolean hasKeyId = test.has("key_id") && !test.get("key_id").isJsonNull();
        assertId(
            test.getAsJsonObject("expect"),
            hasKeyId ? sealing.unsealBy.apply(sealed, text(test, "key_id")) : sealing.unseal.apply(sealed));
        break;
      case "encode":
        long id = inputOf(test);
        assertText(test, codec == null ? sealing.encode.apply(id) : sealing.encodeIn.apply(id, codec));
        break;
      case "decode":
        String text = text(test, "text");
        long decoded = codec == null ? sealing.decode.apply(text) : sealing.decodeIn.apply(text, codec);
        assertId(test.getAsJsonObject("expect"), decoded);
        String[] texts = {text};
        long[] ids = {decoded};
        if (codec == null) {
          assertEquals(decoded, sealing.decodeMany.apply(texts)[0]);
          assertEquals(sealing.encode.apply(decoded), sealing.encodeMany.apply(ids)[0]);
        } else {
          assertEquals(decoded, sealing.decodeManyIn.apply(texts, codec)[0]);
          assertEquals(sealing.encodeIn.apply(decoded, codec), sealing.encodeManyIn.apply(ids, codec)[0]);
        }
        break;
      default:
        throw new AssertionError("unknown op");
    }
  }

  /** What a seal and a ring have in common. */
  private static final class Sealing {
    Function<Long, Long> seal;
    Function<Long, Long> unseal;
    BiFunction<Long, String, Long> unsealBy;
    Function<Long, String> encode;
    BiFunction<Long, String, String> encodeIn;
    Function<String, Long> decode;
    BiFunction<String, String, Long> decodeIn;
    Function<long[], String[]> encodeMany;
    BiFunction<long[], String, String[]> encodeManyIn;
    Function<String[], long[]> decodeMany;
    BiFunction<String[], String, long[]> decodeManyIn;

    static Sealing of(Seal one) {
      Sealing sealing = new Sealing();
      sealing.seal = one::seal;
      sealing.unseal = one::unseal;
      sealing.encode = one::encode;
      sealing.encodeIn = one::encode;
      sealing.decode = one::decode;
      sealing.decodeIn = one::decode;
      sealing.encodeMany = one::encodeMany;
      sealing.encodeManyIn = one::encodeMany;
      sealing.decodeMany = one::decodeMany;
      sealing.decodeManyIn = one::decodeMany;
      return sealing;
    }

    static Sealing of(SealRing ring) {
      Sealing sealing = new Sealing();
      sealing.seal = ring::seal;
      sealing.unseal = ring::unseal;
      sealing.unsealBy = ring::unseal;
      sealing.encode = ring::encode;
      sealing.encodeIn = ring::encode;
      sealing.decode = ring::decode;
      sealing.decodeIn = ring::decode;
      sealing.encodeMany = ring::encodeMany;
      sealing.encodeManyIn = ring::encodeMany;
      sealing.decodeMany = ring::decodeMany;
      sealing.decodeManyIn = ring::decodeMany;
      return sealing;
    }
  }

  private static SealRing ring(JsonObject test) {
    List<Seal> seals = new ArrayList<>();
    for (JsonElement one : test.getAsJsonArray("ring")) {
      seals.add(seal(one.getAsJsonObject()));
    }
    return SealRing.of(seals.toArray(new Seal[0]));
  }

  private static Seal seal(JsonObject given) {
    Seal.Builder builder = Seal.builder(bytes(text(given, "key")));
    for (String name : given.keySet()) {
      switch (name) {
        case "key":
          break;
        case "tweak":
          builder.tweak(text(given, name));
          break;
        case "tweak_hex":
          builder.tweak(bytes(text(given, name)));
          break;
        case "bits":
          builder.bits(given.get(name).getAsLong());
          break;
        case "key_id":
          builder.keyId(text(given, name));
          break;
        default:
          throw new AssertionError("unknown option " + name);
      }
    }
    return builder.build();
  }

  private static byte[] bytes(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }
}
