package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.Generator;
import io.github.polyflake.LeaseException;
import io.github.polyflake.Patience;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeStoreAddress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Openings at servers that answer as no store does are given up in time, with their sockets, threads and memory. */
class HostileServersTest {
  private static final int OPENINGS = 3;
  private static final int AT_ONCE = 42;
  private static final long OPENINGS_MS = 5 * Patience.HANG_MS; // of all of them, on a busy machine
  private static final long MOST_BYTES = 8 << 20; // of one connection: the limit, and what waits in sockets
  private static final long DRIP_MS = 20; // below every time limit of reading
  private static final String OPTIONS =
      "namespace=orders&window_ms=900&tolerance_ms=100&acquire_timeout_ms=300";
  /** One for the whole process, by the library that starts them. */
  private static final List<String> OF_THE_PROCESS = List.of(HostileServer.THREADS, "hostile-opening",
      "polyflake-leases", "mysql-cj-abandoned", "globalEventExecutor", "grpc-", "Cleaner", "process reaper");

  /** The first bytes of servers of one protocol. */
  private enum Protocol {
    REDIS(text("$100000\r\n"), text("$2000000000\r\n"), text("$-5\r\n"), text("x")),
    // Lengths of packets; the password of an answer to a connect has the negative one.
    ZOOKEEPER(ints(100_000), ints(Integer.MAX_VALUE), ints(20, 0, 10_000, 0, 0, -5), text("x")),
    // Frames of settings: one that is long, one that is too long, one for stream -1, and many that are empty.
    ETCD(bytes(0, 0x20, 0, 4, 0, 0, 0, 0, 0), bytes(0xff, 0xff, 0xff, 4, 0, 0, 0, 0, 0),
        bytes(0, 0, 0, 4, 0, 0xff, 0xff, 0xff, 0xff), bytes(0, 0, 0, 4, 0, 0, 0, 0, 0)),
    // An error of so many bytes.
    POSTGRESQL(joined(text("E"), ints(20_000)), joined(text("E"), ints(Integer.MAX_VALUE)),
        joined(text("E"), ints(-5)), text("x")),
    // A greeting of so many bytes. Lengths have no sign: the negative one is a packet of none.
    MYSQL(bytes(0x20, 0x4e, 0, 0, 10), bytes(0xff, 0xff, 0xff, 0, 10), bytes(0, 0, 0, 0), text("x"));

    final byte[] some;
    final byte[] giant;
    final byte[] negative;
    final byte[] piece;

    Protocol(byte[] some, byte[] giant, byte[] negative, byte[] piece) {
      this.some = some;
      this.giant = giant;
      this.negative = negative;
      this.piece = piece;
    }

    /** Goes as far as the answer to the client's first real words. */
    void greet(InputStream in, HostileServer.Sink out) throws IOException {
      if (this == POSTGRESQL) {
        await(in, 8);
        out.send(text("N")); // no TLS
      }
      if (this != MYSQL) {
        await(in, 1);
      }
    }
  }

  private enum Treatment {
    SAYS_NOTHING, DRIPS, POURS, POURS_WITHOUT_A_LENGTH, SAYS_A_NEGATIVE_LENGTH, SAYS_A_GIANT_LENGTH, CLOSES;

    void of(Protocol protocol, InputStream in, HostileServer.Sink out) throws IOException {
      switch (this) {
        case SAYS_NOTHING:
          untilItCloses(in);
          break;
        case DRIPS:
          protocol.greet(in, out);
          out.send(protocol.some);
          while (true) {
            out.send(Arrays.copyOf(protocol.piece, 1));
            pause();
          }
        case POURS:
        case POURS_WITHOUT_A_LENGTH:
          protocol.greet(in, out);
          if (this == POURS) {
            out.send(protocol == Protocol.ETCD ? protocol.piece : protocol.giant);
          }
          byte[] many = repeated(protocol.piece, 1 << 13);
          while (true) {
            out.send(many);
          }
        case SAYS_A_NEGATIVE_LENGTH:
        case SAYS_A_GIANT_LENGTH:
          protocol.greet(in, out);
          out.send(this == SAYS_A_GIANT_LENGTH ? protocol.giant : protocol.negative);
          untilItCloses(in);
          break;
        default:
          protocol.greet(in, out);
      }
    }
  }

  /** A client of the package's own, by the address that it is made for. */
  private static final class Client {
    final String name;
    final Protocol protocol;
    final Function<String, Store> make;
    final String url;

    Client(String name, Protocol protocol, String url, Function<String, Store> make) {
      this.name = name;
      this.protocol = protocol;
      this.url = url;
      this.make = make;
    }
  }

  private static List<Client> clients() {
    Function<String, Store> mariadb = overJdbc(JdbcDriver.MARIADB);
    return List.of(
        new Client("Jedis", Protocol.REDIS, "redis://h?", Stores::of),
        new Client("Jedis with a password", Protocol.REDIS, "redis://:secret@h?", Stores::of),
        new Client("Jedis and TLS", Protocol.REDIS, "rediss://h?", Stores::of),
        new Client("Jedis and Sentinel", Protocol.REDIS, "redis+sentinel://h/main?", Stores::of),
        new Client("Lettuce", Protocol.REDIS, "redis://:secret@h?", RealStores::overLettuce),
        new Client("Lettuce and TLS", Protocol.REDIS, "rediss://h?", RealStores::overLettuce),
        new Client("Lettuce and Sentinel", Protocol.REDIS, "redis+sentinel://h/main?", RealStores::overLettuce),
        new Client("ZooKeeper", Protocol.ZOOKEEPER, "zookeeper://h?", Stores::of),
        new Client("jetcd", Protocol.ETCD, "etcd://h?", Stores::of),
        new Client("jetcd with a password", Protocol.ETCD, "etcd://reader:secret@h?", Stores::of),
        new Client("jetcd and TLS", Protocol.ETCD, "etcds://h?", Stores::of),
        new Client("PostgreSQL's driver", Protocol.POSTGRESQL, "postgresql://reader:secret@h/orders?", Stores::of),
        new Client("MariaDB's driver", Protocol.MYSQL, "mysql://reader:secret@h/orders?", mariadb),
        new Client("Connector/J", Protocol.MYSQL, "mysql://reader:secret@h/orders?", Stores::of));
  }

