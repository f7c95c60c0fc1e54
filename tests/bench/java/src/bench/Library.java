package bench;

import io.github.polyflake.Generator;
import io.github.polyflake.Layout;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An id library as this benchmark drives it.
 *
 * @param name with its version
 * @param call what is measured
 * @param capacity ids of one ms, 0 if there is no such limit
 * @param words longs that an id takes
 * @param timeMs reads the time out of an id's first word; null if there is none
 * @param open a new generator
 * @param price what a faster figure is paid with; may be empty
 */
record Library(String name, String call, int capacity, int words, LongUnaryOperator timeMs, Supplier<Source> open,
    String price) {

  /** A loop of its own in each library, so that calls are inlined. */
  interface Source {
    /** Stores new ids at [from, to), counted in ids. Any thread. */
    void take(long[] ids, int from, int to);
  }

  static Library polyflake() {
    Layout layout = Layout.of("polyflake");
    return new Library(Ours.LIBRARY, "Generator.nextId()", 4096, 1, id -> (id >>> 22) + layout.epochMs(), () -> {
      Generator generator = Generator.builder().worker(1).build();
      return (ids, from, to) -> {
        for (int i = from; i < to; i++) {
          ids[i] = generator.nextId();
        }
      };
    }, "");
  }

  /** One with the bits of Twitter's Snowflake: 41 of time, 10 of node, 12 of sequence. */
  static Library snowflake(Class<?> type, String call, int capacity, long epochMs, Supplier<Source> open, String price) {
    return new Library(nameOf(type), call, capacity, 1, id -> (id >>> 22) + epochMs, open, price);
  }

  /** Artifact and version, from the file name of the jar, so that pom.xml alone says them. */
  static String nameOf(Class<?> type) {
    String jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getFileName().toString();
    Matcher parts = Pattern.compile("(.+)-(\\d.*)\\.jar").matcher(jar);
    return parts.matches() ? parts.group(1) + " " + parts.group(2) : jar;
  }
}
