package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.stores.SqlStore;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** A client that lacks a class or a method is told as that, and never as a failure of the store. */
class UnsupportedClientsTest {
  @TempDir
  Path folder;

  /** Opens a generator with an address, and prints the failure. */
  static final class Open {
    public static void main(String[] args) {
      try {
        Generator.builder().worker(Stores.of(args[0])).build();
      } catch (PolyflakeException e) {
        System.out.println(e.code() + ": " + e.getMessage());
      }
    }
  }

  /** The class path of the tests without the jars whose names begin with one of these. */
  private static String without(String... names) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> Arrays.stream(names).noneMatch(name -> new File(path).getName().startsWith(name)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** A copy of the jar of Jedis that lacks a class, as another version may. */
  private Path anotherJedis() throws Exception {
    Path copy = folder.resolve("another.jar");
    Files.copy(Path.of(Jedis.class.getProtectionDomain().getCodeSource().getLocation().toURI()), copy);
    try (FileSystem jar = FileSystems.newFileSystem(copy, (ClassLoader) null)) {
      Files.delete(jar.getPath("redis/clients/jedis/CommandArguments.class"));
    }
    return copy;
  }

  private static void assertRefused(ChildJvm child, String client, String missing) {
    assertTrue(child.out.startsWith("option_invalid: leases cannot use " + client), child.out + child.err);
    assertTrue(child.out.contains(missing), child.out);
    assertTrue(child.out.matches("(?s).* Supported: [\\w.:-]+ [\\w.]+ to [\\w.]+, with its dependencies\n"), child.out);
  }

  @Test
  void the_client_its_version_what_it_lacks_and_the_supported_versions_are_named() throws Exception {
    String redis = "redis://127.0.0.1:1?namespace=orders";
    assertRefused(ChildJvm.runWith(without("jedis-", "netty-resolver-4"), Open.class.getName(), redis),
        "Lettuce 6.3.2.RELEASE", "io/netty/resolver/");
    assertRefused(
        ChildJvm.runWith(anotherJedis() + File.pathSeparator + without("jedis-"), Open.class.getName(), redis),
        "Jedis 5.1.5", "redis/clients/jedis/CommandArguments");
    assertRefused(ChildJvm.runWith(without("grpc-api-"), Open.class.getName(), "etcd://127.0.0.1:1?namespace=orders"),
        "jetcd", "io/grpc/");
    assertRefused(
        ChildJvm.runWith(without("zookeeper-jute-"), Open.class.getName(), "zookeeper://127.0.0.1:1?namespace=orders"),
        "Curator 5.6.0", "org/apache/jute/");
  }

  private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Lends this many connections, and then its driver lacks a method. */
  private static DataSource source(int good, boolean wrapped) {
    DatabaseMetaData about = proxy(DatabaseMetaData.class, (self, method, arguments) -> "PostgreSQL");
    Connection first =
        proxy(Connection.class, (self, method, arguments) -> method.getName().equals("getMetaData") ? about : null);
    AtomicInteger calls = new AtomicInteger();
    return proxy(DataSource.class, (self, method, arguments) -> {
      if (calls.getAndIncrement() < good) {
        return first;
      }
      NoSuchMethodError failure = new NoSuchMethodError("void org.example.Driver.gone()");
      throw wrapped ? new java.sql.SQLException(new ExecutionException(failure)) : failure;
    });
  }

  @Test
  void a_driver_that_lacks_a_method_is_refused_when_the_lease_is_opened() {
    for (int good = 0; good < 2; good++) {
      for (boolean wrapped : new boolean[] {false, true}) {
        Store store = new SqlStore(source(good, wrapped), Store.options("orders").autoInit(true));
        BadArgumentException refusal =
            assertThrows(BadArgumentException.class, () -> Generator.builder().worker(store).build());
        assertEquals("option_invalid", refusal.code());
        assertTrue(refusal.getMessage().contains("NoSuchMethodError (void org.example.Driver.gone())"),
            refusal.getMessage());
        assertTrue(refusal.getCause() instanceof NoSuchMethodError, () -> String.valueOf(refusal.getCause()));
      }
    }
  }
}
