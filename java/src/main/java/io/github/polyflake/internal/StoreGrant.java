package io.github.polyflake.internal;

/** A lease, or a counter with its numbers, as the runner sees it. */
interface StoreGrant {
  /** Returns true if sources can be opened with it. */
  boolean granted();

  /** Throws the error that explains why nothing is granted. */
  void raiseFailure();

  /** Returns the longest time that opening may take. */
  long acquireTimeoutMs();

  /** Returns the longest time of the next command. */
  long commandTimeoutMs();

  /** Ends issuing; the session then gives the remaining work. */
  void release();

  /** Returns the UUID of the namespace; empty before the store has told it. */
  String namespaceUuid();

  /** Returns a level and a line for the log if there is something to say; else nothing. */
  String[] takeReport();
}