  private static Function<String, Store> overJdbc(JdbcDriver driver) {
    return url -> {
      NativeLibrary.require();
      return new SqlStore(SqlLink.of(NativeStoreAddress.parse(url), driver));
    };
  }

  /** Openings of one client at one server. */
  private static final class Attack {
    final Client client;
    final Treatment treatment;
    final HostileServer server;
    final List<Future<String>> outcomes = new ArrayList<>();

    Attack(Client client, Treatment treatment) throws IOException {
      this.client = client;
      this.treatment = treatment;
      server = new HostileServer((in, out) -> treatment.of(client.protocol, in, out));
    }

    String open() {
      String url = client.url.replace("@h", "@127.0.0.1:" + server.port())
          .replace("//h", "//127.0.0.1:" + server.port()) + OPTIONS;
      try (Generator generator = Generator.builder().worker(client.make.apply(url)).build()) {
        return "opened";
      } catch (LeaseException e) {
        return e.code();
      }
    }

    /** Again if a busy machine gave an opening up before it came to the server. */
    String openUntilItCame() {
      long endNs = System.nanoTime() + Patience.HANG_MS * 1_000_000;
      String outcome;
      do {
        outcome = open();
      } while (server.accepted.get() == 0 && System.nanoTime() - endNs < 0);
      return outcome;
    }

    boolean isOver() {
      return outcomes.stream().allMatch(Future::isDone) && server.connections.get() == 0;
    }

    void check() throws Exception {
      for (Future<String> outcome : outcomes) {
        assertEquals("store_unavailable", outcome.get());
      }
      assertEquals(0, server.connections.get(), "connections are left of " + server.accepted);
      assertTrue(server.accepted.get() > 0, "nobody came");
      assertTrue(server.sent.get() < server.accepted.get() * MOST_BYTES,
          server.sent + " bytes were taken by " + server.accepted + " connections");
      server.close();
    }
  }

  @TestFactory
  List<DynamicTest> a_hostile_server_keeps_nothing_of_an_opening() throws Exception {
    Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    List<Attack> attacks = new ArrayList<>();
    for (Client client : clients()) {
      for (Treatment treatment : Treatment.values()) {
        // Connector/J takes no factory of sockets that is not of its own kind: docs/leases.md names what is left of it.
        if (treatment != Treatment.DRIPS || !client.name.equals("Connector/J")) {
          attacks.add(new Attack(client, treatment));
        }
      }
    }
    ExecutorService openers = Executors.newFixedThreadPool(AT_ONCE, work -> new Thread(work, "hostile-opening"));
    for (Attack attack : attacks) {
      for (int i = 0; i < OPENINGS; i++) {
        attack.outcomes.add(openers.submit((Callable<String>) attack::openUntilItCame));
      }
    }
    openers.shutdown();
    boolean areOpeningsOver = openers.awaitTermination(OPENINGS_MS, TimeUnit.MILLISECONDS);
    try {
      Patience.eventually(() -> attacks.stream().allMatch(Attack::isOver) && threadsBeside(before).isEmpty());
    } catch (AssertionError e) {
      // The tests below say what is left.
    }
    List<DynamicTest> tests = attacks.stream().map(attack -> DynamicTest.dynamicTest(
        attack.client.name + " " + attack.treatment.name().toLowerCase().replace('_', ' '), attack::check))
        .collect(Collectors.toCollection(ArrayList::new));
    tests.add(DynamicTest.dynamicTest("every opening ends", () -> assertTrue(areOpeningsOver)));
    tests.add(DynamicTest.dynamicTest("no threads are left",
        () -> assertEquals(Set.of(), threadsBeside(before))));
    return tests;
  }

  private static Set<String> threadsBeside(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream().filter(thread -> !before.contains(thread))
        .map(Thread::getName).filter(name -> OF_THE_PROCESS.stream().noneMatch(name::startsWith))
        .collect(Collectors.toSet());
  }

  private static void await(InputStream in, int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      if (in.read() < 0) {
        throw new IOException("closed");
      }
    }
  }

  private static void untilItCloses(InputStream in) throws IOException {
    byte[] some = new byte[1 << 12];
    while (in.read(some) >= 0) {
      // more
    }
  }

  private static void pause() {
    try {
      Thread.sleep(DRIP_MS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(int... values) {
    byte[] all = new byte[values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) values[i];
    }
    return all;
  }

  private static byte[] ints(int... values) {
    ByteBuffer all = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      all.putInt(value);
    }
    return all.array();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private static byte[] repeated(byte[] piece, int times) {
    ByteBuffer all = ByteBuffer.allocate(piece.length * times);
    for (int i = 0; i < times; i++) {
      all.put(piece);
    }
    return all.array();
  }
}
