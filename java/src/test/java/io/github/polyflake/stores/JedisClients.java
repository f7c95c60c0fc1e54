package io.github.polyflake.stores;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/**
 * Makes the clients that this version of Jedis has. Their classes are found by name, since Jedis 7 brought some of them
 * and Jedis 8 removed others.
 */
public final class JedisClients {
  private JedisClients() {}

  /** Makes a client; null if this version has none of the name. */
  private interface Maker {
    Object make() throws ReflectiveOperationException;
  }

  private static void add(Map<String, Object> clients, String name, Maker maker) {
    try {
      clients.put(name, maker.make());
    } catch (ClassNotFoundException | NoSuchMethodException e) {
      // This version has no such client.
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(name, e);
    }
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName("redis.clients.jedis." + name);
  }

  private static Object made(String name, Class<?>[] types, Object... values) throws ReflectiveOperationException {
    return type(name).getConstructor(types).newInstance(values);
  }

  /** Builds this client with these settings: for each one a name, a type and a value. */
  private static Object built(String name, Object... settings) throws ReflectiveOperationException {
    Object builder = type(name).getMethod("builder").invoke(null);
    for (int i = 0; i < settings.length; i += 3) {
      Method setting = builder.getClass().getMethod((String) settings[i], (Class<?>) settings[i + 1]);
      builder = setting.invoke(builder, settings[i + 2]);
    }
    return builder.getClass().getMethod("build").invoke(builder);
  }

  /** All clients of one server, by name. */
  public static Map<String, Object> of(String host, int port) {
    Map<String, Object> clients = new LinkedHashMap<>();
    HostAndPort server = new HostAndPort(host, port);
    JedisClientConfig resp3 = DefaultJedisClientConfig.builder().protocol(RedisProtocol.RESP3).build();
    Class<?>[] address = {String.class, int.class};
    add(clients, "JedisPooled", () -> made("JedisPooled", address, host, port));
    add(clients, "UnifiedJedis", () -> made("UnifiedJedis", new Class<?>[] {HostAndPort.class}, server));
    add(clients, "JedisPool", () -> made("JedisPool", address, host, port));
    add(clients, "JedisPool with RESP3",
        () -> made("JedisPool", new Class<?>[] {HostAndPort.class, JedisClientConfig.class}, server, resp3));
    add(clients, "RedisClient", () -> built("RedisClient", "hostAndPort", HostAndPort.class, server));
    return clients;
  }

  /** All clients of the primary that this sentinel knows as {@code main}, by name. */
  public static Map<String, Object> ofSentinel(HostAndPort sentinel, String password) {
    Map<String, Object> clients = new LinkedHashMap<>();
    Set<HostAndPort> sentinels = Set.of(sentinel);
    JedisClientConfig config = DefaultJedisClientConfig.builder().password(password).build();
    JedisClientConfig asking = DefaultJedisClientConfig.builder().build();
    add(clients, "JedisSentinelPool", () -> made("JedisSentinelPool",
        new Class<?>[] {String.class, Set.class, JedisClientConfig.class, JedisClientConfig.class}, "main", sentinels,
        config, asking));
    add(clients, "JedisSentineled", () -> made("JedisSentineled",
        new Class<?>[] {String.class, JedisClientConfig.class, Set.class, JedisClientConfig.class}, "main", config,
        sentinels, asking));
    add(clients, "RedisSentinelClient", () -> built("RedisSentinelClient", "masterName", String.class, "main",
        "clientConfig", JedisClientConfig.class, config, "sentinels", Set.class, sentinels, "sentinelClientConfig",
        JedisClientConfig.class, asking));
    return clients;
  }

  /** All clients of the cluster that this server is in, by name. */
  public static Map<String, Object> ofCluster(HostAndPort server) {
    Map<String, Object> clients = new LinkedHashMap<>();
    add(clients, "JedisCluster", () -> made("JedisCluster", new Class<?>[] {HostAndPort.class}, server));
    add(clients, "RedisClusterClient", () -> built("RedisClusterClient", "nodes", Set.class, Set.of(server)));
    return clients;
  }
}
