package io.github.polyflake;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Clients that a test makes as an application does, until its class has ended. One that is left open
 * goes on trying to connect, and its threads begin in the tests of other classes.
 */
public final class UsersClients implements AutoCloseable {
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  public synchronized <T extends AutoCloseable> T add(T client) {
    open.push(client);
    return client;
  }

  @Override
  public synchronized void close() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
