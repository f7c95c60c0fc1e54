package io.github.polyflake.internal;

/** One connection to a store. Commands come one at a time. */
public interface StoreConnection {
  /**
   * Carries out one command as core/src/lease/dialect.hpp describes it, once. Any exception is a
   * failure of unknown outcome.
   *
   * @return rows of texts, of which some may be null
   * @throws Exception of the client
   */
  String[][] run(String name, String[][] parts, long timeoutMs) throws Exception;

  /**
   * Called after a command whose reply is the right one. Never blocks.
   *
   * @return what gives back a connection that was lent for that command, or null
   */
  default Runnable settle() {
    return null;
  }

  /**
   * Closes the connection, also in the middle of a command, but not the application's client.
   * Thread safety: any thread.
   */
  void close();
}
