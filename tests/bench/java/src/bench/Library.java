package bench;

import io.github.polyflake.Generator;
import io.github.polyflake.Layout;
import io.github.polyflake.Polyflake;
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
 * @param capacity ids of one ms
 * @param timeMs reads the time out of an id
 * @param open a new generator
 * @param price what a faster figure is paid with; may be empty
 */
record Library(String name, String call, int capacity, LongUnaryOperator timeMs, Supplier<Source> open, String price) {
  static final String OURS = "polyflake " + Polyflake.version();

  /** A loop of its own in each library, so that calls are inlined. */
  interface Source {
    /** Stores new ids at [from, to). Any thread. */
    void take(long[] ids, int from, int to);

    /** Overwrites all elements with what the last call took, as numbers that tell ids apart, where it has it elsewhere. */
    default void keep(long[] ids) {}
  }

  static Library polyflake() {
    Layout layout = Layout.of("polyflake");
    return new Library(OURS, "Generator.nextId()", 4096, id -> (id >>> 22) + layout.epochMs(),
        () -> of(Generator.builder().worker(1).build()), "");
  }

  static Source of(Generator generator) {
    return (ids, from, to) -> {
      for (int i = from; i < to; i++) {
        ids[i] = generator.nextId();
      }
    };
  }

  /** One with the bits of Twitter's Snowflake: 41 of time, 10 of node, 12 of sequence. */
  static Library snowflake(Class<?> type, String call, int capacity, long epochMs, Supplier<Source> open,
      String price) {
    return new Library(nameOf(type), call, capacity, id -> (id >>> 22) + epochMs, open, price);
  }

  /** Artifact and version, from the file name of the jar, so that pom.xml alone says them. */
  static String nameOf(Class<?> type) {
    String jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getFileName().toString();
    Matcher parts = Pattern.compile("(.+)-(\\d.*)\\.jar").matcher(jar);
    return parts.matches() ? parts.group(1) + " " + parts.group(2) : jar;
  }
}
