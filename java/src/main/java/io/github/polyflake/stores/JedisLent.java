package io.github.polyflake.stores;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;

/** A connection that was lent, until it is given back. */
final class JedisLent {
  private final Connection connection;
  private final Runnable giveBack;
  final boolean ours;

  JedisLent(Connection connection, Runnable giveBack, boolean ours) {
    this.connection = connection;
    this.giveBack = giveBack;
    this.ours = ours;
  }

  Object run(CommandArguments command, int timeoutMs) {
    int usualMs = connection.getSoTimeout();
    connection.setSoTimeout(timeoutMs);
    connection.sendCommand(command);
    Object reply = connection.getOne();
    connection.setSoTimeout(usualMs);
    return reply;
  }

  void giveBack() {
    giveBack.run();
  }

  /**
   * Closes the connection, also in the middle of a command. A pool gets it back as broken and reads
   * nothing more from it. Thread safety: any thread.
   */
  void drop() {
    connection.setBroken();
    connection.disconnect();
    giveBack.run();
  }
}
