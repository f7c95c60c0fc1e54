package io.github.polyflake;

import java.util.LinkedHashMap;
import java.util.Map;

/** Node fields as the native library takes them: names and their values, in the order of a map. */
final class NodeFields {
  final String[] names;
  final long[] values;

  /**
   * Neither names nor values are null. Errors: {@code unknown_field} for a name that is no String,
   * {@code field_out_of_range} for a value that is not an integer or beyond 64 bits.
   */
  NodeFields(Map<String, ? extends Number> fields) {
    Map<?, ? extends Number> copy = new LinkedHashMap<>(fields); // the map may change meanwhile
    names = new String[copy.size()];
    values = new long[copy.size()];
    int i = 0;
    for (Map.Entry<?, ? extends Number> field : copy.entrySet()) {
      names[i] = nameOf(field);
      values[i] = Integers.value(names[i], field.getValue());
      i++;
    }
  }

  private static String nameOf(Map.Entry<?, ?> field) {
    Object name = field.getKey(); // generics are not checked at run time
    if (name == null || field.getValue() == null) {
      throw new NullPointerException("field " + name + " = " + field.getValue());
    }
    if (!(name instanceof String)) {
      throw PolyflakeException.refuse("unknown_field",
          "a field is named by a String, not by a " + Integers.typeOf(name));
    }
    return (String) name;
  }
}
