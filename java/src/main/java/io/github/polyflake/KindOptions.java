package io.github.polyflake;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The options of a source to open, by name: see {@link KindProvider#open(KindOptions)}. The factory
 * takes the options that it knows; any option left over is an error. Not thread safe.
 */
public final class KindOptions {
  private final Map<String, Object> values = new LinkedHashMap<>();

  private final String kind;

  KindOptions(String kind) {
    this.kind = kind;
  }

  /** Adds an option. Errors: {@code option_invalid} if it is given already. */
  void put(String name, Object value) {
    if (values.putIfAbsent(name, value) != null) {
      throw PolyflakeException.refuse("option_invalid", "option " + Integers.quoted(name) + " is given twice");
    }
  }

  /**
   * Removes the option of this name and returns its value. The store of {@code "name:store"} is the
   * option {@code "store"}, a {@link String}.
   *
   * @param name the name of the option
   * @return the value; null if the option is not given
   */
  public Object take(String name) {
    return values.remove(name);
  }

  /**
   * Removes the option of this name and returns its value, which must have this type.
   *
   * @param <T> the type of the value
   * @param name the name of the option
   * @param type the type of the value; {@code Long.class} also takes an {@link Integer}, a
   *     {@link Short} and a {@link Byte}
   * @return the value; null if the option is not given
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

  /** Checks that every option was taken. Errors: {@code option_invalid} if one is left over. */
  void refuseTheRest() {
    if (!values.isEmpty()) {
      throw PolyflakeException.refuse("option_invalid",
          "kind " + Integers.quoted(kind) + " has no option " + Integers.quoted(values.keySet().iterator().next()));
    }
  }
}
