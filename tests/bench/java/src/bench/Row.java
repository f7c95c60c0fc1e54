package bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** One line of the table and one object of the JSON. Kinds: ratio, saturated, figure. */
final class Row {
  /** What JMH measures of the same operation, as {@link Tool} names it, or null. */
  String tool;
  private final Map<String, Object> fields = new LinkedHashMap<>();

  Row(String kind, String key) {
    set("kind", kind).set("key", key);
  }

  /** Text, a whole number, a double, an array of doubles, or null. */
  Row set(String field, Object value) {
    fields.put(field, value);
    return this;
  }

  Object get(String field) {
    return fields.get(field);
  }

  String json() {
    return fields.entrySet().stream().map(field -> "\"" + field.getKey() + "\": " + json(field.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String json(Object value) {
    if (value instanceof String text) {
      return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
    if (value instanceof double[] many) {
      return Arrays.stream(many).mapToObj(Row::json).collect(Collectors.joining(", ", "[", "]"));
    }
    return value instanceof Double number ? number(number) : String.valueOf(value);
  }

  /** Six digits are more than any figure here deserves. */
  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 1000 ? "%.6f" : "%.1f", value);
  }

  /** For people. */
  @Override
  public String toString() {
    if (get("kind").equals("figure")) {
      return format("  %-62s %10.1f %s", get("name"), get("value"), get("unit"));
    }
    String price = get("price").equals("") ? "" : "\n" + " ".repeat(29) + get("price");
    String figures = get("kind").equals("ratio") ? ratio() : saturated();
    return format("  %-26s %-36s", get("library"), get("name")) + figures + price;
  }

  private String ratio() {
    double[] quartiles = (double[]) get("quartiles");
    return format("%9.1f ns  %5.2f x (%.2f to %.2f) of %7.1f ns  %s", get("ns"), get("ratio"), quartiles[0], quartiles[1],
        get("floor_ns"), get("floor"));
  }

  private String saturated() {
    String share = get("share") == null ? "" : format(", %.2f %% of the ceiling", 100 * (double) get("share"));
    String distance = get("ahead_ms") == null ? ""
        : format(", up to %d ms ahead, %d at the end, up to %d ms behind", get("most_ahead_ms"), get("ahead_ms"),
            get("stale_ms"));
    return format(" %d thread(s)  %.2f s  %8d ids, %d duplicates%s, %.3f CPU s per million%s", get("threads"),
        get("seconds"), get("ids"), get("duplicates"), share, get("cpu_seconds_per_million"), distance);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
