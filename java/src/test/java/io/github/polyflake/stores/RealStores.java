package io.github.polyflake.stores;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.etcd.jetcd.Client;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeStoreAddress;
import io.lettuce.core.RedisClient;
import java.net.URI;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.UnifiedJedis;

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

  private static final Map<String, Kind> KINDS = new LinkedHashMap<>();

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
    Namespaces.init(store, "polyflake", true);
    return store;
  }

  /** The store of an address over Lettuce, also where Jedis is there. */
  public static Store overLettuce(String url) {
    NativeLibrary.require();
    return new RedisStore(LettuceLink.of(NativeStoreAddress.parse(url)));
  }

  public static synchronized Iterable<Kind> all() throws SQLException {
    if (KINDS.isEmpty()) {
      addRedis(URI.create(address("redis")));
      addZooKeeper(address("zookeeper").replace("zookeeper://", ""));
      Client etcd = Client.builder().endpoints(address("etcd").replace("etcd://", "http://")).build();
      add("jetcd", "etcd", options -> new EtcdStore(etcd, options));
      addSql(URI.create(address("postgresql")), URI.create(address("mysql")));
    }
    return KINDS.values();
  }

  private static void add(String name, String kind, Function<Store.Options, Store> make) {
    KINDS.put(name, new Kind(name, kind, make));
  }

  private static void addRedis(URI url) {
    JedisPooled pooled = new JedisPooled(url.getHost(), url.getPort());
    UnifiedJedis unified = new UnifiedJedis(new HostAndPort(url.getHost(), url.getPort()));
    JedisPool pool = new JedisPool(url.getHost(), url.getPort());
    RedisClient lettuce = RedisClient.create(url.toString());
    add("JedisPooled", "redis", options -> new RedisStore(pooled, options));
    add("UnifiedJedis", "redis", options -> new RedisStore(unified, options));
    add("JedisPool", "redis", options -> new RedisStore(pool, options));
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

  private static void addSql(URI postgresql, URI mysql) throws SQLException {
    PGSimpleDataSource pg = postgresqlAt(postgresql);
    add("PGSimpleDataSource", "postgresql", options -> new SqlStore(pg, options));
    String place = "//" + mysql.getHost() + ":" + mysql.getPort() + mysql.getPath();
    PGSimpleDataSource pooled = postgresqlAt(URI.create(address("pgbouncer")));
    add("PGSimpleDataSource to PgBouncer", "postgresql", options -> new SqlStore(pooled, options));
    String[] owner = mysql.getUserInfo().split(":");
    MysqlDataSource connector = new MysqlDataSource();
    connector.setUrl("jdbc:mysql:" + place);
    connector.setUser(owner[0]);
    connector.setPassword(owner[1]);
    add("MysqlDataSource", "mysql", options -> new SqlStore(connector, options));
    MariaDbDataSource mariadb = new MariaDbDataSource("jdbc:mariadb:" + place);
    mariadb.setUser(owner[0]);
    mariadb.setPassword(owner[1]);
    add("MariaDbDataSource", "mysql", options -> new SqlStore(mariadb, options));
  }
}
