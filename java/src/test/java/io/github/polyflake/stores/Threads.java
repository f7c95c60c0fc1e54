package io.github.polyflake.stores;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Threads of this process, by the beginnings of their names. */
final class Threads {
  private Threads() {}

  static Set<Long> named(String... beginnings) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> Arrays.stream(beginnings).anyMatch(thread.getName()::startsWith)).map(Thread::getId)
        .collect(Collectors.toSet());
  }
}
