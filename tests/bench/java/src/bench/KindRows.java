package bench;

import com.github.f4b6a3.uuid.UuidCreator;
import com.github.f4b6a3.uuid.alt.GUID;
import io.github.polyflake.IdSource;
import io.github.polyflake.Kinds;
import io.github.polyflake.ObjectIdSource;
import io.github.polyflake.TimedUuidSource;
import io.github.polyflake.UuidSource;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.bson.types.ObjectId;

/**
 * The rows of kinds of ids, each beside other libraries for the same. The floor is a reading of the clock. What the others
 * do not do was read in their code.
 */
final class KindRows {
  private static final int BATCH = 4096;
  /** A tick holds millions of ids, so that no call waits: what is measured is work. */
  private static final String WIDE = "timestamp:40 worker:1 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  private static final String JDK = "JDK";
  private static final String CREATOR = Library.nameOf(UuidCreator.class);

  /** Ids that are objects. All of a chunk are there until the next one, so that each is made. */
  private static final class Objects<T> implements Library.Source {
    private final IntFunction<T[]> loop;
    private final ToLongFunction<T> number;
    private T[] last;

    /** `loop` makes so many ids: one of its own in each library, so that calls are inlined. */
    Objects(IntFunction<T[]> loop, ToLongFunction<T> number) {
      this.loop = loop;
      this.number = number;
    }

    @Override
    public void take(long[] ids, int from, int to) {
      last = loop.apply(to - from);
    }

    @Override
    public void keep(long[] ids) {
      for (int i = 0; i < ids.length; i++) {
        ids[i] = number.applyAsLong(last[i]);
      }
    }
  }

  /** UUIDs in memory, which each call overwrites. */
  private record Filled(UuidSource generator, byte[] bytes) implements Library.Source {
    @Override
    public void take(long[] ids, int from, int to) {
      for (int call = from; call < to; call++) {
        generator.fill(bytes);
      }
    }

    @Override
    public void keep(long[] ids) {
      ByteBuffer words = ByteBuffer.wrap(bytes);
      for (int i = 0; i < ids.length; i++) {
        ids[i] = words.getLong(16 * i + 8);
      }
    }
  }

  private final Codecs.Sink sink;
  private final int rounds;

  KindRows(Codecs.Sink sink, int rounds) {
    this.sink = sink;
    this.rounds = rounds;
  }

  /** Adds the row {@code only}, or all where it is null. */
  void addRows(String only, boolean peers) {
    for (String row : List.of("uuid7", "uuid7.worker", "uuid4", "objectid", "uuid7.fill", "uuid4.fill")) {
      if (only == null || only.equals(row)) {
        addOurs(row);
        if (peers) {
          addPeers(row);
        }
      }
    }
  }

  private void addOurs(String row) {
    if (row.equals("objectid")) {
      ObjectIdSource ids = Kinds.objectid().maxWait(Duration.ofSeconds(1)).build();
      add(row, Library.OURS, "ObjectIdSource.nextId()", "", single(ours(ids)), waits(ids));
    } else if (row.startsWith("uuid4")) {
      add(row, "UuidSource", Kinds.uuid4().build());
    } else {
      TimedUuidSource ids = row.equals("uuid7.worker") ? Kinds.uuid7().worker(0).layout(WIDE).build()
          : Kinds.uuid7().maxWait(Duration.ofSeconds(1)).build();
      add(row, "TimedUuidSource", ids);
    }
  }

  private void add(String row, String type, UuidSource ids) {
    if (row.endsWith(".fill")) {
      Filled filled = new Filled(ids, new byte[16 * BATCH]);
      add(row, Library.OURS, type + ".fill()", "", Rounds.Work.shared(filled, BATCH), waits(ids));
    } else {
      add(row, Library.OURS, type + ".nextId()", "", single(ours(ids)), waits(ids));
    }
  }

