import io.lettuce.core.ClientOptions;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.LettuceVersion;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.ObjectOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.ProtocolVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Lettuce: one connection, which connects again by itself. */
class OfLettuce implements Clients.Client {
  private RedisClient client;
  private StatefulRedisConnection<String, String> connection;

  @Override
  public String version() {
    return "lettuce " + LettuceVersion.getVersion();
  }

  @Override
  public void open(int port, int protocol, String... token) {
    if (client != null) client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    RedisURI.Builder address = RedisURI.builder().withHost("127.0.0.1").withPort(port);
    if (token.length > 0) address.withAuthentication(token[0], token[1]);
    client = RedisClient.create(address.build());
    ProtocolVersion version = protocol == 3 ? ProtocolVersion.RESP3 : ProtocolVersion.RESP2;
    client.setOptions(ClientOptions.builder().protocolVersion(version).build());
    connection = client.connect();
  }

  @Override
  public Object incr(String key) {
    return connection.sync().incr(key);
  }

  @Override
  public Object send(String command, String... words) {
    return awaited(List.of(dispatch(command, words))).get(0);
  }

  @Override
  public List<Object> incrs(String key, int count) {
    RedisAsyncCommands<String, String> commands = connection.async();
    List<RedisFuture<?>> replies = new ArrayList<>();
    for (int i = 0; i < count; ++i)
      replies.add(commands.incr(key));
    return awaited(replies);
  }

  @Override
  public List<Object> sends(int count, String command, String... words) {
    List<RedisFuture<?>> replies = new ArrayList<>();
    for (int i = 0; i < count; ++i)
      replies.add(dispatch(command, words));
    return awaited(replies);
  }

  private RedisFuture<Object> dispatch(String command, String... words) {
    CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8).addValues(Arrays.asList(words));
    return connection.async().dispatch(named(command), outputFor(command, words.length), arguments);
  }

  // ObjectOutput takes no reply that is one text.
  @SuppressWarnings("unchecked")
  private static CommandOutput<String, String, Object> outputFor(String command, int words) {
    boolean oneText = command.equals("POLYFLAKE.NEXT") && words == 1;
    CommandOutput<String, String, ?> output =
        oneText ? new ValueOutput<>(StringCodec.UTF8) : new ObjectOutput<>(StringCodec.UTF8);
    return (CommandOutput<String, String, Object>) output;
  }

  private static List<Object> awaited(List<? extends RedisFuture<?>> replies) {
    LettuceFutures.awaitAll(1, TimeUnit.MINUTES, replies.toArray(new RedisFuture<?>[0]));
    List<Object> found = new ArrayList<>();
    for (RedisFuture<?> reply : replies)
      found.add(reply.toCompletableFuture().join());
    return found;
  }

  private static ProtocolKeyword named(String command) {
    return new ProtocolKeyword() {
      @Override
      public byte[] getBytes() {
        return command.getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public String toString() {
        return command;
      }
    };
  }
}
