package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqlSessionTest {
  /** Its thread may be late: then the pool has lent the connection again. */
  @Test
  void a_session_that_was_given_up_leaves_its_connection_alone() throws Exception {
    List<String> calls = new ArrayList<>();
    Connection lent = (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
        new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
          calls.add(method.getName());
          return method.getReturnType() == boolean.class ? false : null;
        });
    SqlSession session = new SqlSession(lent, null);
    session.close();
    assertEquals(List.of("close"), calls);
    assertThrows(SQLException.class, () -> session.prepare(new String[0], 1000));
    assertThrows(SQLException.class, () -> session.run("statements", new String[][] {{"SELECT 1"}}, 1000));
    assertEquals(List.of("close"), calls);
  }
}
