package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.CounterState;
import io.github.polyflake.stores.EtcdStore;
import io.github.polyflake.stores.LeaseInfo;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.RedisStore;
import io.github.polyflake.stores.SqlStore;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import io.github.polyflake.stores.ZooKeeperStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No message, cause or {@code toString} shows a text that was passed as the wrong argument: it may hold a
 * secret.
 */
class SecretsTest {
  private static final int SPELLINGS = 10_000; // of all arguments together
  private static final int WINDOW = 8; // as many characters of a secret in a row are a leak
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final String STRANGE = "!#$%^&*()+=[]{};:'\"|,<>?`~ @"; // of these a word has none
  private static final Duration SHORT = Duration.ofMillis(1); // no server answers
  private static final byte[] KEY = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  private static final String[] ADDRESSES = {
    "redis:/user:{}@host", "user:{}@host", "host=h password={}", "redis//user:{}@host", "redis://user:{}",
    "redis://user:{}@host", "redis://user:{}@host?namespace=A",
    "rediss://host?namespace=orders&password={}&namespace=orders",
    "postgresql://user:{}@host/db?namespace=orders&window_ms=x",
    "postgresql+psycopg://user:{}@host/db?namespace=orders", "mysql://user:{}@host?namespace=orders&db=1",
    "zookeeper://user:{}@h1,h2/a/?namespace=orders", "etcd://user:{}@host?namespace=orders&{}=1", "host:{}",
    "uuid7:{}", "{}\n", "timestamp:41 worker:{} sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z"};

  private static final List<Class<?>> PUBLIC = Arrays.asList(Codec.class, Codec.Builder.class,
      DateIdBuilder.class, DateIdSource.class, DateNumbers.class, DateNumbers.Parts.class, Explanation.class,
      Generator.class, Generator.Builder.class, GeneratorState.class, Hashids.class, KindBuilder.class,
      KindOptions.class, Kinds.class, Layout.class, ManualClock.class, ObjectIdBuilder.class, ObjectIdSource.class,
      Polyflake.class, Seal.class, SegmentBuilder.class, SegmentSource.class, Seal.Builder.class, SealRing.class,
      Sqids.class, Sqids.Builder.class, Stats.class,
      TicketBuilder.class, TimedUuidSource.class, Uuid4Builder.class, Uuid7Builder.class, Namespaces.class,
      CounterOptions.class, CounterState.class,
      Store.class,
      Store.Options.class, Stores.class, LeaseInfo.class, EtcdStore.class, RedisStore.class, SqlStore.class,
      ZooKeeperStore.class);

  private final Random random = new Random(7);

  private String of(String letters, int length) {
    return random.ints(length, 0, letters.length()).mapToObj(i -> letters.substring(i, i + 1))
        .collect(Collectors.joining());
  }

  private String secret() {
    int length = 25 + random.nextInt(36);
    switch (random.nextInt(3)) {
      case 0:
        return of(LETTERS, length);
      case 1:
        return of(LETTERS + STRANGE, length) + of(STRANGE, 1);
      default:
        return of("0123456789abcdef", 16 * (2 + random.nextInt(3)));
    }
  }

