package io.github.polyflake;

import static io.github.polyflake.ConcurrencyTest.THREADS;
import static io.github.polyflake.ConcurrencyTest.inThreads;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources of all kinds under threads and processes. */
class KindsConcurrencyTest {
  @TempDir
  Path folder;

  @Test
  void uuids_of_eight_threads_differ_also_in_their_tails_and_increase_in_each_thread() throws Exception {
    int each = 200_000;
    UUID[] ids = new UUID[THREADS * each];
    inThreads(thread -> {
      TimedUuidSource source = Kinds.uuid7().maxWait(Duration.ofSeconds(60)).build();
      UUID last = new UUID(0, 0);
      for (int i = 0; i < each;) {
        UUID[] next = i % 3 == 0 && i + 100 <= each ? source.nextIds(100) : new UUID[] {source.nextId()};
        for (UUID id : next) {
          assertTrue(last.compareTo(id) < 0, "not increasing");
          last = id;
          ids[thread * each + i++] = id;
        }
      }
    });
    assertEquals(ids.length, Arrays.stream(ids).distinct().count());
    assertTails(ids);
  }

  /** That two of 1.6 million are equal by chance has a probability of 2 in 100 000: they have 56 bits. */
  private static void assertTails(UUID[] ids) {
    long[] tails = Arrays.stream(ids).mapToLong(id -> id.getLeastSignificantBits() & (1L << 56) - 1).toArray();
    assertEquals(ids.length, Arrays.stream(tails).distinct().count());
  }

  @Test
  void threads_that_share_a_stripe_of_the_pool_take_random_bits_of_their_own() throws Exception {
    assertTails(idsOfOneStripe(Kinds.uuid7().maxWait(Duration.ofSeconds(60)).build()));
    UuidSource random = Kinds.uuid4().build();
    UUID[] ids = idsOfOneStripe(random);
    assertEquals(ids.length, Arrays.stream(ids).distinct().count());
    assertEquals(ids.length, random.stats().issued()); // those that are in the pool are not
  }

  private static UUID[] idsOfOneStripe(UuidSource source) throws InterruptedException {
    int each = 250_000;
    UUID[] ids = new UUID[4 * each];
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      int from = i * each;
      threads[i] = new Thread(() -> Arrays.setAll(new Object[each], k -> ids[from + k] = source.nextId())) {
        @Override
        public long getId() {
          return 1; // which chooses the stripe
        }
      };
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return ids;
  }

  @Test
  void an_id_is_above_all_whose_call_returned_before() throws Exception {
    for (boolean uuids : new boolean[] {true, false}) {
      TimedUuidSource uuid7 = Kinds.uuid7().maxWait(Duration.ofSeconds(60)).build();
      ObjectIdSource objectid = Kinds.objectid().maxWait(Duration.ofSeconds(60)).build();
      Supplier<String> next = uuids ? uuid7::nextIdString : objectid::nextId;
      AtomicReference<String> highest = new AtomicReference<>("");
      inThreads(thread -> {
        for (int i = 0; i < 50_000; i++) {
          String seen = highest.get();
          String id = next.get();
          assertTrue(seen.compareTo(id) < 0, "not above");
          highest.accumulateAndGet(id, (a, b) -> a.compareTo(b) < 0 ? b : a);
        }
      });
    }
  }

  @Test
  void object_ids_of_eight_threads_differ() throws Exception {
    int each = 100_000;
    String[] ids = new String[THREADS * each];
    inThreads(thread -> {
      ObjectIdSource source = Kinds.objectid().maxWait(Duration.ofSeconds(60)).build();
      for (int i = 0; i < each; i++) {
        ids[thread * each + i] = source.nextId();
      }
    });
    assertEquals(ids.length, Arrays.stream(ids).distinct().count());
    assertEquals(1, Arrays.stream(ids).map(id -> id.substring(8, 18)).distinct().count());
  }

  @Test
  void closing_while_eight_threads_issue_ends_each_with_the_same_exception() throws Exception {
    List<Supplier<IdSource>> kinds = List.of(() -> Kinds.uuid7().build(), () -> Kinds.uuid4().build(),
        () -> Kinds.objectid().maxWait(Duration.ofSeconds(60)).build());
    for (int round = 0; round < 600; round++) {
      IdSource source = kinds.get(round % 3).get();
      int turn = round % 300;
      inThreads(thread -> {
        byte[] batch = new byte[48 * 10]; // a multiple of both
        try {
          // Thread 0 closes, at another moment in each round.
          for (int i = 0; thread != 0 || i < turn; i++) {
            if (thread % 2 == 0) {
              source.nextIdString();
            } else if (source instanceof UuidSource) {
              ((UuidSource) source).fill(batch);
            } else {
              ((ObjectIdSource) source).fill(batch);
            }
          }
          source.close();
          source.nextIdString();
          throw new AssertionError("issued after close");
        } catch (StateException expected) {
          assertEquals("generator_closed", expected.code());
          assertTrue(source.isClosed());
        }
      });
    }
  }

  static final class Issue {
    public static void main(String[] args) throws Exception {
      TimedUuidSource uuid7 = Kinds.uuid7().build();
      ObjectIdSource objectid = Kinds.objectid().build();
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        lines.add(Long.toHexString(uuid7.decode(uuid7.nextId()).tail()));
      }
      lines.add(objectid.nextId().substring(8, 18));
      Files.write(Path.of(args[0]), lines);
    }
  }

  @Test
  void jvms_have_no_tail_and_no_process_bytes_in_common() throws Exception {
    ChildJvm[] children = new ChildJvm[4];
    for (int i = 0; i < children.length; i++) {
      children[i] = ChildJvm.start(Map.of(), Issue.class.getName(), folder.resolve("ids" + i).toString());
    }
    Set<String> all = new HashSet<>();
    for (int i = 0; i < children.length; i++) {
      assertEquals(0, children[i].finish().exit, children[i].err);
      all.addAll(Files.readAllLines(folder.resolve("ids" + i)));
    }
    assertEquals(children.length * 1001, all.size());
  }
}
