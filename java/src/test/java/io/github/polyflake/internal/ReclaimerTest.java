package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReclaimerTest {
  @Test
  void what_has_become_unreachable_is_freed_once_and_nothing_else() throws Exception {
    AtomicInteger freed = new AtomicInteger();
    AtomicInteger freedKept = new AtomicInteger();
    Object kept = new Object();
    Reclaimer.watch(kept, 7, handle -> freedKept.incrementAndGet());
    int pending = Reclaimer.pending();
    for (int i = 0; i < 1000; i++) {
      Reclaimer.watch(new Object(), i, handle -> freed.incrementAndGet());
    }
    for (int i = 0; i < 100 && freed.get() < 1000; i++) {
      System.gc();
      Reclaimer.watch(kept, 7, handle -> freedKept.incrementAndGet());
      Thread.sleep(i);
    }
    assertEquals(1000, freed.get());
    assertEquals(0, freedKept.get());
    assertFalse(kept == null);
    assertTrue(Reclaimer.pending() <= pending + 100);
  }

  @Test
  void a_layout_of_the_native_library_is_freed_after_its_proxy_is_dropped() throws Exception {
    NativeLayout kept = new NativeLayout("twitter");
    for (int i = 0; i < 10_000; i++) {
      new NativeLayout("twitter");
    }
    // Some are freed while they are made, where memory is collected meanwhile.
    for (int i = 0; i < 100 && Reclaimer.pending() > 1000; i++) {
      System.gc();
      new NativeLayout("twitter");
      Thread.sleep(i);
    }
    assertTrue(Reclaimer.pending() <= 1000, () -> Reclaimer.pending() + " are not freed");
    assertEquals(5, kept.fieldWidths()[1]);
  }
}
