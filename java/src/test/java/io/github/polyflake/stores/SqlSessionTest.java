package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.internal.StoreLink;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Leases and the connections of an application, and its data source. */
class SqlSessionTest {
  private interface Call {
    Object answer(Method method, Object[] arguments) throws Exception;
  }

  /** An object of the interface that notes the names of the methods called. */
  private static <T> T noting(List<String> calls, Class<T> type, Call call) {
    return type
        .cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
          calls.add(method.getName());
          return call.answer(method, arguments);
        }));
  }

  /** Its thread may be late: then the pool has lent the connection again. */
  @Test
  void a_session_that_was_given_up_leaves_its_connection_alone() throws Exception {
    List<String> calls = new ArrayList<>();
    SqlSession session = new SqlSession(noting(calls, Connection.class,
        (method, arguments) -> method.getReturnType() == boolean.class ? false : null), null);
    session.close();
    assertEquals(List.of("close"), calls);
    assertThrows(SQLException.class, () -> session.prepare(new String[0], 1000));
    assertThrows(SQLException.class, () -> session.run("statements", new String[][] {{"SELECT 1"}}, 1000));
    assertEquals(List.of("close"), calls);
  }

  /** Each one that asks takes a connection, which a small pool may lack. */
  @Test
  void many_threads_that_open_one_store_ask_its_data_source_once_what_it_is() throws Exception {
    NativeLibrary.require();
    PGSimpleDataSource server = RealStores.postgresqlAt(URI.create(RealStores.address("postgresql")));
    List<String> calls = Collections.synchronizedList(new ArrayList<>());
    DataSource source = noting(calls, DataSource.class, (method, arguments) -> {
      try {
        return method.invoke(server, arguments);
      } catch (InvocationTargetException e) {
        throw (Exception) e.getCause();
      }
    });
    StoreLink link = StoreAccess.linkOf(new SqlStore(source, Store.options("orders")));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    Callable<Object> asking = link::address;
    for (Future<Object> asked : threads.invokeAll(Collections.nCopies(8, asking))) {
      asked.get();
    }
    threads.shutdown();
    assertEquals(1, Collections.frequency(calls, "getConnection"), calls::toString);
  }
}
