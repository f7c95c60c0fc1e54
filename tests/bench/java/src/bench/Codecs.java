package bench;

import com.github.f4b6a3.tsid.Tsid;
import io.github.polyflake.Codec;
import io.hypersistence.tsid.TSID;
import io.seruco.encoding.base62.Base62;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import me.ahoo.cosid.converter.Radix62IdConverter;

/**
 * The rows of codecs: texts of random ids, each read back and compared. The floor is the fastest of the other libraries in
 * that codec, found in this run. Of the converters of CosId only that of base 62 is loaded, since the JVM makes its
 * constants part of the loop then.
 */
final class Codecs {
  private static final int IDS = 4096;
  private static final double CHUNK_NS = 1e6;
  private static final int WARM_PASSES = 3000;

  /** A loop of its own in each way, so that calls are inlined. */
  interface Pass<From, To> {
    void over(From from, To to);
  }

  /** One way to write ids and to read them; `price` is what it does not do, from its code. */
  record Way(String library, String codec, String encodeCall, Pass<long[], String[]> encode, String decodeCall,
      Pass<String[], long[]> decode, String price) {}

  /** What a row is added with: its name, library, call, price and figures. */
  interface Sink {
    void add(String row, String library, String call, String price, Map<String, Object> figures);
  }

  private static final class Passes {
    private final Runnable pass;
    private int count = 1;

    Passes(Runnable pass) {
      this.pass = pass;
      for (int i = 0; i < WARM_PASSES; i++) {
        pass.run();
      }
      while (Math.min(ns(), ns()) * IDS * count < CHUNK_NS) {
        count *= 2;
      }
    }

    /** Nanoseconds of one id, of a chunk of about a millisecond. */
    double ns() {
      long begin = System.nanoTime();
      for (int i = 0; i < count; i++) {
        pass.run();
      }
      return (System.nanoTime() - begin) / ((double) count * IDS);
    }

    double least() {
      double least = ns();
      for (int i = 0; i < 20; i++) {
        least = Math.min(least, ns());
      }
      return least;
    }
  }

  private final Sink sink;
  private final int rounds;

  Codecs(Sink sink, int rounds) {
    this.sink = sink;
    this.rounds = rounds;
  }

  /** Adds the row {@code only}, or all where it is null. */
  void addRows(String only, boolean peers) {
    Way jdk = jdk();
    List<Way> others = peers
        ? List.of(tsidCreator(), hypersistence(), cosId(), tsidCreator62(), seruco(), jdk)
        : List.of(jdk);
    Map<String, List<Way>> byCodec = others.stream()
        .collect(Collectors.groupingBy(Way::codec, LinkedHashMap::new, Collectors.toList()));
    byCodec.forEach((codec, ways) -> addRows(only, Codec.of(codec), ways));
  }

  private void addRows(String only, Codec codec, List<Way> others) {
    Random random = new Random(20220320);
    long[] ids = random.longs(IDS).map(id -> id >>> 1).toArray();
    String[] texts = new String[IDS];
    for (int i = 0; i < IDS; i++) {
      texts[i] = textbook(ids[i], codec);
    }
    List<Way> ways = new ArrayList<>(List.of(ours(codec)));
    ways.addAll(others);

    if (only == null || only.startsWith("codec.encode")) {
      String[][] given = new String[ways.size()][IDS];
      List<Passes> passes = new ArrayList<>();
      for (Way way : ways) {
        String[] to = given[ways.indexOf(way)];
        passes.add(new Passes(() -> way.encode.over(ids, to)));
      }
      Passes floor = fastest(passes);
      for (int i = 0; i < ways.size(); i++) {
        String[] found = given[i];
        add(only, "codec.encode", ways.get(i), ways.get(i).encodeCall, floor, passes.get(i),
            () -> differing(found, texts, codec));
      }
      String[][] batch = new String[1][];
      add(only, "codec.encode_many", ways.get(0), "Codec.encodeMany(ids)", floor,
          new Passes(() -> batch[0] = codec.encodeMany(ids)), () -> differing(batch[0], texts, codec));
    }
    if (only == null || only.startsWith("codec.decode")) {
      long[][] given = new long[ways.size()][IDS];
      List<Passes> passes = new ArrayList<>();
      for (Way way : ways) {
        String[] written = new String[IDS];
        way.encode.over(ids, written);
        long[] to = given[ways.indexOf(way)];
        passes.add(new Passes(() -> way.decode.over(written, to)));
      }
      Passes floor = fastest(passes);
      for (int i = 0; i < ways.size(); i++) {
        long[] found = given[i];
        add(only, "codec.decode", ways.get(i), ways.get(i).decodeCall, floor, passes.get(i),
            () -> differing(found, ids));
      }
      long[][] batch = new long[1][];
      add(only, "codec.decode_many", ways.get(0), "Codec.decodeMany(texts)", floor,
          new Passes(() -> batch[0] = codec.decodeMany(texts)), () -> differing(batch[0], ids));
    }
  }

  private void add(String only, String row, Way way, String call, Passes floor, Passes work, IntSupplier wrong) {
    if (only != null && !only.equals(row)) {
      return;
    }
    List<Object> times = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      double before = floor.ns();
      double ns = work.ns();
      times.add(List.of(before, ns, floor.ns()));
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("codec", way.codec);
    figures.put("rounds", times);
    figures.put("ids", IDS);
    figures.put("wrong", wrong.getAsInt());
    sink.add(row, way.library, call, way.price, figures);
  }

