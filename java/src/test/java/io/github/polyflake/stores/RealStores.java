package io.github.polyflake.stores;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.etcd.jetcd.Client;
import io.github.polyflake.Patience;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeStoreAddress;
import io.lettuce.core.RedisClient;
import java.net.URI;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Every client of every store, on the servers that tests/servers/run has started. */
public final class RealStores {
  /** What makes stores of a namespace over one client. */
  public static final class Kind {
    public final String name;
    public final String kind;
    public final Function<Store.Options, Store> make;

    Kind(String name, String kind, Function<Store.Options, Store> make) {
      this.name = name;
      this.kind = kind;
      this.make = make;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** The kinds of the stores that this run is for. */
  public static final List<String> KINDS =
      List.of(System.getProperty("polyflake.stores", "redis zookeeper etcd postgresql mysql").split(" "));

  private static final Map<String, Kind> CLIENTS = new LinkedHashMap<>();

  private RealStores() {}

  /** The address that tests/servers/run gives; without it the test fails. */
  public static String address(String kind) {
    String name = "POLYFLAKE_TEST_" + kind.toUpperCase();
    String url = System.getenv(name);
    if (url == null) {
      throw new AssertionError(name + " is not set: tests/servers/run starts the servers and sets it");
    }
    return url;
  }

  /** The store, whose namespace is made for it: nothing was handed out from it yet. */
  public static Store fresh(Store store) {
    Patience.answerOf(() -> Namespaces.init(store, "polyflake", true)); // loads the client, slowly on a busy machine
    return store;
  }

  /** The store of an address over Lettuce, also where Jedis is there. */
  public static Store overLettuce(String url) {
    NativeLibrary.require();
    return new RedisStore(LettuceLink.of(NativeStoreAddress.parse(url)));
  }

  public static synchronized Iterable<Kind> all() throws SQLException {
    if (CLIENTS.isEmpty()) {
      for (String kind : KINDS) {
        add(kind);
      }
    }
    return CLIENTS.values();
  }

  private static void add(String kind) throws SQLException {
    URI url = URI.create(address(kind));
    switch (kind) {
      case "redis":
        addRedis(url);
        break;
      case "zookeeper":
        addZooKeeper(url.getAuthority());
        break;
      case "etcd":
        addEtcd("http://" + url.getAuthority());
        break;
      case "postgresql":
        addPostgresql(url, URI.create(address("pgbouncer")));
        break;
      case "mysql":
        addMysql(url);
        break;
      default:
        throw new AssertionError(kind);
    }
  }

  private static void add(String name, String kind, Function<Store.Options, Store> make) {
    CLIENTS.put(name, new Kind(name, kind, make));
  }

  private static void addRedis(URI url) {
    JedisClients.of(url.getHost(), url.getPort())
        .forEach((name, client) -> add(name, "redis", options -> new RedisStore(client, options)));
    RedisClient lettuce = RedisClient.create(url.toString());
    add("Lettuce", "redis", options -> new RedisStore(lettuce, options));
  }

  private static void addZooKeeper(String servers) {
    CuratorFramework curator = CuratorFrameworkFactory.builder().connectString(servers).namespace("deep/er")
        .retryPolicy(new RetryOneTime(10)).build();
    curator.start();
    add("Curator", "zookeeper", options -> new ZooKeeperStore(curator, options));
  }

  /** Connections to a PostgreSQL of this address. */
  public static PGSimpleDataSource postgresqlAt(URI url) {
    String[] owner = url.getUserInfo().split(":");
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL("jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath());
    source.setUser(owner[0]);
    source.setPassword(owner[1]);
    return source;
  }

  private static void addEtcd(String endpoint) {
    Client etcd = Client.builder().endpoints(endpoint).build();
    add("jetcd", "etcd", options -> new EtcdStore(etcd, options));
  }

  private static void addPostgresql(URI server, URI bouncer) {
    PGSimpleDataSource pg = postgresqlAt(server);
    add("PGSimpleDataSource", "postgresql", options -> new SqlStore(pg, options));
    PGSimpleDataSource pooled = postgresqlAt(bouncer);
    add("PGSimpleDataSource to PgBouncer", "postgresql", options -> new SqlStore(pooled, options));
  }

  private static void addMysql(URI mysql) throws SQLException {
    String address = "//" + mysql.getHost() + ":" + mysql.getPort() + mysql.getPath();
    String[] owner = mysql.getUserInfo().split(":");
    MysqlDataSource connector = new MysqlDataSource();
    connector.setUrl("jdbc:mysql:" + address);
    connector.setUser(owner[0]);
    connector.setPassword(owner[1]);
    add("MysqlDataSource", "mysql", options -> new SqlStore(connector, options));
    MariaDbDataSource mariadb = new MariaDbDataSource("jdbc:mariadb:" + address + "?sslMode=disable");
    mariadb.setUser(owner[0]);
    mariadb.setPassword(owner[1]);
    add("MariaDbDataSource", "mysql", options -> new SqlStore(mariadb, options));
  }
}
