package io.github.polyflake.stores;

import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.Pool;

/** Where connections come from. */
interface JedisSource {
  /** A connection to the primary that has this key. */
  JedisLent lend(String key, int timeoutMs);

  /** It was told that another one has it. */
  default void look(String key) {}

  static boolean takes(Object client) {
    return client instanceof UnifiedJedis || client instanceof Pool;
  }

  static JedisSource of(Object client) {
    if (client instanceof JedisPooled) {
      return new Pooled(((JedisPooled) client).getPool());
    }
    if (client instanceof Pool) {
      return new Pooled((Pool<?>) client);
    }
    if (client instanceof JedisCluster) {
      return new Cluster((JedisCluster) client);
    }
    return (key, timeoutMs) -> new JedisLent.Piped((UnifiedJedis) client);
  }

  final class Pooled implements JedisSource {
    private final Pool<?> pool;

    Pooled(Pool<?> pool) {
      this.pool = pool;
    }

    @Override
    public JedisLent lend(String key, int timeoutMs) {
      Object resource = pool.getResource();
      if (resource instanceof Connection) {
        return new JedisLent.Whole((Connection) resource, ((Connection) resource)::close, false);
      }
      return new JedisLent.Whole(((Jedis) resource).getConnection(), ((Jedis) resource)::close, false);
    }
  }

  final class Cluster implements JedisSource {
    private final JedisCluster cluster;

    Cluster(JedisCluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public JedisLent lend(String key, int timeoutMs) {
      Connection connection = cluster.getConnectionFromSlot(JedisClusterCRC16.getSlot(key));
      return new JedisLent.Whole(connection, connection::close, false);
    }

    @Override
    public void look(String key) {
      cluster.exists(key);
    }
  }
}
