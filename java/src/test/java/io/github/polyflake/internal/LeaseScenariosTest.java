package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.polyflake.stores.RealStores;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every scenario of tests/vectors/lease-scenarios.json, and random requests to counters, through each
 * adapter over the real server.
 */
class LeaseScenariosTest {
  private static final Path SCENARIOS = Path.of(System.getProperty("polyflake.vectors"))
      .resolveSibling("lease-scenarios.json");
  private static final int REQUESTS = 400;
  /** The answers that these requests must lead to. */
  private static final Set<String> OUTCOMES =
      Set.of("ok", "conflict", "term", "incarnation", "room", "wrong_namespace", "until");

  private interface Fact {
    void holds(String kind, Store store) throws Exception;
  }

  private static List<DynamicTest> forEachAdapter(Fact fact) throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    String name = "tables-" + UUID.randomUUID();
    for (String kind : RealStores.KINDS) {
      String url = RealStores.address(kind);
      tests.add(DynamicTest.dynamicTest(kind,
          () -> fact.holds(kind, Stores.of(url + (url.contains("?") ? "&" : "?") + "namespace=" + name))));
    }
    for (RealStores.Kind kind : RealStores.all()) {
      tests.add(DynamicTest.dynamicTest(kind.name,
          () -> fact.holds(kind.kind, kind.make.apply(Store.options(name)))));
    }
    return tests;
  }

  @TestFactory
  List<DynamicTest> adapters() throws Exception {
    return forEachAdapter(LeaseScenariosTest::scenariosPass);
  }

  private static void scenariosPass(String kind, Store store) throws Exception {
    RealStores.fresh(store);
    JsonObject request = new JsonObject();
    request.addProperty("scenarios", SCENARIOS.toString());
    check(StoreProbe.ask(kind, store, request));
  }

  private static void check(JsonObject result) {
    JsonArray failures = result.getAsJsonArray("failures");
    int meant = result.get("meant").getAsInt();
    if (failures.size() > 0 || meant == 0) {
      fail(failures.size() + " of " + meant + " failed\n" + failures);
    }
  }

  @TestFactory
  List<DynamicTest> adapters_answer_random_requests_to_a_counter_by_the_rules() throws Exception {
    return forEachAdapter(LeaseScenariosTest::countersFollowTheRules);
  }

  private static void countersFollowTheRules(String kind, Store store) throws Exception {
    String name = store.toString().replaceAll(".*namespace=([^&)]*).*", "$1");
    RealStores.fresh(store);
    JsonObject request = new JsonObject();
    request.addProperty("namespace", name);
    request.addProperty("counter", "random-" + UUID.randomUUID());
    request.addProperty("requests", REQUESTS);
    request.addProperty("seed", 4711);
    JsonObject found = StoreProbe.ask(kind, store, request);
    assertEquals(new JsonArray(), found.remove("differences"));
    assertEquals(OUTCOMES, found.keySet());
  }
}
