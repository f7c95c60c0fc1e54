package io.github.polyflake;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a source is opened with, by name: {@link KindProvider#open(KindOptions)}. Whoever opens takes what it knows; what
 * is left is an error. Not thread safe.
 */
public final class KindOptions {
  private final Map<String, Object> values = new LinkedHashMap<>();

  private final String kind;

  KindOptions(String kind) {
    this.kind = kind;
  }

  /** Errors: {@code option_invalid} where it is given already. */
  void put(String name, Object value) {
    if (values.putIfAbsent(name, value) != null) {
      throw PolyflakeException.refuse("option_invalid", "option " + Integers.quoted(name) + " is given twice");
    }
  }

  /**
   * Takes the option of this name. The store of {@code "name:store"} is the option {@code "store"}, a {@link String}.
   *
   * @param name its name
   * @return its value; null where it is not given
   */
  public Object take(String name) {
    return values.remove(name);
  }

  /**
   * Takes the option of this name, of this type.
   *
   * @param <T> its type
   * @param name its name
   * @param type its type; {@code Long.class} also takes an {@link Integer}, a {@link Short} and a {@link Byte}
   * @return its value; null where it is not given
   * @throws BadArgumentException {@code option_invalid} for a value of another type
   */
  public <T> T take(String name, Class<T> type) {
    Object value = take(name);
    if (type == Long.class && (value instanceof Integer || value instanceof Short || value instanceof Byte)) {
      value = ((Number) value).longValue();
    }
    if (value != null && !type.isInstance(value)) {
      throw wrongType(name, value);
    }
    return type.cast(value);
  }

  static PolyflakeException wrongType(String name, Object value) {
    throw PolyflakeException.refuse("option_invalid",
        "option " + Integers.quoted(name) + " does not take a " + value.getClass().getSimpleName());
  }

  /** Errors: {@code option_invalid} where nobody took one. */
  void refuseTheRest() {
    if (!values.isEmpty()) {
      throw PolyflakeException.refuse("option_invalid",
          "kind " + Integers.quoted(kind) + " has no option " + Integers.quoted(values.keySet().iterator().next()));
    }
  }
}
