package io.github.polyflake.internal;

/** A store, as the runner of leases sees it. Thread safety: any thread. */
public interface StoreLink {
  /**
   * Returns the namespace and its options. Blocks: if the store must first be asked for its kind.
   *
   * @throws Exception of the client, if the kind cannot be found out
   */
  NativeStoreAddress address() throws Exception;

  /** Returns the store, for people, without credentials. */
  String shown();

  /**
   * Returns a connection of its own, on which the statements {@code setup} were run.
   *
   * @throws Exception of the client
   */
  StoreConnection connect(String[] setup, long timeoutMs) throws Exception;

  /** Returns why the client cannot be used, in ASCII, for people. */
  default String complaint(LinkageError failure) {
    return "leases cannot use the client of " + shown() + ": " + Refusal.wordsOf(failure);
  }

  /** Returns the store's own code for a failure; empty if it has none. */
  String codeOf(Throwable failure);
}
