package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.Generator;
import io.github.polyflake.LeaseException;
import io.github.polyflake.Patience;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What no client should do is store_unavailable, and costs the threads of leases nothing. */
class MisbehavingClientsTest {
  private static final class Unreadable extends SQLException {
    private static final long serialVersionUID = 1;

    @Override
    public String getSQLState() {
      throw new IllegalStateException("secretword");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new StackOverflowError("secretword");
    }
  }

  private static final class WithoutCause extends ExecutionException {
    private static final long serialVersionUID = 1;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Connection connection(InvocationHandler handler) {
    return proxy(Connection.class, handler);
  }

  private static Object thrown(Throwable failure) throws Exception {
    if (failure instanceof Error) {
      throw (Error) failure;
    }
    throw (Exception) failure;
  }

  /** Says at first that it is PostgreSQL, then misbehaves. */
  private static DataSource source(Callable<Object> misbehaviour) {
    DatabaseMetaData about = proxy(DatabaseMetaData.class, (self, method, arguments) -> "PostgreSQL");
    Connection first =
        connection((self, method, arguments) -> method.getName().equals("getMetaData") ? about : null);
    AtomicInteger calls = new AtomicInteger();
    return proxy(DataSource.class,
        (self, method, arguments) -> calls.getAndIncrement() == 0 ? first : misbehaviour.call());
  }

  private static Map<String, Callable<Object>> misbehaviours() {
    Map<String, Callable<Object>> all = new LinkedHashMap<>();
    all.put("throws an exception without words", () -> thrown(new SQLException()));
    all.put("throws an exception with credentials", () -> thrown(new SQLException("secretword", "secret word")));
    all.put("throws an exception that cannot be read", () -> thrown(new Unreadable()));
    all.put("throws a failed execution without a cause", () -> thrown(new WithoutCause()));
    all.put("throws an exception that is none of its method's", () -> thrown(new Exception("secretword")));
    all.put("throws an error", () -> thrown(new InternalError("secretword")));
    all.put("gives nothing", () -> null);
    all.put("is interrupted", () -> thrown(new InterruptedException()));
    all.put("gives a connection that can do nothing", () -> connection((self, method, arguments) -> {
      throw new AssertionError("secretword");
    }));
    all.put("never answers", () -> {
      Thread.sleep(60_000);
      return null;
    });
    return all;
  }

  @TestFactory
  List<DynamicTest> a_client_that_misbehaves_is_store_unavailable_in_time() {
    List<DynamicTest> tests = new ArrayList<>();
    misbehaviours().forEach((name, misbehaviour) -> tests.add(DynamicTest.dynamicTest(name, () -> {
      Store.Options options = Store.options("orders").window(Duration.ofMillis(600)).autoInit(true);
      Store store = new SqlStore(source(misbehaviour), options);
      long beganNs = System.nanoTime();
      LeaseException refusal =
          assertThrows(LeaseException.class, () -> Generator.builder().worker(store).build());
      assertEquals("store_unavailable", refusal.code());
      assertFalse(refusal.getMessage().contains("secretword"), refusal.getMessage());
      long tookMs = (System.nanoTime() - beganNs) / 1_000_000;
      assertTrue(tookMs < Patience.SOON_MS, tookMs + " ms: " + refusal.getMessage());
    })));
    return tests;
  }
}
