package bench;

import java.nio.file.Path;

/** The floor: the bare work of an id behind an empty native call (tests/bench/cpp/bare_java.cpp). */
final class Bare {
  static final String TIME;

  static {
    System.load(Path.of(System.getProperty("bench.bare")).toAbsolutePath().toString());
    TIME = choose();
  }

  private Bare() {}

  /** Loads the library, which has native methods of other classes, too. */
  static void load() {}

  /** Binds {@link #work} to the time that is read faster here, and says which that is. */
  private static native String choose();

  static native long work();

  static void take(long[] ids, int from, int to) {
    for (int i = from; i < to; i++) {
      ids[i] = work();
    }
  }
}
