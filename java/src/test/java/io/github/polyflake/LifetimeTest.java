package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Objects made and dropped without end: no duplicate, no growth, no crash. */
class LifetimeTest {
  private static final int MANY = 200_000;
  /** The second half of them may add so much to the resident memory: 120 bytes for each. */
  private static final long NOISE_MB = 12;
  /** So small that the collector has found the first dead ones long before half of them are made. */
  private static final String SMALL_HEAP = "-Xmx12m";
  /** The second compiler drops what a call no longer needs earlier than the first one does. */
  private static final String BOTH_COMPILERS = "-XX:TieredStopAtLevel=4";

  @Test
  void many_generators_of_one_node_id_repeat_nothing_and_keep_no_memory() throws Exception {
    ChildJvm child = ChildJvm.run(SMALL_HEAP, Generators.class.getName(), "static");
    assertEquals("", child.err);
    assertEquals(0, child.exit, child.out);
  }

  @Test
  void many_generators_of_this_host_repeat_nothing_and_keep_no_memory() throws Exception {
    ChildJvm child = ChildJvm.run(SMALL_HEAP, Generators.class.getName(), "host");
    assertEquals("", child.err);
    assertEquals(0, child.exit, child.out);
  }

  @Test
  void layouts_and_clocks_that_are_dropped_keep_no_memory() throws Exception {
    ChildJvm child = ChildJvm.run(SMALL_HEAP, Layouts.class.getName());
    assertEquals("", child.err);
    assertEquals(0, child.exit, child.out);
  }

  @Test
  void ids_issued_while_the_collector_runs_all_the_time_are_right() throws Exception {
    ChildJvm child = ChildJvm.run("-Xmx24m", BOTH_COMPILERS, Storm.class.getName());
    assertEquals("", child.err);
    assertEquals(0, child.exit, child.out);
  }

  /** Freed memory is overwritten, so that a number which is taken there is a wrong one. */
  @Test
  void segments_that_end_while_threads_take_and_the_collector_runs_use_no_freed_memory() throws Exception {
    ChildJvm child = ChildJvm
        .start(Map.of("MALLOC_PERTURB_", "85"), "-Xmx24m", BOTH_COMPILERS, Segments.class.getName()).finish();
    assertEquals("", child.err);
    assertEquals(0, child.exit, child.out);
  }

  /** Resident memory of this process in MB. */
  private static long residentMb() throws IOException {
    String[] pages = new String(Files.readAllBytes(Path.of("/proc/self/statm"))).split(" ");
    return Long.parseLong(pages[1]) * 4096 >> 20;
  }

  private static void check(boolean fact, String otherwise) {
    if (!fact) {
      System.out.println(otherwise);
      System.exit(1);
    }
  }

  static final class Generators {
    public static void main(String[] args) throws Exception {
      long last = -1;
      long residentMb = 0;
      for (int i = 0; i < MANY; i++) {
        Generator.Builder builder = Generator.builder();
        long id = (args[0].equals("host") ? builder.worker("host") : builder.worker(5)).build().nextId();
        check(last < id, i + ": " + last + " then " + id);
        last = id;
        if (i == MANY / 2) {
          residentMb = residentMb();
        }
      }
      check(residentMb() < residentMb + NOISE_MB, "from " + residentMb + " MB to " + residentMb() + " MB");
    }
  }

  static final class Layouts {
    public static void main(String[] args) throws Exception {
      long residentMb = 0;
      for (int i = 0; i < MANY; i++) {
        check(Layout.of("twitter").decode(new ManualClock(i).timeMs()).timeMs() >= i, "decoded wrongly");
        if (i == MANY / 2) {
          residentMb = residentMb();
        }
      }
      check(residentMb() < residentMb + NOISE_MB, "from " + residentMb + " MB to " + residentMb() + " MB");
    }
  }

  private static void inDaemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private static void collectAllTheTime() {
    for (int i = 0;; i++) {
      byte[] garbage = new byte[1 << 18];
      garbage[i & 0xffff] = 1;
      if (i % 16 == 0) {
        System.gc();
      }
    }
  }

  static final class Segments {
    private static volatile SegmentSource ids;
    private static final AtomicLong taken = new AtomicLong();

    private static void take() {
      long last = 0;
      while (true) {
        try {
          // No variable keeps the source meanwhile.
          long number = ids.nextId();
          check(last < number && number < 1L << 40, last + " then " + number);
          last = number;
          taken.incrementAndGet();
        } catch (StateException e) {
          check(e.code().equals("generator_closed"), e.code());
        }
      }
    }

    public static void main(String[] args) throws Exception {
      Store store = Stores.of("memory://lifetime?namespace=shop");
      Namespaces.init(store, "polyflake", true);
      Namespaces.initCounter(store, "orders", 0);
      ids = orders(store);
      inDaemon(LifetimeTest::collectAllTheTime);
      inDaemon(Segments::take);
      inDaemon(Segments::take);
      long end = System.nanoTime() + 3_000_000_000L;
      for (int i = 0; i < 300 || System.nanoTime() - end < 0; i++) {
        for (int k = 0; k < 200; k++) {
          ids.nextId();
        }
        ids.close();
        ids = orders(store);
      }
      check(taken.get() > 1000, "only " + taken.get() + " were taken");
    }

    private static SegmentSource orders(Store store) {
      return Kinds.segment().store(store).name("orders").timeout(Duration.ofMillis(Patience.HANG_MS)).build();
    }
  }

  static final class Storm {
    public static void main(String[] args) throws Exception {
      inDaemon(LifetimeTest::collectAllTheTime);
      Set<Long> seen = new HashSet<>();
      long end = System.nanoTime() + 3_000_000_000L;
      Generator kept = Generator.builder().worker(6).build();
      while (seen.size() <= 1000 || System.nanoTime() - end < 0 && seen.size() < 100_000) {
        Generator fresh = Generator.builder().worker(6).build();
        check(seen.add(fresh.nextId()) && seen.add(kept.nextId()), "issued twice");
        for (long id : fresh.nextIds(20)) {
          check(seen.add(id), "issued twice");
        }
        check(Layout.of("polyflake").decode(kept.nextId()).node() == 6, "decoded wrongly");
      }
    }
  }
}
