package io.github.polyflake.stores;

import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisSentineled;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.UnifiedJedis;

/** A connection, until it is given back. */
interface JedisLent {
  List<Object> run(CommandArguments script, int replicas, long waitMs, int timeoutMs);

  void giveBack();

  /** From any thread, also in the middle of a command. */
  void drop();

  /** A connection by itself. */
  final class Whole implements JedisLent {
    private final Connection connection;
    private final Runnable giveBack;
    final boolean ours;

    Whole(Connection connection, Runnable giveBack) {
      this(connection, giveBack, true);
    }

    Whole(Connection connection, Runnable giveBack, boolean ours) {
      this.connection = connection;
      this.giveBack = giveBack;
      this.ours = ours;
    }

    @Override
    public List<Object> run(CommandArguments script, int replicas, long waitMs, int timeoutMs) {
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

    @Override
    public void giveBack() {
      giveBack.run();
    }

    @Override
    public void drop() {
      connection.setBroken();
      connection.disconnect();
      giveBack.run();
    }
  }

  /** A client whose connections cannot be had but by a pipeline; dropped by its own time limit. */
  final class Piped implements JedisLent {
    private final Pipeline pipeline;

    Piped(UnifiedJedis client) {
      pipeline = client instanceof JedisSentineled ? ((JedisSentineled) client).pipelined()
          : (Pipeline) client.pipelined();
    }

    @Override
    public List<Object> run(CommandArguments script, int replicas, long waitMs, int timeoutMs) {
      pipeline.sendCommand(script);
      if (replicas > 0) {
        pipeline.waitReplicas(replicas, waitMs);
      }
      List<Object> replies = pipeline.syncAndReturnAll();
      for (Object reply : replies) {
        if (reply instanceof RuntimeException) {
          throw (RuntimeException) reply;
        }
      }
      return replies;
    }

    @Override
    public void giveBack() {
      pipeline.close();
    }

    @Override
    public void drop() {
      pipeline.close();
    }
  }
}
