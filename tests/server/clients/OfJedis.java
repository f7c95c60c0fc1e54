import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.commands.ProtocolCommand;

/** Jedis: its pool of connections, by the methods that its documentation shows. */
class OfJedis implements Clients.Client {
  private RedisClient client;

  @Override
  public String version() {
    String jar = Jedis.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return "jedis " + jar.replaceAll(".*/jedis-|[.]jar$", "");
  }

  @Override
  public void open(int port, int protocol, String... token) {
    if (client != null) client.close();
    RedisProtocol version = protocol == 3 ? RedisProtocol.RESP3 : RedisProtocol.RESP2;
    DefaultJedisClientConfig.Builder configuration = DefaultJedisClientConfig.builder().protocol(version);
    if (token.length > 0) configuration.user(token[0]).password(token[1]);
    client = RedisClient.builder()
        .hostAndPort(new HostAndPort("127.0.0.1", port))
        .clientConfig(configuration.build())
        .build();
  }

  @Override
  public Object incr(String key) {
    return client.incr(key);
  }

  @Override
  public Object send(String command, String... words) {
    return client.sendCommand(named(command), words);
  }

  @Override
  public List<Object> incrs(String key, int count) {
    return pipelined(count, pipeline -> pipeline.incr(key));
  }

  @Override
  public List<Object> sends(int count, String command, String... words) {
    return pipelined(count, pipeline -> pipeline.sendCommand(named(command), words));
  }

  private List<Object> pipelined(int count, Function<AbstractPipeline, Response<?>> add) {
    List<Response<?>> replies = new ArrayList<>();
    try (AbstractPipeline pipeline = client.pipelined()) {
      for (int i = 0; i < count; ++i)
        replies.add(add.apply(pipeline));
      pipeline.sync();
    }
    List<Object> found = new ArrayList<>();
    for (Response<?> reply : replies)
      found.add(reply.get());
    return found;
  }

  private static ProtocolCommand named(String command) {
    return () -> command.getBytes(StandardCharsets.UTF_8);
  }
}
