package io.github.polyflake.stores;

import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;

/** A connection, until it is given back. */
final class JedisLent {
  private final Connection connection;
  private final Runnable giveBack;
  final boolean ours;

  JedisLent(Connection connection, Runnable giveBack, boolean ours) {
    this.connection = connection;
    this.giveBack = giveBack;
    this.ours = ours;
  }

  List<Object> run(CommandArguments script, int replicas, long waitMs, int timeoutMs) {
    int usualMs = connection.getSoTimeout();
    connection.setSoTimeout(timeoutMs);
    connection.sendCommand(script);
    List<Object> replies = new ArrayList<>();
    if (replicas > 0) {
      connection.sendCommand(new CommandArguments(Protocol.Command.WAIT).add(replicas).add(waitMs));
    }
    replies.add(connection.getOne());
    if (replicas > 0) {
      replies.add(connection.getOne());
    }
    connection.setSoTimeout(usualMs);
    return replies;
  }

  void giveBack() {
    giveBack.run();
  }

  /** From any thread, also in the middle of a command. A pool gets it back broken, and reads nothing more from it. */
  void drop() {
    connection.setBroken();
    connection.disconnect();
    giveBack.run();
  }
}
