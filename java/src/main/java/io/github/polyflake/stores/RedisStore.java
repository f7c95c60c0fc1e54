package io.github.polyflake.stores;

import io.github.polyflake.internal.Refusal;
import java.util.Objects;

/**
 * Leases in Redis 7 or later, over Jedis ({@code redis.clients:jedis}) or Lettuce ({@code io.lettuce:lettuce-core}).
 */
public final class RedisStore extends Store {
  /**
   * A store over a client of yours, which stays yours to close.
   *
   * @param client of Jedis a {@code JedisPooled}, {@code JedisCluster}, {@code JedisSentineled}, {@code JedisPool},
   *     {@code JedisSentinelPool} or another {@code UnifiedJedis} of one server; of Lettuce a {@code RedisClient}, and
   *     no connection of it. An {@code Object}, so that neither need be there to compile with the other
   * @param options the namespace and what is wanted of it
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}
   */
  public RedisStore(Object client, Options options) {
    this(linkOf(Objects.requireNonNull(client, "client"), options));
  }

  RedisStore(Link link) {
    super(link);
  }

  private static Link linkOf(Object client, Options options) {
    if (ClientClasses.JEDIS && JedisSource.takes(client)) {
      return new JedisLink(options.addressOf("redis", "redis"), JedisSource.of(client));
    }
    if (ClientClasses.LETTUCE && LettuceLink.takes(client)) {
      return new LettuceLink(options.addressOf("redis", "redis"), client);
    }
    throw Refusal.of("option_invalid",
        "a client of Redis is one of Jedis (JedisPooled, JedisPool, JedisCluster, JedisSentineled...) or Lettuce"
            + " (RedisClient) that can be reached from here, not a " + client.getClass().getName());
  }

  /** The word in capitals that an error of Redis begins with, such as WRONGPASS. */
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