  private void addPeers(String row) {
    switch (row) {
      case "uuid7" -> {
        peer(row, JDK, "UUID.randomUUID()", jdk(), "of version 4: no order");
        peer(row, CREATOR, "UuidCreator.getTimeOrderedEpoch()", ordered(),
            "a lock; ids fall where the clock is set back by a second");
        peer(row, CREATOR, "UuidCreator.getTimeOrderedEpochPlus1()", plusOne(),
            "as getTimeOrderedEpoch(); within a ms each id is the one before and 1");
        peer(row, CREATOR, "UuidCreator.getTimeOrderedEpochFast()", orderedFast(),
            "as getTimeOrderedEpoch(); its random bits can be foretold");
        peer(row, CREATOR, "GUID.v7().toUUID()", guid(), "no order within a ms; its random bits can be foretold");
      }
      case "uuid4" -> {
        peer(row, JDK, "UUID.randomUUID()", jdk(), "");
        peer(row, CREATOR, "UuidCreator.getRandomBased()", random(), "");
        peer(row, CREATOR, "UuidCreator.getRandomBasedFast()", randomFast(), "its random bits can be foretold");
      }
      case "objectid" -> peer(row, Library.nameOf(ObjectId.class), "new ObjectId().toHexString()", driver(),
          "its counter goes round, within a second too");
      default -> {
      }
    }
  }

  private void peer(String row, String library, String call, Library.Source source, String price) {
    add(row, library, call, price, single(source), () -> 0);
  }

  private void add(String row, String library, String call, String price, Rounds.Work work, LongSupplier waits) {
    Rounds.Work floor = single((ids, from, to) -> {
      for (int i = from; i < to; i++) {
        ids[i] = System.currentTimeMillis();
      }
    });
    sink.add(row, library, call, price, Rounds.measure(floor, work, rounds, waits));
  }

  private static Rounds.Work single(Library.Source source) {
    return Rounds.Work.calls(source);
  }

  private static LongSupplier waits(IdSource ids) {
    return () -> ids.stats().waits();
  }

  /** Its low half, most of which is random. */
  private static Library.Source uuids(IntFunction<UUID[]> loop) {
    return new Objects<>(loop, UUID::getLeastSignificantBits);
  }

  /** All but the bytes of the process. */
  private static Library.Source objectIds(IntFunction<String[]> loop) {
    return new Objects<>(loop, id -> Long.parseLong(id.substring(0, 8) + id.substring(18), 16));
  }

  private static Library.Source ours(UuidSource generator) {
    return uuids(count -> {
      UUID[] ids = new UUID[count];
      for (int i = 0; i < count; i++) {
        ids[i] = generator.nextId();
      }
      return ids;
    });
  }

  private static Library.Source ours(ObjectIdSource generator) {
    return objectIds(count -> {
      String[] ids = new String[count];
      for (int i = 0; i < count; i++) {
        ids[i] = generator.nextId();
      }
      return ids;
    });
  }

  private static Library.Source jdk() {
    return uuids(count -> {
      UUID[] ids = new UUID[count];
      for (int i = 0; i < count; i++) {
        ids[i] = UUID.randomUUID();
      }
      return ids;
    });
  }

  private static Library.Source ordered() {
    return uuids(count -> {
      UUID[] ids = new UUID[count];
      for (int i = 0; i < count; i++) {
        ids[i] = UuidCreator.getTimeOrderedEpoch();
      }
      return ids;
    });
  }

  private static Library.Source plusOne() {
    return uuids(count -> {
      UUID[] ids = new UUID[count];
      for (int i = 0; i < count; i++) {
        ids[i] = UuidCreator.getTimeOrderedEpochPlus1();
      }
      return ids;
    });
  }

  private static Library.Source orderedFast() {
    return uuids(count -> {
      UUID[] ids = new UUID[count];
      for (int i = 0; i < count; i++) {
        ids[i] = UuidCreator.getTimeOrderedEpochFast();
      }
      return ids;
    });
  }

  private static Library.Source guid() {
    return uuids(count -> {
      UUID[] ids = new UUID[count];
      for (int i = 0; i < count; i++) {
        ids[i] = GUID.v7().toUUID();
      }
      return ids;
    });
  }

  private static Library.Source random() {
    return uuids(count -> {
      UUID[] ids = new UUID[count];
      for (int i = 0; i < count; i++) {
        ids[i] = UuidCreator.getRandomBased();
      }
      return ids;
    });
  }

  private static Library.Source randomFast() {
    return uuids(count -> {
      UUID[] ids = new UUID[count];
      for (int i = 0; i < count; i++) {
        ids[i] = UuidCreator.getRandomBasedFast();
      }
      return ids;
    });
  }

  private static Library.Source driver() {
    return objectIds(count -> {
      String[] ids = new String[count];
      for (int i = 0; i < count; i++) {
        ids[i] = new ObjectId().toHexString();
      }
      return ids;
    });
  }
}
