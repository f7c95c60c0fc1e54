package io.github.polyflake;

import static io.github.polyflake.Vector.assertText;
import static io.github.polyflake.Vector.number;
import static io.github.polyflake.Vector.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import io.github.polyflake.internal.Facade;
import io.github.polyflake.internal.NativeDatePeriod;
import io.github.polyflake.internal.Zones;

/** The group of dates. */
final class DateVectors {
  private static final JsonObject DEFAULTS = new JsonObject();

  static {
    DEFAULTS.addProperty("period", "yyyyMMdd");
    DEFAULTS.addProperty("digits", 6);
    DEFAULTS.addProperty("prefix", "");
    DEFAULTS.addProperty("zone", "+00:00");
  }

  private DateVectors() {}

  static void date(JsonObject test) {
    JsonObject options = DEFAULTS.deepCopy();
    test.getAsJsonObject("options").entrySet().forEach(given -> {
      assertEquals(true, DEFAULTS.has(given.getKey()), given::toString);
      options.add(given.getKey(), given.getValue());
    });
    DateNumbers numbers =
        DateNumbers.of(text(options, "period"), options.get("digits").getAsLong(), text(options, "prefix"));
    String zone = Zones.checked(text(options, "zone"));
    JsonObject expect = test.getAsJsonObject("expect");
    switch (text(test, "op")) {
      case "make":
        JsonObject made = new JsonObject();
        made.addProperty("period", numbers.period());
        made.addProperty("digits", numbers.digits());
        made.addProperty("prefix", numbers.prefix());
        made.addProperty("zone", zone);
        assertEquals(expect, made);
        break;
      case "period":
        NativeDatePeriod period = Facade.periodAt(numbers.period(), zone, number(test, "time_ms"));
        assertEquals(number(expect, "label"), period.getLabel());
        assertEquals(number(expect, "start_ms"), period.getStartMs());
        assertEquals(number(expect, "end_ms"), period.getEndMs());
        break;
      case "write":
        long written = numbers.number(number(test, "label"), number(test, "n"));
        assertEquals(number(expect, "number"), written);
        assertText(test, numbers.text(written));
        break;
      case "read":
        long read = numbers.parse(text(test, "text"));
        assertEquals(number(expect, "number"), read);
        assertEquals(number(expect, "label"), numbers.parts(read).label());
        assertEquals(number(expect, "n"), numbers.parts(read).count());
        break;
      default:
        throw new AssertionError("unknown op " + test);
    }
  }
}
