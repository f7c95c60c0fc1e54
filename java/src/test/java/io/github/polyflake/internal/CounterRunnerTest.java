package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.Kinds;
import io.github.polyflake.Patience;
import io.github.polyflake.SegmentSource;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls that need numbers wake the thread that asks for them. */
@ExtendWith(PatientClose.class)
class CounterRunnerTest {
  private static int tasks() throws ReflectiveOperationException {
    Field decider = LeaseThreads.class.getDeclaredField("DECIDER");
    decider.setAccessible(true);
    return ((ScheduledThreadPoolExecutor) decider.get(null)).getQueue().size();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void many_calls_that_find_no_number_leave_one_task() throws ReflectiveOperationException {
    String url = "memory://java-" + UUID.randomUUID() + "?namespace=shop";
    Store store = Stores.of(url);
    Namespaces.init(store, "polyflake", true);
    Namespaces.initCounter(store, "orders", 0);
    Duration patience = Duration.ofMillis(Patience.HANG_MS);
    try (SegmentSource ids = Kinds.segment().store(url).name("orders").step(1).timeout(patience).build()) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      LeaseThreads.decide(() -> {
        begun.countDown();
        await(done);
      });
      await(begun);
      int before = tasks();
      for (int i = 0; i < 1000; i++) {
        assertFalse(ids.tryNextId().isPresent());
      }
      int more = tasks() - before;
      done.countDown();
      assertTrue(more <= 1, more + " tasks");
      assertEquals(1, ids.nextId());
    }
  }
}
