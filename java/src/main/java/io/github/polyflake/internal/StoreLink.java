package io.github.polyflake.internal;

/** A store, as the runner of leases sees it. Thread safety: any thread. */
public interface StoreLink {
  /**
   * The namespace and what is wanted of it. Blocks where the kind of the store must be asked for first.
   *
   * @throws Exception of the client, where it cannot be known
   */
  NativeStoreAddress address() throws Exception;

  /** The store, for people, without credentials. */
  String shown();

  /**
   * A connection that nobody else uses, on which the statements {@code setup} were run.
   *
   * @throws Exception of the client
   */
  StoreConnection connect(String[] setup, long timeoutMs) throws Exception;

  /** The store's own code for a failure, empty where it has none. */
  String codeOf(Throwable failure);
}
