package io.github.polyflake;

import static io.github.polyflake.Vector.number;
import static io.github.polyflake.Vector.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeTicketRules;

/** The group of ticket servers, whose rules the package has from the core. */
final class TicketVectors {
  private TicketVectors() {}

  static void ticket(JsonObject test) {
    NativeLibrary.require();
    NativeTicketRules rules = new NativeTicketRules(test.get("servers").getAsLong());
    if (text(test, "op").equals("replies")) {
      for (int i = 0; i < test.getAsJsonArray("replies").size(); i++) {
        String reply = test.getAsJsonArray("replies").get(i).getAsString();
        assertEquals(test.getAsJsonArray("results").get(i).getAsString(),
            rules.answered(test.get("server").getAsLong(), reply));
      }
      return;
    }
    assertEquals("calls", text(test, "op"));
    for (JsonElement call : test.getAsJsonArray("calls")) {
      JsonObject given = call.getAsJsonObject();
      assertEquals(text(given, given.has("number") ? "number" : "error"), resultOf(rules, given));
    }
  }

  /** Returns the number, or the code, of a call for one. */
  private static String resultOf(NativeTicketRules rules, JsonObject call) {
    long nowMs = number(call, "now_ms");
    long server = 0;
    boolean setAgain = false;
    for (JsonElement element : call.getAsJsonArray("asks")) {
      JsonObject ask = element.getAsJsonObject();
      server = server == 0 ? rules.next(nowMs) : server;
      assertEquals(ask.get("server").getAsLong(), server);
      assertEquals(ask.has("set_again"), setAgain);
      setAgain = false;
      String reply = text(ask, "reply");
      if (reply.equals("failed")) {
        rules.failed(server, nowMs);
        server = 0;
      } else if (!reply.equals("deadlock") && !reply.equals("lock_wait")) {
        String result = rules.answered(server, reply);
        if (!result.equals("again")) {
          return result;
        }
        setAgain = true;
      }
    }
    assertEquals(0, rules.next(nowMs));
    return "store_unavailable";
  }
}
