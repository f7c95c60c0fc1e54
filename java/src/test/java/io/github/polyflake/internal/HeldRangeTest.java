package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.Patience;
import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Numbers that Java takes in the memory of the core: the same that the core would take. */
@ExtendWith(PatientClose.class)
class HeldRangeTest {
  private static final long OWNER = 3;

  /** Words of a range that no core knows: paused, next, limit, begin, execution. */
  private final ByteBuffer[] words = new ByteBuffer[HeldRange.WORDS];

  private long take(long... values) {
    for (int i = 0; i < words.length; i++) {
      words[i] = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).putLong(0, values[i]);
    }
    return new HeldRange(null, words, OWNER).take();
  }

  private long next() {
    return words[1].getLong(0);
  }

  @Test
  void a_number_of_the_range_counts() {
    assertEquals(5, take(0, 5, 8, 5, OWNER));
    assertEquals(6, next());
    assertEquals(7, take(0, 7, 8, 5, OWNER));
  }

  @Test
  void a_number_outside_the_range_is_early_until_its_range_comes() {
    assertEquals(~8, take(0, 8, 8, 5, OWNER));
    assertEquals(9, next());
    assertEquals(~4, take(0, 4, 8, 5, OWNER));
    assertEquals(HeldRange.NONE, take(0, 0, 0, 0, OWNER)); // nothing was ever installed
  }

  @Test
  void a_range_that_is_paused_loses_no_number() {
    assertEquals(HeldRange.NONE, take(1, 8, 8, 5, OWNER));
    assertEquals(8, next());
  }

  @Test
  void nothing_is_taken_of_a_range_that_is_frozen() {
    for (long frozen = Long.MIN_VALUE; frozen < Long.MIN_VALUE + 3; frozen++) {
      assertEquals(HeldRange.NONE, take(0, frozen, 8, 5, OWNER));
      assertEquals(HeldRange.NONE, take(0, frozen, Long.MAX_VALUE, 1, OWNER));
    }
  }

  @Test
  void a_copy_of_the_process_takes_nothing() {
    assertEquals(HeldRange.NONE, take(0, 5, 8, 5, 0));
    assertEquals(HeldRange.NONE, take(0, 5, 8, 5, OWNER + 1));
  }

  /** A counter in memory, its runner, and a source of it. */
  private static final class Opened implements AutoCloseable {
    final CounterRunner runner;
    NativeCountedSource source;

    Opened(String kind, CounterOptions counter, long step) {
      NativeLibrary.require();
      Store store = Stores.of("memory://java-" + UUID.randomUUID() + "?namespace=shop");
      Namespaces.init(store, "polyflake", true);
      Namespaces.initCounter(store, "orders", 0, counter);
      Map<String, Long> numbers = new TreeMap<>(Collections.singletonMap("step", step));
      numbers.put("timeout_ms", Patience.HANG_MS);
      CounterUse use = kind.equals("segment") ? new CounterUse("orders", numbers)
          : new CounterUse("orders", numbers, new NativeDateNumbers("yyyy", 6, ""), "+00:00");
      runner = LeaseRunners.join(store, use, StoreAccess.linkOf(store));
      NativeOptions options = new NativeOptions();
      options.setKind(kind);
      options.setCounter(runner.counter());
      source = new NativeCountedSource(options);
      options.delete();
    }

    /** Claims a number by calls, or `early` if it comes. */
    long claim(long early) throws Exception {
      long[] number = {HeldRange.NONE};
      Patience.eventually(() -> {
        number[0] = Facade.claimNext(source, early);
        if (source.takeWake()) {
          runner.wake();
        }
        return number[0] >= 0;
      });
      return number[0];
    }

    @Override
    public void close() {
      source.close();
      LeaseRunners.leave(runner);
    }
  }

  @Test
  void numbers_of_a_segment_are_taken_in_memory_and_by_calls_in_one_order() throws Exception {
    try (Opened opened = new Opened("segment", CounterOptions.segment(), 1000)) {
      HeldRange range = HeldRange.of(opened.source);
      assertTrue(range.isInMemory());
      assertEquals(HeldRange.NONE, range.take());
      assertEquals(1, opened.claim(0));
      long[] ids = new long[3];
      for (int last = 1; last < 400; last += 5) {
        assertEquals(last + 1, range.take());
        assertEquals(last + 2, Facade.claimHeld(opened.source));
        assertEquals(3, Facade.claimNumbers(opened.source, ids, 0, 3));
        assertEquals(last + 3, ids[0]);
      }
    }
  }

  @Test
  void a_number_that_was_taken_early_comes_with_its_range() throws Exception {
    try (Opened opened = new Opened("segment", CounterOptions.segment(), 1)) {
      HeldRange range = HeldRange.of(opened.source);
      assertEquals(1, opened.claim(0));
      int early = 0;
      for (long last = 1; last < 100; last += 2) {
        long taken = range.take();
        if (taken < 0) {
          early++;
          assertEquals(~(last + 1), taken);
          assertEquals(last + 1, opened.claim(last + 1));
        } else { // it has come already: a claim that waited long has asked twice
          assertEquals(last + 1, taken);
        }
        assertEquals(last + 2, opened.claim(0));
      }
      assertTrue(early > 0);
    }
  }

  @Test
  void a_call_that_waits_for_a_number_uses_up_no_others() throws Exception {
    try (Opened opened = new Opened("segment", CounterOptions.segment(), 1)) {
      HeldRange range = HeldRange.of(opened.source);
      long taken;
      long early = 1;
      assertEquals(early, opened.claim(0));
      do {
        early++;
        taken = range.take();
      } while (taken == early); // a claim that waited long has asked for more
      assertEquals(~early, taken);
      Facade.claimUnlessWaiting(opened.source);
      for (int i = 0; i < 10; i++) {
        assertEquals(HeldRange.NONE, range.take());
      }
      assertEquals(early, opened.claim(early));
      assertEquals(early + 1, opened.claim(0));
    }
  }

  @Test
  void each_number_of_a_date_is_taken_by_a_call() throws Exception {
    try (Opened opened = new Opened("date", CounterOptions.date().period("yyyy"), 1000)) {
      HeldRange range = HeldRange.of(opened.source);
      assertFalse(range.isInMemory());
      assertEquals(opened.claim(0) + 1, range.take());
    }
  }

  @Test
  void the_source_is_not_freed_before_its_range() throws Exception {
    Opened opened = new Opened("segment", CounterOptions.segment(), 1000);
    HeldRange range = HeldRange.of(opened.source);
    assertEquals(1, opened.claim(0));
    WeakReference<NativeCountedSource> source = new WeakReference<>(opened.source);
    opened.source = null;
    for (int i = 0; i < 10; i++) {
      System.gc();
      new NativeLayout("twitter"); // frees what was found dead
      assertEquals(2 + i, range.take());
    }
    assertNotNull(source.get());
    source.get().close();
    LeaseRunners.leave(opened.runner);
    assertTrue(range.take() < 0);
  }

  @Test
  void the_core_gives_all_words_of_a_range_each_of_64_bits() throws Exception {
    try (Opened opened = new Opened("segment", CounterOptions.segment(), 1000)) {
      ByteBuffer[] found = new ByteBuffer[words.length];
      assertTrue(Facade.rangeWords(opened.source, found) > 0);
      assertTrue(Arrays.stream(found).allMatch(word -> word.isDirect() && word.capacity() == Long.BYTES));
    }
  }
}
