package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.polyflake.Patience;
import io.github.polyflake.internal.GivenUp;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.internal.StoreConnection;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class LettuceLinkTest {
  private static final int OPENINGS = 300;
  private static final long STEP_NS = 20_000; // the last one is given up after 6 ms: it is connecting

  private static Set<Long> threads() {
    return Threads.named("lettuce-", "polyflake-lettuce");
  }

  @Test
  void an_opening_that_is_given_up_while_it_begins_keeps_no_threads() throws Exception {
    NativeLibrary.require();
    Set<Long> before = threads();
    try (HostileServer server = new HostileServer((in, out) -> in.read(new byte[1 << 12]))) {
      String url = "redis://:secret@127.0.0.1:" + server.port() + "?namespace=orders";
      LettuceLink link = LettuceLink.of(NativeStoreAddress.parse(url));
      for (int i = 0; i < OPENINGS; i++) {
        Throwable failure = GivenUp.after(i * STEP_NS, () -> link.connect(new String[0], Patience.SOON_MS));
        assertFalse(failure == null || failure instanceof TimeoutException, "it was not given up");
      }
    }
    Patience.eventually(() -> before.containsAll(threads()));
  }

  /** A WAIT of the next connection says nothing of what was written over the one before. */
  @Test
  void a_command_that_the_client_repeats_over_its_next_connection_has_no_answer() throws Throwable {
    String url = RealStores.address("redis");
    RedisClient client = RedisClient.create(url);
    try (StatefulRedisConnection<String, String> other = client.connect()) {
      Patience.atLeastOnce(() -> { // it has two seconds for the kill
        StoreConnection connection =
            StoreAccess.linkOf(new RedisStore(client, Store.options("orders"))).connect(new String[0],
                Patience.SOON_MS);
        long id = Long.parseLong(ask(connection, "CLIENT", "ID"));
        CompletableFuture<String> reply = CompletableFuture.supplyAsync(() -> ask(connection, "WAIT", "1", "2000"));
        Patience.eventually(() -> other.sync().clientList().matches("(?s).*\\bid=" + id + " [^\n]*cmd=wait.*"));
        other.sync().clientKill(KillArgs.Builder.id(id));
        assertThrows(ExecutionException.class, () -> reply.get(Patience.HANG_MS, TimeUnit.MILLISECONDS));
        connection.close();
      });
    } finally {
      client.shutdown();
    }
  }

  private static String ask(StoreConnection connection, String... words) {
    try {
      return connection.run("command", new String[][] {words}, Patience.SOON_MS)[0][0];
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }
}
