// Jedis, Lettuce and a caller of Leaf, driven by lines as programs.py says: java Clients jedis|lettuce|leaf
import io.lettuce.core.ClientOptions;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.LettuceVersion;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.ObjectOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.ProtocolVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.util.KeyValue;

public class Clients {
  interface Client {
    String version();

    void open(int port, int protocol);

    Object incr(String key);

    Object send(String command, String... words);

    List<Object> incrs(String key, int count);

    List<Object> sends(int count, String command, String... words);
  }

  public static void main(String[] arguments) throws IOException {
    Client client = named(arguments[0]);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null; ) {
      try {
        System.out.println("=" + text(answer(client, line.split(" "))));
      } catch (RuntimeException error) {
        Throwable reason = error.getCause() == null ? error : error.getCause();
        System.out.println("! " + String.valueOf(reason.getMessage()).replaceAll("\\s+", " "));
      }
    }
    System.exit(0);
  }

  static Client named(String name) {
    switch (name) {
      case "jedis":
        return new OfJedis();
      case "lettuce":
        return new OfLettuce();
      default:
        return new OfLeaf();
    }
  }

  static Object answer(Client client, String[] words) {
    switch (words[0]) {
      case "open":
        client.open(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        return client.version();
      case "incr":
        return client.incr(words[1]);
      case "next":
        return client.send("POLYFLAKE.NEXT", words[1]);
      case "batch":
        return client.send("POLYFLAKE.NEXT", words[1], words[2]);
      case "incrs":
        return client.incrs(words[1], Integer.parseInt(words[2]));
      case "nexts":
        return client.sends(Integer.parseInt(words[2]), "POLYFLAKE.NEXT", words[1]);
      default:
        return client.send("POLYFLAKE.DECODE", words[1]);
    }
  }

  static String text(Object reply) {
    if (reply instanceof byte[]) return " " + new String((byte[]) reply, StandardCharsets.UTF_8);
    if (reply instanceof KeyValue) return text(((KeyValue<?, ?>) reply).getKey()) + text(((KeyValue<?, ?>) reply).getValue());
    if (reply instanceof Map) reply = new ArrayList<>(((Map<?, ?>) reply).entrySet());
    if (reply instanceof Map.Entry) return text(((Map.Entry<?, ?>) reply).getKey()) + text(((Map.Entry<?, ?>) reply).getValue());
    if (!(reply instanceof List)) return " " + reply;
    StringJoiner words = new StringJoiner("");
    for (Object word : (List<?>) reply) words.add(text(word));
    return words.toString();
  }

  static class OfJedis implements Client {
    private redis.clients.jedis.RedisClient client;

    @Override
    public String version() {
      String jar = Jedis.class.getProtectionDomain().getCodeSource().getLocation().getPath();
      return "jedis " + jar.replaceAll(".*/jedis-|[.]jar$", "");
    }

    @Override
    public void open(int port, int protocol) {
      if (client != null) client.close();
      RedisProtocol version = protocol == 3 ? RedisProtocol.RESP3 : RedisProtocol.RESP2;
      client = redis.clients.jedis.RedisClient.builder()
              .hostAndPort(new HostAndPort("127.0.0.1", port))
              .clientConfig(DefaultJedisClientConfig.builder().protocol(version).build())
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
        for (int i = 0; i < count; ++i) replies.add(add.apply(pipeline));
        pipeline.sync();
      }
      List<Object> found = new ArrayList<>();
      for (Response<?> reply : replies) found.add(reply.get());
      return found;
    }

    private static ProtocolCommand named(String command) {
      return () -> command.getBytes(StandardCharsets.UTF_8);
    }
  }

  static class OfLettuce implements Client {
    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;

    @Override
    public String version() {
      return "lettuce " + LettuceVersion.getVersion();
    }

    @Override
    public void open(int port, int protocol) {
      if (client != null) client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
      client = RedisClient.create("redis://127.0.0.1:" + port);
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
      for (int i = 0; i < count; ++i) replies.add(commands.incr(key));
      return awaited(replies);
    }

    @Override
    public List<Object> sends(int count, String command, String... words) {
      List<RedisFuture<?>> replies = new ArrayList<>();
      for (int i = 0; i < count; ++i) replies.add(dispatch(command, words));
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
      for (RedisFuture<?> reply : replies) found.add(reply.toCompletableFuture().join());
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

  /** Reads a number from the path of Leaf, as its users do. Port: of the HTTP listener. */
  static class OfLeaf implements Client {
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private int port;

    @Override
    public String version() {
      return "leaf " + System.getProperty("java.version");
    }

    @Override
    public void open(int at, int protocol) {
      port = at;
    }

    @Override
    public Object incr(String key) {
      URI path = URI.create("http://127.0.0.1:" + port + "/api/snowflake/get/" + key);
      try {
        HttpResponse<String> answer = client.send(HttpRequest.newBuilder(path).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
        return Long.parseLong(answer.body());
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      } catch (InterruptedException error) {
        throw new IllegalStateException(error);
      }
    }

    @Override
    public List<Object> incrs(String key, int count) {
      List<Object> found = new ArrayList<>();
      for (int i = 0; i < count; ++i) found.add(incr(key));
      return found;
    }

    @Override
    public Object send(String command, String... words) {
      throw new UnsupportedOperationException(command);
    }

    @Override
    public List<Object> sends(int count, String command, String... words) {
      throw new UnsupportedOperationException(command);
    }
  }
}
