package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.StoreConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Leases in Redis over Jedis. Commands that belong together go over one connection. */
final class JedisLink extends Link {
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  private final JedisSource source;

  JedisLink(NativeStoreAddress address, JedisSource source) {
    super(address);
    this.source = source;
  }

  static JedisLink of(NativeStoreAddress address) {
    Authority url = new Authority(address.client());
    if (url.scheme.equals("redis+sentinel")) {
      return new JedisLink(address, new Sentinel(url));
    }
    int database = databaseOf(url.path);
    HostAndPort host = new HostAndPort(Authority.nameOf(url.hosts.get(0)), Authority.portOf(url.hosts.get(0), PORT));
    return new JedisLink(address, (key, timeoutMs) -> open(host, configOf(url, database, timeoutMs)));
  }

  private static JedisLent open(HostAndPort host, JedisClientConfig config) {
    Connection connection = new Connection(new JedisSockets(host, config), config);
    return new JedisLent(connection, connection::close, true);
  }

  private static DefaultJedisClientConfig configOf(Authority url, int database, int timeoutMs) {
    boolean secure = url.scheme.equals("rediss");
    DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder().timeoutMillis(timeoutMs)
        .user(url.user).password(url.password).ssl(secure);
    if (secure) {
      SSLParameters verifying = new SSLParameters();
      verifying.setEndpointIdentificationAlgorithm("HTTPS"); // Jedis verifies no host by itself
      config.sslParameters(verifying);
    }
    return config.database(database).build();
  }

  private static int databaseOf(String text) {
    return text.isEmpty() ? 0 : Authority.number(text);
  }

  @Override
  public String complaint(LinkageError failure) {
    return ClientLibrary.JEDIS.complaint(failure);
  }

  @Override
  public String codeOf(Throwable failure) {
    return RedisStore.codeOf(failure, JedisDataException.class);
  }

  @Override
  public StoreConnection connect(String[] setup, long timeoutMs) {
    return new Commands();
  }

  /**
   * Keeps a connection between commands: its own one for an address, a lent one for a client.
   */
  private final class Commands implements StoreConnection {
    private JedisLent lent;
    private boolean closed;
    private volatile boolean complete = true; // no further command belongs to the last one

    @Override
    public String[][] run(String name, String[][] parts, long timeoutMs) {
      String key = parts[1][0];
      String connection = parts[1][1];
      CommandArguments command = new CommandArguments(() -> parts[0][0].getBytes(StandardCharsets.US_ASCII));
      for (int i = 1; i < parts[0].length; i++) {
        command.add(parts[0][i]);
      }
      int limitMs = (int) Math.min(timeoutMs, Integer.MAX_VALUE);
      JedisLent present = connection.equals("same") ? kept() : another(key, limitMs);
      Object reply;
      try {
        reply = present.run(command, limitMs);
      } catch (JedisRedirectionException e) {
        source.look(key);
        throw e;
      }
      complete = connection.equals("alone");
      return new String[][] {rowOf(reply)};
    }

    /** Returns the connection of the previous command. */
    private synchronized JedisLent kept() {
      if (lent == null) {
        throw new IllegalStateException("the connection was lost");
      }
      return lent;
    }

    /** After the last exchange is over, also if that was not known when its last reply came. */
    private JedisLent another(String key, int timeoutMs) {
      complete = true;
      Runnable rest = settle();
      if (rest != null) {
        rest.run();
      }
      synchronized (this) {
        if (lent != null) {
          return lent;
        }
      }
      JedisLent made = source.lend(key, timeoutMs);
      synchronized (this) {
        if (!closed) {
          lent = made;
          return made;
        }
      }
      made.drop();
      throw new IllegalStateException("closed");
    }

    /** Gives back a connection that a client lent, unless more commands belong to the last. */
    @Override
    public synchronized Runnable settle() {
      JedisLent done = lent;
      if (done == null || done.ours || !complete) {
        return null;
      }
      lent = null;
      return done::giveBack;
    }

    @Override
    public void close() {
      JedisLent left;
      synchronized (this) {
        closed = true;
        left = lent;
        lent = null;
      }
      if (left != null) {
        left.drop();
      }
    }
  }

  private static String[] rowOf(Object reply) {
    List<String> row = new ArrayList<>();
    for (Object value : reply instanceof List ? (List<?>) reply : Collections.singletonList(reply)) {
      if (value instanceof Map.Entry) { // of RESP3, which has maps
        row.add(textOf(((Map.Entry<?, ?>) value).getKey()));
        row.add(textOf(((Map.Entry<?, ?>) value).getValue()));
      } else {
        row.add(textOf(value));
      }
    }
    return row.toArray(new String[0]);
  }

  private static String textOf(Object value) {
    if (value instanceof byte[]) {
      return new String((byte[]) value, StandardCharsets.US_ASCII);
    }
    return value == null ? null : value.toString();
  }

  /** The primary that sentinels name; each connection asks for it again. */
  private static final class Sentinel implements JedisSource {
    private final Authority url;
    private final String name;
    private final int database;

    Sentinel(Authority url) {
      this.url = url;
      int slash = url.path.indexOf('/');
      name = slash < 0 ? url.path : url.path.substring(0, slash);
      database = databaseOf(slash < 0 ? "" : url.path.substring(slash + 1));
      url.hosts.forEach(host -> Authority.portOf(host, SENTINEL_PORT)); // refuses what is wrong now
    }

    @Override
    public JedisLent lend(String key, int timeoutMs) {
      JedisException failed = null;
      for (String host : url.hosts) {
        HostAndPort primary;
        try {
          primary = primary(host, Math.max(1, timeoutMs / url.hosts.size()));
        } catch (JedisException e) {
          failed = e;
          continue;
        }
        try {
          return open(primary, configOf(url, database, timeoutMs));
        } catch (JedisConnectionException e) {
          failed = e; // the next one may know better
        }
      }
      throw failed;
    }

    private HostAndPort primary(String sentinel, int timeoutMs) {
      HostAndPort address = new HostAndPort(Authority.nameOf(sentinel), Authority.portOf(sentinel, SENTINEL_PORT));
      DefaultJedisClientConfig config = DefaultJedisClientConfig.builder().timeoutMillis(timeoutMs).build();
      try (Connection connection = new Connection(new JedisSockets(address, config), config)) {
        connection.sendCommand(Protocol.Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", name);
        List<String> primary = connection.getMultiBulkReply();
        if (primary == null || primary.size() != 2) {
          throw new JedisConnectionException("no such primary");
        }
        return new HostAndPort(primary.get(0), Authority.number(primary.get(1)));
      }
    }
  }
}