  private static Path path(String text) {
    try {
      return Paths.get(text);
    } catch (InvalidPathException e) {
      return Paths.get("none");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Store store() {
    return Stores.of("redis://127.0.0.1:1?namespace=orders&acquire_timeout_ms=1");
  }

  private static DateIdBuilder dates() {
    return Kinds.date().store(store()).name("orders").timeout(SHORT);
  }

  private static SegmentBuilder numbers() {
    return Kinds.segment().store(store()).name("orders").timeout(SHORT);
  }

  private static KindBuilder counted(String kind) {
    return Kinds.open(kind).option("store", store()).option("name", "orders").option("timeout", SHORT);
  }

  private static Object counter(CounterOptions options) {
    Namespaces.initCounter(store(), "orders", 0, options);
    return null;
  }

  /** Every public call that takes a text, bytes, a map, a path or an object, by its name. */
  private static Map<String, List<Function<String, Object>>> calls() {
    Map<String, List<Function<String, Object>>> calls = new LinkedHashMap<>();
    Layout layout = Layout.of("polyflake");
    Seal seal = Seal.builder(KEY).keyId("k1").build();
    SealRing ring = SealRing.of(seal);
    calls.put("Codec.of", List.of(Codec::of));
    calls.put("Codec.builder", List.of(s -> Codec.builder(s).build()));
    calls.put("Codec.decode", List.of(Codec.of("base62")::decode));
    calls.put("Codec.decodeMany", List.of(Codec.of("base62")::decodeMany));
    calls.put("DateIdBuilder.store", List.of(s -> dates().store(s).build()));
    calls.put("DateIdBuilder.name", List.of(s -> dates().name(s).build()));
    calls.put("DateIdBuilder.prefix", List.of(s -> dates().prefix(s + "!").build()));
    calls.put("DateIdBuilder.period", List.of(s -> dates().period(s).build()));
    calls.put("DateIdBuilder.zone", List.of(s -> dates().zone(s).build()));
    calls.put("DateNumbers.of",
        List.of(s -> DateNumbers.of(s, 6, ""), s -> DateNumbers.of("yyyy", 6, s), s -> DateNumbers.of("yyyy", 0, s)));
    calls.put("DateNumbers.parse", List.of(DateNumbers.of("yyyyMMdd", 6, "ORD")::parse));
    calls.put("Generator.Builder.worker", List.of(s -> Generator.builder().worker(s).build(),
        s -> Generator.builder().worker(Map.of(s, 1)).build()));
    calls.put("Generator.Builder.layout", List.of(s -> Generator.builder().layout(s).build()));
    calls.put("Generator.Builder.ordering", List.of(s -> Generator.builder().ordering(s).build()));
    calls.put("Hashids.new", List.of(Hashids::new, s -> new Hashids(s, -1), s -> new Hashids("", 0, s)));
    calls.put("Hashids.decode", List.of(new Hashids("salt")::decode));
    calls.put("KindBuilder.option", List.of(s -> Kinds.open("uuid7").option(s, 1).build(),
        s -> Kinds.open("uuid7").option("layout", s).build(), s -> Kinds.open("uuid7").option("worker", s).build(),
        s -> Kinds.open("uuid7").option("clock", s).build(), s -> Kinds.open("uuid4").option("entropy", s).build(),
        s -> Kinds.open("snowflake").option("maxWait", s).build(),
        s -> counted("segment").option("store", s).build(), s -> counted("segment").option("name", s).build(),
        s -> counted("date").option("zone", s).build()));
    calls.put("Kinds.open", List.of(s -> Kinds.open(s).build()));
    calls.put("Kinds.register", List.of(s -> {
      Kinds.register(s.length() % 2 == 0 ? s : s + "!", o -> null);
      return null;
    }));
    calls.put("Layout.of", List.of(Layout::of));
    calls.put("Layout.decode", List.of(layout::decode));
    calls.put("Layout.encode", List.of(s -> layout.encode(java.time.Instant.EPOCH, 0, Map.of(s, 1))));
    calls.put("Layout.encodeTick", List.of(s -> layout.encodeTick(1, 0, Map.of(s, 1))));
    calls.put("Layout.encodeTimeMs", List.of(s -> layout.encodeTimeMs(1_767_225_600_123L, 0, Map.of(s, 1))));
    calls.put("Layout.fromFriendly", List.of(layout::fromFriendly));
    calls.put("ObjectIdBuilder.entropy", List.of(s -> Kinds.objectid().entropy(bytes(s)).build()));
    calls.put("ObjectIdSource.decode", List.of(s -> Kinds.objectid().build().decode(s)));
    calls.put("Polyflake.decode", List.of(s -> Polyflake.decode(7, s)));
    calls.put("Polyflake.toText", List.of(s -> Polyflake.toText(7, s)));
    calls.put("Polyflake.idFromText", List.of(Polyflake::idFromText));
    calls.put("Polyflake.fromText", List.of(Polyflake::fromText, s -> Polyflake.fromText("7", s)));
    calls.put("Seal.of", List.of(s -> Seal.of(bytes(s), "order"), s -> Seal.of(KEY, s)));
    calls.put("Seal.fromFile", List.of(s -> Seal.fromFile(path(s), "order"), s -> Seal.fromFile(path("/"), s)));
    calls.put("Seal.builder",
        List.of(s -> Seal.builder(bytes(s)).build(), s -> Seal.builder(path(s)).build()));
    calls.put("Seal.Builder.tweak",
        List.of(s -> Seal.builder(KEY).tweak(s).build(), s -> Seal.builder(KEY).tweak(bytes(s)).build()));
    calls.put("Seal.Builder.keyId", List.of(s -> Seal.builder(KEY).keyId(s).build()));
    calls.put("Seal.encode", List.of(s -> seal.encode(7, s)));
    calls.put("Seal.decode", List.of(seal::decode, s -> seal.decode("k1_7", s)));
    calls.put("Seal.encodeMany", List.of(s -> seal.encodeMany(new long[] {7}, s)));
    calls.put("Seal.decodeMany", List.of(seal::decodeMany, s -> seal.decodeMany(new String[] {"k1_7"}, s)));
    calls.put("SealRing.unseal", List.of(s -> ring.unseal(7, s)));
    calls.put("SealRing.encode", List.of(s -> ring.encode(7, s)));
    calls.put("SealRing.decode", List.of(ring::decode, s -> ring.decode("k1_7", s)));
    calls.put("SealRing.encodeMany", List.of(s -> ring.encodeMany(new long[] {7}, s)));
    calls.put("SealRing.decodeMany", List.of(ring::decodeMany, s -> ring.decodeMany(new String[] {"k1_7"}, s)));
    calls.put("Sqids.Builder.alphabet", List.of(s -> Sqids.builder().alphabet(s).build()));
    calls.put("Sqids.Builder.blocklist", List.of(s -> Sqids.builder().blocklist(List.of(s)).build()));
    calls.put("Sqids.decode", List.of(Sqids.builder().build()::decode));
    calls.put("TimedUuidSource.decode", List.of(s -> Kinds.uuid7().build().decode(s)));
    calls.put("SegmentBuilder.store", List.of(s -> numbers().store(s).build()));
    calls.put("SegmentBuilder.name", List.of(s -> numbers().name(s).build()));
    calls.put("TicketBuilder.store", List.of(s -> Kinds.ticket().store(s).build()));
    calls.put("TicketBuilder.stores", List.of(s -> Kinds.ticket().stores(List.of(s)).build()));
    calls.put("TicketBuilder.table", List.of(s -> Kinds.ticket().store("mysql://h/db").table(s).build()));
    calls.put("Uuid4Builder.entropy", List.of(s -> Kinds.uuid4().entropy(bytes(s)).build()));
    calls.put("Uuid7Builder.worker", List.of(s -> Kinds.uuid7().worker(s).build(),
        s -> Kinds.uuid7().worker(Map.of(s, 1)).build()));
    calls.put("Uuid7Builder.layout", List.of(s -> Kinds.uuid7().layout(s).build()));
    calls.put("Uuid7Builder.entropy", List.of(s -> Kinds.uuid7().entropy(bytes(s)).build()));
    calls.put("Stores.of", List.of(Stores::of));
    calls.put("Store.options", List.of(s -> Store.options(s)));
    calls.put("Store.Options.uuid", List.of(s -> Store.options("orders").uuid(s)));
    calls.put("Store.Options.schema", List.of(s -> Store.options("orders").schema(s)));
    calls.put("RedisStore.new", List.of(s -> new RedisStore(s, Store.options("orders"))));
    calls.put("CounterOptions.period", List.of(s -> counter(CounterOptions.date().period(s))));
    calls.put("CounterOptions.zone", List.of(s -> counter(CounterOptions.date().zone(s))));
    calls.put("Namespaces.init", List.of(s -> Namespaces.init(store(), s)));
    calls.put("Namespaces.leases", List.of(s -> Namespaces.leases(store(), s)));
    calls.put("Namespaces.raiseFloor", List.of(s -> {
      Namespaces.raiseFloor(store(), s, java.time.Instant.EPOCH);
      return null;
    }));
    calls.put("Namespaces.initCounter", List.of(s -> {
      Namespaces.initCounter(store(), s, 0);
      return null;
    }, s -> {
      Namespaces.initCounter(store(), Map.of(s, 0L), CounterOptions.segment());
      return null;
    }));
    calls.put("CounterOptions.period", List.of(s -> {
      Namespaces.initCounter(store(), "orders", 0, CounterOptions.date().period(s));
      return null;
    }));
    calls.put("CounterOptions.zone", List.of(s -> {
      Namespaces.initCounter(store(), "orders", 0, CounterOptions.date().zone(s));
      return null;
    }));
    calls.put("Namespaces.raiseCounter", List.of(s -> {
      Namespaces.raiseCounter(store(), s, 0);
      return null;
    }));
    return calls;
  }

  private static String nameOf(Executable call) {
    String of = call.getDeclaringClass().getName().replaceAll(".*\\.", "").replace('$', '.');
    return of + "." + (call instanceof java.lang.reflect.Constructor ? "new" : call.getName());
  }

  private static boolean takesText(Executable call) {
    return Modifier.isPublic(call.getModifiers()) && !call.getName().equals("equals")
        && Stream.of(call.getParameterTypes()).anyMatch(type -> type == String.class || type == String[].class
            || type == byte[].class || type == Map.class || type == Path.class || type == Object.class
            || type == Iterable.class || type == java.util.Collection.class);
  }

  @Test
  void all_public_calls_are_known() {
    Set<String> missing = new TreeSet<>();
    for (Class<?> one : PUBLIC) {
      Stream.of(one.getDeclaredMethods(), one.getDeclaredConstructors()).flatMap(Stream::of)
          .filter(call -> takesText(call) && !call.isSynthetic()).forEach(call -> missing.add(nameOf(call)));
    }
    missing.removeAll(calls().keySet());
    missing.removeIf(name -> name.endsWith(".fill") || name.startsWith("KindOptions."));
    assertEquals(Set.of(), missing);
  }

  private static String said(Function<String, Object> call, String text, int[] refused) {
    try {
      Object made = call.apply(text);
      if (made instanceof AutoCloseable) ((AutoCloseable) made).close();
      boolean isResult = made == null || made instanceof String || made instanceof String[] || made instanceof long[];
      return isResult ? "" : made.toString();
    } catch (PolyflakeException e) {
      refused[0]++;
      return withCauses(e);
    } catch (Exception e) {
      return withCauses(e);
    }
  }

  private static String withCauses(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static boolean leaks(String said, String secret) {
    for (int i = 0; i + WINDOW <= secret.length(); i++) {
      if (said.contains(secret.substring(i, i + WINDOW))) return true;
    }
    return false;
  }

  @Test
  void no_call_shows_a_secret() {
    int given = 0;
    int[] refused = {0};
    Map<String, List<Function<String, Object>>> calls = calls();
    List<String> leaks = new ArrayList<>();
    while (given < SPELLINGS) {
      for (Map.Entry<String, List<Function<String, Object>>> named : calls.entrySet()) {
        for (Function<String, Object> call : named.getValue()) {
          String secret = secret();
          String address = ADDRESSES[random.nextInt(ADDRESSES.length)].replace("{}", secret);
          for (String text : new String[] {secret, address}) {
            String said = said(call, text, refused);
            given++;
            if (leaks(said, secret)) leaks.add(named.getKey() + " of " + text + ": " + said);
          }
        }
      }
    }
    if (!leaks.isEmpty()) fail(leaks.size() + " of " + given + ", for example " + leaks.get(0));
    assertTrue(refused[0] > given / 2, refused[0] + " of " + given + " were refused");
  }
}