  /** Of all but the first, which is ours. */
  private static Passes fastest(List<Passes> passes) {
    return passes.stream().skip(1).min(Comparator.comparingDouble(Passes::least)).get();
  }

  /** The digits of an id, counted out in the way that needs no thought. */
  private static String textbook(long id, Codec codec) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < codec.width(); i++) {
      text.append(codec.digits().charAt((int) (id % codec.digits().length())));
      id /= codec.digits().length();
    }
    return text.reverse().toString();
  }

  /** Texts without their leading zeros count as the same. */
  private static int differing(String[] found, String[] expected, Codec codec) {
    int differing = 0;
    for (int i = 0; i < IDS; i++) {
      String zeros = String.valueOf(codec.digits().charAt(0)).repeat(codec.width());
      String padded = zeros.substring(Math.min(found[i].length(), zeros.length())) + found[i];
      differing += padded.equals(expected[i]) ? 0 : 1;
    }
    return differing;
  }

  private static int differing(long[] found, long[] expected) {
    int differing = 0;
    for (int i = 0; i < IDS; i++) {
      differing += found[i] == expected[i] ? 0 : 1;
    }
    return differing;
  }

  private static Way ours(Codec codec) {
    return new Way(Library.OURS, codec.name(), "Codec.encode(id)", (ids, texts) -> {
      for (int i = 0; i < IDS; i++) {
        texts[i] = codec.encode(ids[i]);
      }
    }, "Codec.decode(text)", (texts, ids) -> {
      for (int i = 0; i < IDS; i++) {
        ids[i] = codec.decode(texts[i]);
      }
    }, "");
  }

  private static Way tsidCreator() {
    return new Way(Library.nameOf(Tsid.class), "crockford32", "Tsid.from(id).toString()", (ids, texts) -> {
      for (int i = 0; i < IDS; i++) {
        texts[i] = Tsid.from(ids[i]).toString();
      }
    }, "Tsid.from(text).toLong()", (texts, ids) -> {
      for (int i = 0; i < IDS; i++) {
        ids[i] = Tsid.from(texts[i]).toLong();
      }
    }, "");
  }

  private static Way hypersistence() {
    return new Way(Library.nameOf(TSID.class), "crockford32", "TSID.from(id).toString()", (ids, texts) -> {
      for (int i = 0; i < IDS; i++) {
        texts[i] = TSID.from(ids[i]).toString();
      }
    }, "TSID.from(text).toLong()", (texts, ids) -> {
      for (int i = 0; i < IDS; i++) {
        ids[i] = TSID.from(texts[i]).toLong();
      }
    }, "");
  }

  private static Way cosId() {
    Radix62IdConverter converter = Radix62IdConverter.PAD_START;
    return new Way(Library.nameOf(Radix62IdConverter.class), "base62", "Radix62IdConverter.PAD_START.asString(id)",
        (ids, texts) -> {
          for (int i = 0; i < IDS; i++) {
            texts[i] = converter.asString(ids[i]);
          }
        }, "Radix62IdConverter.PAD_START.asLong(text)", (texts, ids) -> {
          for (int i = 0; i < IDS; i++) {
            ids[i] = converter.asLong(texts[i]);
          }
        }, "ids below 2^63 alone");
  }

  private static Way tsidCreator62() {
    return new Way(Library.nameOf(Tsid.class), "base62", "Tsid.from(id).encode(62)", (ids, texts) -> {
      for (int i = 0; i < IDS; i++) {
        texts[i] = Tsid.from(ids[i]).encode(62);
      }
    }, "Tsid.decode(text, 62).toLong()", (texts, ids) -> {
      for (int i = 0; i < IDS; i++) {
        ids[i] = Tsid.decode(texts[i], 62).toLong();
      }
    }, "");
  }

  private static Way seruco() {
    Base62 base62 = Base62.createInstance();
    return new Way(Library.nameOf(Base62.class), "base62", "Base62.encode(bytes of id)", (ids, texts) -> {
      for (int i = 0; i < IDS; i++) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(ids[i]).array();
        texts[i] = new String(base62.encode(bytes), StandardCharsets.US_ASCII);
      }
    }, "Base62.decode(bytes of text)", (texts, ids) -> {
      for (int i = 0; i < IDS; i++) {
        ids[i] = ByteBuffer.wrap(base62.decode(texts[i].getBytes(StandardCharsets.US_ASCII))).getLong();
      }
    }, "of 8 bytes, not of a number");
  }

  private static Way jdk() {
    return new Way("JDK", "base36", "Long.toUnsignedString(id, 36)", (ids, texts) -> {
      for (int i = 0; i < IDS; i++) {
        texts[i] = Long.toUnsignedString(ids[i], 36);
      }
    }, "Long.parseUnsignedLong(text, 36)", (texts, ids) -> {
      for (int i = 0; i < IDS; i++) {
        ids[i] = Long.parseUnsignedLong(texts[i], 36);
      }
    }, "as many digits as the id needs; reads signs and other scripts");
  }
}
