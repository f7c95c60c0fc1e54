package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.Kinds;
import io.github.polyflake.LeaseException;
import io.github.polyflake.Patience;
import io.github.polyflake.SegmentSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Segments whose store stops answering: calls are refused in time, and go on when it is back. */
class SegmentOutageTest {
  private static final long TIMEOUT_MS = 1500;

  private static String newUrl(FaultyProxy proxy) {
    String url = proxy.url + "?namespace=java-" + UUID.randomUUID();
    RealStores.fresh(Stores.of(url));
    Namespaces.initCounter(Stores.of(url), "orders", 0);
    return url;
  }

  private static SegmentSource open(String url, long timeoutMs) {
    return Kinds.segment().store(url).name("orders").step(10).timeout(Duration.ofMillis(timeoutMs)).build();
  }

  /** A busy machine may need longer than calls may take here. */
  private static SegmentSource openWithPatience(String url) {
    return Patience.answerOf(() -> open(url, TIMEOUT_MS));
  }

  private static void assertRefusedWithin(long timeoutMs, Runnable call) {
    long beganNs = System.nanoTime();
    LeaseException refusal = assertThrows(LeaseException.class, call::run);
    long tookMs = (System.nanoTime() - beganNs) / 1_000_000;
    assertEquals("store_unavailable", refusal.code(), refusal::getMessage);
    assertTrue(tookMs >= timeoutMs, tookMs + " ms");
    assertTrue(tookMs < timeoutMs + Patience.SOON_MS, tookMs + " ms");
  }

  @TestFactory
  List<DynamicTest> a_store_that_stops_answering_is_unavailable_after_the_timeout_until_it_is_back() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String kind : List.of("redis", "zookeeper", "etcd", "postgresql", "mysql")) {
      tests.add(DynamicTest.dynamicTest(kind, () -> {
        FaultyProxy proxy = new FaultyProxy(kind.equals("mysql") ? "mariadb" : kind);
        SegmentSource ids = openWithPatience(newUrl(proxy));
        long last = ids.nextId();
        proxy.fault("drop");
        while (ids.tryNextId().isPresent()) {
          last++;
        }
        assertRefusedWithin(TIMEOUT_MS, ids::nextId);
        assertRefusedWithin(TIMEOUT_MS, () -> ids.nextIds(5));
        Patience.eventually(() -> "store_unavailable".equals(ids.state().code()));
        proxy.fault("pass");
        long next = Patience.answerOf(ids::nextId);
        assertTrue(next > last);
        ids.close();
      }));
    }
    return tests;
  }

  @Test
  void closing_does_not_wait_for_a_store_that_stands_still() throws Throwable {
    Patience.atLeastOnce(() -> {
      FaultyProxy proxy = new FaultyProxy("redis");
      SegmentSource ids = openWithPatience(newUrl(proxy));
      ids.nextId();
      proxy.fault("hold");
      long beganNs = System.nanoTime();
      ids.close();
      long tookMs = (System.nanoTime() - beganNs) / 1_000_000;
      proxy.fault("pass");
      assertTrue(tookMs < 1000, tookMs + " ms");
    });
  }

  @Test
  void opening_waits_no_longer_than_the_timeout() throws Exception {
    FaultyProxy proxy = new FaultyProxy("redis");
    String url = newUrl(proxy);
    openWithPatience(url).close(); // loads the client
    proxy.fault("drop");
    assertRefusedWithin(0, () -> open(url, 200));
    assertRefusedWithin(TIMEOUT_MS, () -> open(url, TIMEOUT_MS));
  }
}
