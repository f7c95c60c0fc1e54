package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {
  static final int THREADS = 8;

  interface Body {
    void run(int thread) throws Exception;
  }

  /** Starts all threads at once, waits for their end, and passes on the first failure. */
  static void inThreads(Body body) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      threads[i] = new Thread(() -> {
        try {
          start.await();
          body.run(thread);
        } catch (Throwable e) {
          failure.compareAndSet(null, e);
        }
      });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertNull(failure.get(), () -> String.valueOf(failure.get()));
  }

  private static void assertDistinct(long[] ids) {
    Arrays.sort(ids);
    for (int i = 1; i < ids.length; i++) {
      assertTrue(ids[i - 1] != ids[i], "issued twice");
    }
  }

  /** The next ids for ids[at ...], at most {@code left}. */
  private interface Source {
    long[] next(int at, int left);
  }

  private static void fillIncreasing(long[] ids, int from, int count, Source source) {
    long last = -1;
    int end = from + count;
    for (int at = from; at < end;) {
      for (long id : source.next(at, end - at)) {
        assertTrue(last < id, "not increasing");
        last = id;
        ids[at++] = id;
      }
    }
  }

  @Test
  void sixteen_million_ids_of_eight_threads_differ_and_increase_in_each_thread() throws Exception {
    int each = 2_000_000;
    long[] ids = new long[THREADS * each];
    Generator generator = Generator.builder().worker(30).maxWait(Duration.ofSeconds(60)).build();
    inThreads(thread -> {
      long last = -1;
      for (int i = 0; i < each; i++) {
        long id = generator.nextId();
        assertTrue(last < id, "not increasing");
        last = id;
        ids[thread * each + i] = id;
      }
    });
    assertDistinct(ids);
    assertEquals(ids.length, generator.stats().issued());
  }

  @Test
  void batches_single_calls_and_tries_of_several_generators_of_one_node_id_differ() throws Exception {
    int each = 400_000;
    long[] ids = new long[THREADS * each];
    inThreads(thread -> {
      Generator generator = Generator.builder().worker(31).maxWait(Duration.ofSeconds(60)).build();
      fillIncreasing(ids, thread * each, each,
          (at, left) -> at % 3 == 0 ? generator.nextIds(Math.min(at % 5000 + 1, left))
              : at % 3 == 1 ? new long[] {generator.nextId()}
              : generator.tryNextId().isPresent() ? new long[] {generator.nextId()} : new long[0]);
    });
    assertDistinct(ids);
  }

  @Test
  void ids_of_threads_with_runs_of_their_own_differ_and_increase_in_each_thread() throws Exception {
    int each = 250_000;
    for (String layout : new String[] {"polyflake",
      "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z"}) {
      long[] ids = new long[4 * each];
      Generator generator = Generator.builder().worker(0).layout(layout).ordering("per_thread")
          .maxWait(Duration.ofSeconds(60)).build();
      inThreads(thread -> {
        if (thread >= 4) {
          return;
        }
        fillIncreasing(ids, thread * each, each, (at, left) -> at % 5 == 0
            ? generator.nextIds(Math.min(at % 300 + 1, left)) : new long[] {generator.nextId()});
      });
      assertDistinct(ids);
    }
  }

  @Test
  void a_thread_issues_from_a_run_of_its_own() throws Exception {
    Generator generator = Generator.builder().worker(1).ordering("per_thread").sequenceSpread(1)
        .clock(new ManualClock(1_767_225_600_000L)).build();
    generator.nextId();
    long first = generator.nextId(); // runs begin with the second id
    AtomicLong other = new AtomicLong();
    Thread thread = new Thread(() -> other.set(generator.nextId()));
    thread.start();
    thread.join();
    assertEquals(first + 63, other.get());
    assertEquals(first + 1, generator.nextId());
  }

  @Test
  void closing_while_eight_threads_issue_ends_each_with_the_same_exception() throws Exception {
    for (int round = 0; round < 300; round++) {
      Generator generator = Generator.builder().worker(32).maxWait(Duration.ofSeconds(60)).build();
      int turn = round;
      inThreads(thread -> {
        long[] batch = new long[100];
        try {
          // Thread 0 closes, at another moment in each round.
          for (int i = 0; thread != 0 || i < turn; i++) {
            if (thread % 2 == 0) {
              generator.nextId();
            } else if (thread == 1) {
              assertTrue(generator.toString().contains(generator.state().name()) || generator.isClosed());
              generator.renew();
            } else {
              generator.fill(batch);
            }
          }
          generator.close();
          generator.nextId();
          throw new AssertionError("issued after close");
        } catch (StateException expected) {
          assertEquals("generator_closed", expected.code());
          assertTrue(generator.isClosed());
        }
      });
    }
  }
}
