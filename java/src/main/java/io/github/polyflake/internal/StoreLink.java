package io.github.polyflake.internal;

import java.util.concurrent.ExecutionException;

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

  /** What failed, for people: its kinds and its code alone, as what clients say of it may name credentials. */
  default String wordsOf(Throwable failure) {
    Throwable first = failure instanceof ExecutionException ? failure.getCause() : failure;
    StringBuilder words = new StringBuilder(shown()).append(": ").append(first.getClass().getSimpleName());
    Throwable cause = first.getCause();
    for (int depth = 0; cause != null && depth < 3; depth++, cause = cause.getCause()) {
      words.append(", ").append(cause.getClass().getSimpleName());
    }
    String code = codeOf(failure);
    return code.isEmpty() ? words.toString() : words.append(' ').append(code).toString();
  }
}
