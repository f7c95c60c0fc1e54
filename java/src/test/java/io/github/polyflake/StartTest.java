package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A window that begins in the future: opening does not sleep, the first calls wait in Java. */
class StartTest {
  private static final Layout LAYOUT =
      Layout.of("timestamp:40 worker:8 sequence:12 tick=800ms epoch=2020-01-01T00:00:00.000Z");
  private static final AtomicInteger WORKER = new AtomicInteger();

  /** With a number of its own, so that its window begins with the next tick. */
  private static Generator open() {
    return Generator.builder().layout(LAYOUT).worker(WORKER.getAndIncrement()).build();
  }

  private static long tickNow() {
    return (System.currentTimeMillis() - LAYOUT.epochMs()) / LAYOUT.tickMs();
  }

  private interface Attempt {
    /** False if the tick was over too soon, which says nothing. */
    boolean succeeds() throws Exception;
  }

  private static void assertSucceedsAtLeastOnce(Attempt attempt) throws Exception {
    for (int i = 0; i < 8; i++) {
      if (attempt.succeeds()) {
        return;
      }
    }
    throw new AssertionError("in none of 8 attempts");
  }

  @Test
  void opening_ends_in_the_tick_it_began_in_and_nothing_can_be_had_without_waiting() throws Exception {
    assertSucceedsAtLeastOnce(() -> {
      long tick = tickNow();
      Generator generator = open();
      boolean something = generator.tryNextId().isPresent();
      String state = generator.state().name();
      if (tickNow() != tick) {
        return false;
      }
      assertEquals("false starting", something + " " + state);
      return true;
    });
  }

  @Test
  void a_generator_of_this_host_opens_before_its_first_window_begins() throws Exception {
    assertSucceedsAtLeastOnce(() -> {
      ChildJvm child = ChildJvm.run(OnThisHost.class.getName());
      assertEquals("", child.err);
      if (child.out.startsWith("true open")) {
        return false; // its window began while the machine had something else to do
      }
      assertEquals("false starting, then true open\n", child.out);
      return true;
    });
  }

  static final class OnThisHost {
    public static void main(String[] args) {
      Generator generator = Generator.builder().worker("host").build();
      System.out.print(generator.tryNextId().isPresent() + " " + generator.state().name() + ", then ");
      generator.nextId();
      System.out.println(generator.tryNextId().isPresent() + " " + generator.state().name());
    }
  }

  @Test
  void the_first_id_is_waited_for_by_a_parked_thread() throws Exception {
    assertParksUntilTheWindowBegins(generator -> new long[] {generator.nextId()});
  }

  @Test
  void the_first_batch_is_waited_for_by_a_parked_thread() throws Exception {
    assertParksUntilTheWindowBegins(generator -> generator.nextIds(100));
  }

  private static void assertParksUntilTheWindowBegins(Function<Generator, long[]> call) throws Exception {
    assertSucceedsAtLeastOnce(() -> {
      long tick = tickNow();
      Generator generator = open();
      AtomicReference<long[]> ids = new AtomicReference<>();
      Thread thread = new Thread(() -> {
        ids.set(call.apply(generator));
      });
      thread.start();
      boolean parked = false;
      while (thread.isAlive()) {
        parked |= LockSupport.getBlocker(thread) == generator;
        Thread.sleep(1);
      }
      long[] got = ids.get();
      long first = LAYOUT.decode(got[0]).tick();
      long last = LAYOUT.decode(got[got.length - 1]).tick();
      assertTrue(tick < first && first <= last && last <= tickNow(), first + " to " + last + ", opened in " + tick);
      return parked;
    });
  }
}
