package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.polyflake.Patience;
import io.github.polyflake.internal.GivenUp;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeStoreAddress;
import java.util.Set;
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
}
