package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.RealStores;
import io.github.polyflake.stores.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every scenario of tests/vectors/lease-scenarios.json, through each adapter over the real server. */
class LeaseScenariosTest {
  private static final long TIMEOUT_MS = 60_000;

  private static JsonObject document() throws Exception {
    Path file = Path.of(System.getProperty("polyflake.vectors")).resolveSibling("lease-scenarios.json");
    return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
  }

  @TestFactory
  List<DynamicTest> adapters() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    for (String kind : List.of("redis", "zookeeper", "etcd", "postgresql", "mysql")) {
      String url = RealStores.address(kind);
      tests.add(DynamicTest.dynamicTest(kind,
          () -> scenariosPass(kind, name -> Store.of(url + (url.contains("?") ? "&" : "?") + "namespace=" + name))));
    }
    for (RealStores.Kind kind : RealStores.all()) {
      tests.add(DynamicTest.dynamicTest(kind.name,
          () -> scenariosPass(kind.kind, name -> kind.make.apply(Store.options(name)))));
    }
    return tests;
  }

  private static void scenariosPass(String kind, Function<String, Store> store) throws Exception {
    JsonObject document = document();
    assertEquals(document.get("number_of_scenarios").getAsInt(), document.getAsJsonArray("scenarios").size());
    JsonArray facts = document.getAsJsonObject("kinds").getAsJsonArray(kind);
    Namespaces.init(store.apply("tables-" + UUID.randomUUID()), "polyflake", true);
    int meant = 0;
    List<String> failures = new ArrayList<>();
    for (JsonElement element : document.getAsJsonArray("scenarios")) {
      JsonObject scenario = element.getAsJsonObject();
      boolean isFor = true;
      for (JsonElement fact : scenario.has("needs") ? scenario.getAsJsonArray("needs") : new JsonArray()) {
        isFor &= facts.contains(fact);
      }
      if (isFor) {
        meant++;
        try {
          run(scenario, store);
        } catch (Exception | AssertionError e) {
          failures.add(scenario.get("id") + " " + scenario.get("name") + ": " + e);
        }
      }
    }
    if (!failures.isEmpty() || meant == 0) {
      fail(failures.size() + " of " + meant + " failed\n" + String.join("\n", failures));
    }
  }

  private static void run(JsonObject scenario, Function<String, Store> store) throws Exception {
    String name = "s" + scenario.get("id") + "-" + UUID.randomUUID().toString().substring(0, 18);
    Map<String, Client> clients = new HashMap<>();
    try {
      int number = 0;
      for (JsonElement element : scenario.getAsJsonArray("steps")) {
        number++;
        JsonObject step = element.getAsJsonObject();
        String namespace = step.has("namespace") ? name + "-" + step.get("namespace").getAsString() : name;
        Client client = clients.computeIfAbsent(step.get("client") + " " + namespace,
            key -> new Client(store.apply(namespace)));
        check(client, step, "step " + number);
      }
    } finally {
      clients.values().forEach(Client::close);
    }
  }

  private static void check(Client client, JsonObject step, String number) throws Exception {
    if (step.has("read")) {
      JsonObject expected = step.getAsJsonObject("found");
      JsonObject found = client.read(step.getAsJsonArray("read"));
      for (String of : found.keySet()) {
        if (found.get(of).isJsonObject() && expected.get(of).isJsonObject()) {
          for (Map.Entry<String, JsonElement> field : expected.getAsJsonObject(of).entrySet()) {
            if (field.getValue().getAsString().equals("*") && found.getAsJsonObject(of).has(field.getKey())) {
              found.getAsJsonObject(of).addProperty(field.getKey(), "*");
            }
          }
        }
      }
      assertEquals(expected, found, number);
    } else {
      assertEquals(step.get("outcome").getAsString(), client.cas(step.getAsJsonObject("cas")), number);
    }
  }

  /** One process that talks to the store: its own connection, and what it remembers. */
  private static final class Client implements StoreLink {
    private final StoreLink link;
    private final NativeTrial trial;
    private StoreConnection connection;

    Client(Store store) {
      link = StoreAccess.linkOf(store);
      trial = new NativeTrial(Keepers.addressOf(link), "?");
    }

    JsonObject read(JsonArray nodes) throws Exception {
      long[] numbers = new long[nodes.size()];
      JsonObject found = new JsonObject();
      found.addProperty("names", "absent");
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = nodes.get(i).getAsLong();
        found.addProperty(nodes.get(i).getAsString(), "absent");
      }
      trial.askRead(numbers);
      carryOut();
      for (String line : trial.found()) {
        String of = line.substring(0, line.indexOf('.'));
        String rest = line.substring(of.length() + 1);
        if (found.get(of).isJsonPrimitive()) {
          found.add(of, new JsonObject());
        }
        int equals = rest.indexOf('=');
        found.getAsJsonObject(of).addProperty(rest.substring(0, equals), rest.substring(equals + 1));
      }
      return found;
    }

    String cas(JsonObject assignments) throws Exception {
      String[] names = assignments.keySet().toArray(new String[0]);
      String[] values = new String[names.length];
      for (int i = 0; i < names.length; i++) {
        values[i] = assignments.get(names[i]).getAsString();
      }
      trial.askCas(names, values);
      carryOut();
      return trial.outcome();
    }

    private void carryOut() throws Exception {
      Talk talk = new Talk(trial, this, () -> TIMEOUT_MS, () -> {});
      LeaseThreads.decide(talk::advance);
      assertEquals("done", talk.ended().get(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    }

    void close() {
      if (connection != null) {
        connection.close();
      }
    }

    @Override
    public NativeStoreAddress address() {
      throw new AssertionError("known already");
    }

    @Override
    public String shown() {
      return link.shown();
    }

    @Override
    public String codeOf(Throwable failure) {
      return link.codeOf(failure);
    }

    /** The same one for all commands, which outlives each of them. */
    @Override
    public StoreConnection connect(String[] setup, long timeoutMs) throws Exception {
      if (connection == null) {
        connection = link.connect(setup, timeoutMs);
      }
      return new StoreConnection() {
        @Override
        public String[][] run(String name, String[][] parts, long timeoutMs) throws Exception {
          return connection.run(name, parts, timeoutMs);
        }

        @Override
        public void close() {}
      };
    }
  }
}
