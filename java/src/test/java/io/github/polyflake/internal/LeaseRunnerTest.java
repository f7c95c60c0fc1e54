package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.Patience;
import io.github.polyflake.stores.RealStores;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.lang.reflect.Method;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeaseRunnerTest {
  /** An adapter with a mistake: its rows are none. */
  private static final StoreLink MISTAKEN = new StoreLink() {
    @Override
    public NativeStoreAddress address() {
      NativeStoreAddress address = new NativeStoreAddress("redis", "redis");
      address.set("namespace", "orders");
      return address;
    }

    @Override
    public String shown() {
      return "redis";
    }

    @Override
    public String codeOf(Throwable failure) {
      return "";
    }

    @Override
    public StoreConnection connect(String[] setup, long timeoutMs) {
      return new StoreConnection() {
        @Override
        public String[][] run(String name, String[][] parts, long timeoutMs) {
          return null;
        }

        @Override
        public void close() {}
      };
    }
  };

  /** The link of a real store, whose commands are late from some moment on. */
  private static final class Standing implements StoreLink {
    private final StoreLink link;
    volatile long lateMs;

    Standing(Store store) {
      link = StoreAccess.linkOf(store);
    }

    @Override
    public NativeStoreAddress address() throws Exception {
      return link.address();
    }

    @Override
    public String shown() {
      return link.shown();
    }

    @Override
    public String codeOf(Throwable failure) {
      return link.codeOf(failure);
    }

    @Override
    public StoreConnection connect(String[] setup, long timeoutMs) throws Exception {
      StoreConnection connection = link.connect(setup, timeoutMs);
      return new StoreConnection() {
        @Override
        public String[][] run(String name, String[][] parts, long timeout) throws Exception {
          Thread.sleep(lateMs);
          return connection.run(name, parts, timeout);
        }

        @Override
        public void close() {
          connection.close();
        }
      };
    }
  }

  private static Standing onRedis() {
    return new Standing(RealStores
        .fresh(Stores.of(RealStores.address("redis") + "?window_ms=600000&namespace=java-" + UUID.randomUUID())));
  }

  private static void releaseAll() throws Exception {
    Method releaseAll = LeaseRunners.class.getDeclaredMethod("releaseAll");
    releaseAll.setAccessible(true);
    releaseAll.invoke(null);
  }

  private interface End {
    void of(LeaseRunner runner) throws Exception;
  }

  /** It takes half a second; the command is given up after a second, and the lease is over then. */
  private static void assertEndsBeforeItsCommand(End end) throws Throwable {
    Patience.atLeastOnce(() -> {
      Standing standing = onRedis();
      LeaseRunner runner = LeaseRunners.join(standing, "polyflake", standing);
      standing.lateMs = Patience.HANG_MS;
      end.of(runner);
      assertFalse(runner.isOver());
    });
  }

  @Test
  void closing_does_not_wait_for_a_store_that_stands_still() throws Throwable {
    assertEndsBeforeItsCommand(LeaseRunners::leave);
  }

  @Test
  void the_end_of_the_jvm_does_not_wait_for_a_store_that_stands_still() throws Throwable {
    assertEndsBeforeItsCommand(runner -> releaseAll());
  }

  @Test
  void the_end_of_the_jvm_waits_for_what_another_thread_is_just_giving_back() throws Throwable {
    Patience.atLeastOnce(() -> { // it waits half a second at most
      Standing standing = onRedis();
      LeaseRunner runner = LeaseRunners.join(standing, "polyflake", standing);
      standing.lateMs = 50;
      Thread closing = new Thread(() -> LeaseRunners.leave(runner));
      closing.start();
      Patience.eventually(() -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
      releaseAll();
      assertTrue(runner.isOver());
      closing.join();
    });
  }

  @Test
  void what_ended_a_lease_is_thrown_as_it_is() {
    NativeLibrary.require();
    assertThrows(NullPointerException.class, () -> LeaseRunners.join(MISTAKEN, "polyflake", MISTAKEN));
  }
}
