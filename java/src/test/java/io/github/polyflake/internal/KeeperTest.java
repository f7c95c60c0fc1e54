package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class KeeperTest {
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

  @Test
  void what_ended_a_lease_is_thrown_as_it_is() {
    NativeLibrary.require();
    assertThrows(NullPointerException.class, () -> Keepers.join(MISTAKEN, "polyflake", MISTAKEN));
  }
}
