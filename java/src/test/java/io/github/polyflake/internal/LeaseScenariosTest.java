package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.RealStores;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every scenario of tests/vectors/lease-scenarios.json, through each adapter over the real server. */
class LeaseScenariosTest {
  private static final long TIMEOUT_MS = 60_000;
  private static final Path SCENARIOS = Path.of(System.getProperty("polyflake.vectors"))
      .resolveSibling("lease-scenarios.json");
  private static final Path PROGRAM = SCENARIOS.resolveSibling("../../build/cpp/tests/core/polyflake_store_probe");

  @TestFactory
  List<DynamicTest> adapters() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    String name = "tables-" + UUID.randomUUID();
    for (String kind : RealStores.KINDS) {
      String url = RealStores.address(kind);
      tests.add(DynamicTest.dynamicTest(kind,
          () -> scenariosPass(kind, Stores.of(url + (url.contains("?") ? "&" : "?") + "namespace=" + name))));
    }
    for (RealStores.Kind kind : RealStores.all()) {
      tests.add(DynamicTest.dynamicTest(kind.name,
          () -> scenariosPass(kind.kind, kind.make.apply(Store.options(name)))));
    }
    return tests;
  }

  private static void scenariosPass(String kind, Store store) throws Exception {
    Namespaces.init(store, "polyflake", true);
    StoreLink link = StoreAccess.linkOf(store);
    assertEquals(kind, LeaseRunners.addressOf(link).kind());
    Adapter adapter = new Adapter(link);
    Process program = new ProcessBuilder(PROGRAM.toString(), kind, "?").redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    try (Writer in = new OutputStreamWriter(program.getOutputStream(), StandardCharsets.UTF_8);
        BufferedReader out = new BufferedReader(
            new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8))) {
      JsonObject answer = new JsonObject();
      answer.addProperty("scenarios", SCENARIOS.toString());
      for (;;) {
        in.write(answer + "\n");
        in.flush();
        JsonObject asked = JsonParser.parseString(out.readLine()).getAsJsonObject();
        if (!asked.has("parts")) {
          check(asked);
          return;
        }
        answer = adapter.carry(asked);
      }
    } finally {
      adapter.close();
    }
  }

  private static void check(JsonObject answer) {
    assertTrue(answer.has("result"), answer::toString);
    JsonArray failures = answer.getAsJsonObject("result").getAsJsonArray("failures");
    int meant = answer.getAsJsonObject("result").get("meant").getAsInt();
    if (failures.size() > 0 || meant == 0) {
      fail(failures.size() + " of " + meant + " failed\n" + failures);
    }
  }

  /** Carries commands of tests/core/store_probe.cpp to a store. Each client has a connection. */
  private static final class Adapter {
    private static final Gson GSON = new Gson();

    private final StoreLink link;
    private final Map<String, StoreConnection> connections = new HashMap<>();

    Adapter(StoreLink link) {
      this.link = link;
    }

    JsonObject carry(JsonObject asked) {
      String client = asked.get("client").getAsString();
      String[][] parts = GSON.fromJson(asked.get("parts"), String[][].class);
      Carrier.Command command = new Carrier.Command(0, asked.get("name").getAsString(), parts);
      String[] setup = GSON.fromJson(asked.get("setup"), String[].class);
      JsonObject answer = new JsonObject();
      new Carrier(command, link, connections.remove(client), setup, TIMEOUT_MS,
          (carrier, rows, failure) -> {
            if (failure == null) {
              answer.add("rows", GSON.toJsonTree(rows));
              keep(client, carrier.connection());
            } else {
              carrier.abandon();
              StoreFailure said = StoreFailure.of(link, failure);
              answer.addProperty("code", said.code);
              answer.addProperty("reason", said.words);
            }
          }).run();
      return answer;
    }

    private void keep(String client, StoreConnection connection) {
      connections.put(client, connection);
      Runnable rest = connection.settle();
      if (rest != null) {
        rest.run();
      }
    }

    void close() {
      connections.values().forEach(StoreConnection::close);
    }
  }
}
