package bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** JSON of maps, lists, texts and numbers. */
final class Json {
  private Json() {}

  static String of(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().map(entry -> of(entry.getKey()) + ": " + of(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Json::of).collect(Collectors.joining(", ", "[", "]"));
    }
    return value instanceof String text ? "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
        : String.valueOf(value);
  }
}
