package io.github.polyflake.stores;

import io.github.polyflake.internal.Refusal;
import java.lang.reflect.Field;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.Pool;

/** The source of connections. */
interface JedisSource {
  /** Returns a connection to the primary that has this key. */
  JedisLent lend(String key, int timeoutMs);

  /** Called after a reply that another server has the key. */
  default void look(String key) {}

  static boolean takes(Object client) {
    return client instanceof UnifiedJedis || client instanceof Pool;
  }

  static JedisSource of(Object client) {
    if (client instanceof Pool) {
      return new Pooled((Pool<?>) client);
    }
    ConnectionProvider provider = providerOf((UnifiedJedis) client);
    if (provider instanceof ClusterConnectionProvider) {
      return new Cluster((UnifiedJedis) client, (ClusterConnectionProvider) provider);
    }
    return (key, timeoutMs) -> lent(provider.getConnection());
  }

  /**
   * Returns the provider of a client, which the client shows only to its subclasses. Errors:
   * option_invalid if it has none, or one that shares keys out among servers by itself.
   */
  static ConnectionProvider providerOf(UnifiedJedis client) {
    Object provider = null;
    try {
      Field field = UnifiedJedis.class.getDeclaredField("provider");
      field.setAccessible(true);
      provider = field.get(client);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // A version of Jedis that keeps it elsewhere, or does not let it be seen.
    }
    if (provider instanceof PooledConnectionProvider || provider instanceof SentineledConnectionProvider
        || provider instanceof ClusterConnectionProvider) {
      return (ConnectionProvider) provider;
    }
    throw Refusal.of("option_invalid",
        "this " + client.getClass().getSimpleName() + " lends no connection to one server: pass a JedisPooled,"
            + " JedisSentineled, JedisPool, JedisSentinelPool or JedisCluster, with Jedis 7 or later a RedisClient,"
            + " RedisSentinelClient or RedisClusterClient");
  }

  static JedisLent lent(Connection connection) {
    return new JedisLent(connection, connection::close, false);
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
        return lent((Connection) resource);
      }
      return new JedisLent(((Jedis) resource).getConnection(), ((Jedis) resource)::close, false);
    }
  }

  final class Cluster implements JedisSource {
    private final UnifiedJedis client;
    private final ClusterConnectionProvider provider;

    Cluster(UnifiedJedis client, ClusterConnectionProvider provider) {
      this.client = client;
      this.provider = provider;
    }

    @Override
    public JedisLent lend(String key, int timeoutMs) {
      return lent(provider.getConnectionFromSlot(JedisClusterCRC16.getSlot(key)));
    }

    @Override
    public void look(String key) {
      client.exists(key);
    }
  }
}
