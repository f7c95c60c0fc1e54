package io.github.polyflake.internal;

/** One connection to a store. Commands come one at a time. */
public interface StoreConnection {
  /**
   * Carries out one command as core/src/lease/dialect.hpp describes it, once. Whatever is thrown is a failure of unknown
   * outcome.
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

  /** Ends it, also in the middle of a command, from any thread. Not the client, where that is somebody else's. */
  void close();
}
