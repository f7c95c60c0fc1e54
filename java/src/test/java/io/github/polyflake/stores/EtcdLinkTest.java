package io.github.polyflake.stores;

import io.github.polyflake.Patience;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.internal.StoreConnection;
import io.github.polyflake.internal.StoreLink;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class EtcdLinkTest {
  private static final int CLOSINGS = 100;
  private static final long STEP_NS = 100_000; // the last one is closed after 10 ms: it waits for an answer
  private static final String[][] COMMAND = {{"get", "a"}};

  private static Set<Long> threads() {
    return Threads.named("vert.x-", "vertx-");
  }

  private static void refused(StoreConnection connection) {
    try {
      connection.run("txn", COMMAND, Patience.SOON_MS);
    } catch (Exception e) {
      // It is closed.
    }
  }

  @Test
  void a_connection_that_is_closed_while_its_first_command_begins_keeps_no_threads() throws Exception {
    NativeLibrary.require();
    Set<Long> before = threads();
    try (HostileServer server = new HostileServer((in, out) -> in.read(new byte[1 << 12]))) {
      String url = "etcd://127.0.0.1:" + server.port() + "?namespace=orders";
      StoreLink link = StoreAccess.linkOf(Stores.of(url));
      for (int i = 0; i < CLOSINGS; i++) {
        StoreConnection connection = link.connect(new String[0], Patience.SOON_MS);
        Thread command = new Thread(() -> refused(connection));
        command.start();
        LockSupport.parkNanos(i * STEP_NS);
        connection.close();
        command.join();
      }
    }
    Patience.eventually(() -> before.containsAll(threads()));
  }
}
