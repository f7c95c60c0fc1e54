package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.polyflake.stores.Store;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Requests to a store as tests/core/store_probe.cpp makes them, carried by an adapter. */
final class StoreProbe {
  private static final long TIMEOUT_MS = 60_000;
  private static final Path PROGRAM = Path.of(System.getProperty("polyflake.vectors"))
      .resolveSibling("../../build/cpp/tests/core/polyflake_store_probe");

  private StoreProbe() {}

  /** Returns the result of a request. */
  static JsonObject ask(String kind, Store store, JsonObject request) throws Exception {
    StoreLink link = StoreAccess.linkOf(store);
    assertEquals(kind, LeaseRunners.addressOf(link).kind());
    Adapter adapter = new Adapter(link);
    Process program = new ProcessBuilder(PROGRAM.toString(), kind, "?").redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    try (Writer in = new OutputStreamWriter(program.getOutputStream(), StandardCharsets.UTF_8);
        BufferedReader out = new BufferedReader(
            new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8))) {
      JsonObject said = request;
      for (;;) {
        in.write(said + "\n");
        in.flush();
        JsonObject asked = JsonParser.parseString(out.readLine()).getAsJsonObject();
        if (!asked.has("parts")) {
          assertTrue(asked.has("result"), asked::toString);
          return asked.getAsJsonObject("result");
        }
        said = adapter.carry(asked);
      }
    } finally {
      adapter.close();
    }
  }

  /** Carries commands of the program to a store. Each client has a connection. */
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
