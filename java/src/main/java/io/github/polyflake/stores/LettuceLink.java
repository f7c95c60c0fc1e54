package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.NotedSocket;
import io.github.polyflake.internal.Opening;
import io.github.polyflake.internal.Refusal;
import io.github.polyflake.internal.StoreConnection;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Leases in Redis over Lettuce. A lease uses one connection for all commands until it is lost. */
final class LettuceLink extends SourceLink {
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  private static final NettyCustomizer LIMITING = new NettyCustomizer() {
    @Override
    public void afterChannelInitialized(Channel channel) {
      channel.pipeline().addFirst(new Limit());
    }
  };

  /** Closes a connection on which more comes between two requests than any answer has. */
  private static final class Limit extends ChannelDuplexHandler {
    private int left = NotedSocket.LONGEST;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      left -= ((ByteBuf) message).readableBytes();
      if (left < 0) {
        ((ByteBuf) message).release();
        context.close();
      } else {
        context.fireChannelRead(message);
      }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      left = NotedSocket.LONGEST;
      context.write(message, promise);
    }
  }

  /** A client of one connection, with threads of its own. */
  private static final class OwnClient {
    private static final long END_MS = 1000;

    private final ClientResources resources = ClientResources.builder().nettyCustomizer(LIMITING).build();
    private final RedisClient client;
    private boolean isEnded;

    OwnClient(RedisURI uri, long timeoutMs) {
      client = RedisClient.create(resources, uri);
      client.setOptions(ClientOptions.builder().autoReconnect(false)
          .socketOptions(SocketOptions.builder().connectTimeout(Duration.ofMillis(timeoutMs)).build()).build());
    }

    StatefulRedisConnection<String, String> connect(RedisURI uri, long timeoutMs) throws Exception {
      CompletableFuture<StatefulRedisConnection<String, String>> connection;
      synchronized (this) {
        if (isEnded) {
          throw new InterruptedIOException("given up");
        }
        connection = client.connectAsync(StringCodec.UTF8, uri).toCompletableFuture();
      }
      return connection.get(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /**
     * Ends the connection and the threads, once. Does not block: another thread waits until connect
     * has begun, since a client that is shut down meanwhile starts threads that are never ended.
     */
    void end() {
      Thread thread = new Thread(this::endNow, "polyflake-lettuce-end");
      thread.setDaemon(true);
      thread.start();
    }

    private void endNow() {
      synchronized (this) {
        if (isEnded) {
          return;
        }
        isEnded = true;
      }
      try {
        client.shutdownAsync(0, END_MS, TimeUnit.MILLISECONDS).get(2 * END_MS, TimeUnit.MILLISECONDS);
      } catch (Exception e) {
        // Its threads end below, and with them all that is left of it.
      }
      resources.shutdown(0, END_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** client: a RedisClient, which opens connections for leases alone. */
  LettuceLink(NativeStoreAddress address, Object client) {
    this(address, (Source) timeoutMs -> {
      StatefulRedisConnection<String, String> connection = ((RedisClient) client).connect();
      return new Connected(connection, connection::closeAsync);
    });
  }

  private LettuceLink(NativeStoreAddress address, Source source) {
    super(address, ClientLibrary.LETTUCE, source,
        failure -> RedisStore.codeOf(failure, RedisCommandExecutionException.class));
  }

  /** Errors: option_invalid for a connection, which the application uses. */
  static boolean takes(Object client) {
    if (client instanceof StatefulConnection) {
      throw Refusal.of("option_invalid",
          "a connection of Lettuce is shared, and its MULTI would take in what leases say: pass the RedisClient that it"
              + " was made from, of which leases open connections of their own");
    }
    return client instanceof RedisClient;
  }

  static LettuceLink of(NativeStoreAddress address) {
    Authority url = new Authority(address.client());
    uriOf(url, 1); // refuses what is wrong now
    return new LettuceLink(address, timeoutMs -> {
      RedisURI uri = uriOf(url, timeoutMs);
      OwnClient client = new OwnClient(uri, timeoutMs);
      try {
        Opening.note(client::end);
        return new Connected(client.connect(uri, timeoutMs), client::end);
      } catch (Throwable e) {
        client.end();
        throw e;
      }
    });
  }

  private static RedisURI uriOf(Authority url, long timeoutMs) {
    boolean sentinel = url.scheme.equals("redis+sentinel");
    int slash = url.path.indexOf('/');
    String database = !sentinel ? url.path : slash < 0 ? "" : url.path.substring(slash + 1);
    RedisURI.Builder uri = sentinel ? sentinels(url, slash < 0 ? url.path : url.path.substring(0, slash))
        : RedisURI.builder().withHost(Authority.nameOf(url.hosts.get(0)))
            .withPort(Authority.portOf(url.hosts.get(0), PORT)).withSsl(url.scheme.equals("rediss"));
    uri.withVerifyPeer(true).withTimeout(Duration.ofMillis(timeoutMs));
    if (url.password != null) {
      if (url.user == null) {
        uri.withPassword(url.password.toCharArray());
      } else {
        uri.withAuthentication(url.user, url.password.toCharArray());
      }
    }
    return uri.withDatabase(database.isEmpty() ? 0 : Authority.number(database)).build();
  }

  private static RedisURI.Builder sentinels(Authority url, String name) {
    RedisURI.Builder uri = null;
    for (String host : url.hosts) {
      String sentinel = Authority.nameOf(host);
      int port = Authority.portOf(host, SENTINEL_PORT);
      uri = uri == null ? RedisURI.Builder.sentinel(sentinel, port, name) : uri.withSentinel(sentinel, port);
    }
    return uri;
  }

  private static final class Connected implements StoreConnection {
    private final StatefulRedisConnection<String, String> connection;
    private final Runnable end;
    private volatile boolean lost;

    Connected(StatefulRedisConnection<String, String> connection, Runnable end) {
      this.connection = connection;
      this.end = end;
      connection.addListener(new RedisConnectionStateAdapter() {
        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> ended) {
          lost = true;
        }
      });
    }

    @Override
    public String[][] run(String name, String[][] parts, long timeoutMs) throws Exception {
      if (lost) {
        throw new IllegalStateException("the connection was lost"); // not the client's next
      }
      CommandArgs<String, String> words = new CommandArgs<>(StringCodec.UTF8);
      for (int i = 1; i < parts[0].length; i++) {
        words.add(parts[0][i]);
      }
      ProtocolKeyword command = keyword(parts[0][0]);
      RedisFuture<List<Object>> reply =
          connection.async().dispatch(command, new ArrayOutput<>(StringCodec.UTF8), words);
      try {
        List<Object> values = reply.get(timeoutMs, TimeUnit.MILLISECONDS);
        if (lost) { // the client repeated the command on its next one
          throw new IllegalStateException("the connection was lost");
        }
        return new String[][] {
          values.stream().map(value -> value == null ? null : value.toString()).toArray(String[]::new)};
      } finally {
        reply.cancel(false); // what is not done is not to be done later
      }
    }

    private static ProtocolKeyword keyword(String word) {
      return new ProtocolKeyword() {
        @Override
        public byte[] getBytes() {
          return word.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public String name() {
          return word;
        }
      };
    }

    @Override
    public void close() {
      end.run();
    }
  }
}
