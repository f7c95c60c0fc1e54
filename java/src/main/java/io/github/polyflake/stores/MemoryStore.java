package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.StoreConnection;

/**
 * The store of {@code memory://name?namespace=orders}, in the memory of this process. It is for
 * tests of programs that take the address of a store. The core carries out its commands itself, so
 * there is no connection.
 */
final class MemoryStore extends Store {
  MemoryStore(NativeStoreAddress address) {
    super(new Link(address) {
      @Override
      public StoreConnection connect(String[] setup, long timeoutMs) {
        throw new AssertionError("a store in memory needs no connection");
      }
    });
  }
}
