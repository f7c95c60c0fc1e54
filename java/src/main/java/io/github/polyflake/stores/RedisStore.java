package io.github.polyflake.stores;

import io.github.polyflake.internal.Refusal;
import java.util.Objects;

/**
 * Leases in Redis 7 or later, over Jedis ({@code redis.clients:jedis}) or Lettuce
 * ({@code io.lettuce:lettuce-core}).
 */
public final class RedisStore extends Store {
  /**
   * Makes a store over your client, which you close yourself.
   *
   * @param client for Jedis a {@code JedisPooled}, {@code JedisCluster}, {@code JedisSentineled},
   *     {@code JedisPool}, {@code JedisSentinelPool}, from Jedis 7 on {@code RedisClient},
   *     {@code RedisClusterClient} or {@code RedisSentinelClient}, or another {@code UnifiedJedis}
   *     of one server; for Lettuce a {@code RedisClient}, not one of its connections. The type is {@code Object},
   *     so that a program with one of the two clients compiles without the other
   * @param options the namespace and its options
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}, also if the version
   *     of the client's library lacks what leases need
   */
  public RedisStore(Object client, Options options) {
    this(linkOf(Objects.requireNonNull(client, "client"), options));
  }

  RedisStore(Link link) {
    super(link);
  }

  private static Link linkOf(Object client, Options options) {
    if (Stores.JEDIS && ClientLibrary.JEDIS.with(() -> JedisSource.takes(client))) {
      JedisSource source = ClientLibrary.JEDIS.with(() -> JedisSource.of(client));
      return new JedisLink(options.addressOf("redis", "redis"), source);
    }
    if (Stores.LETTUCE && ClientLibrary.LETTUCE.with(() -> LettuceLink.takes(client))) {
      return new LettuceLink(options.addressOf("redis", "redis"), client);
    }
    throw Refusal.of("option_invalid",
        "a client of Redis is one of Jedis (JedisPooled, JedisPool, JedisCluster, RedisClient...) or Lettuce"
            + " (RedisClient) that can be reached from here, not a " + client.getClass().getName());
  }

  /**
   * Returns the word in capitals that an error of Redis begins with, such as WRONGPASS; "" if there
   * is none.
   */
  static String codeOf(Throwable failure, Class<? extends Throwable> ofRedis) {
    for (Throwable one = failure; one != null; one = one.getCause()) {
      if (ofRedis.isInstance(one) && one.getMessage() != null) {
        String word = one.getMessage().split(" ", 2)[0];
        return word.chars().allMatch(c -> c >= 'A' && c <= 'Z') ? word : "";
      }
    }
    return "";
  }
}
