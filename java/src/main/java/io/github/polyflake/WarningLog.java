package io.github.polyflake;

import java.util.logging.Logger;

/** Java's channel for warnings: the logger {@value #NAME}. */
final class WarningLog {
  static final String NAME = "io.github.polyflake";

  private WarningLog() {}

  /** Logs a warning, or nothing if the text is empty. */
  static void say(String text) {
    if (text.isEmpty()) {
      return;
    }
    try {
      // By name, since Java 8 has no System.Logger.
      Class<?> logger = Class.forName("java.lang.System$Logger");
      Class<?> level = Class.forName("java.lang.System$Logger$Level");
      Object named = System.class.getMethod("getLogger", String.class).invoke(null, NAME);
      logger.getMethod("log", level, String.class).invoke(named, level.getField("WARNING").get(null), text);
    } catch (ReflectiveOperationException e) {
      Java8.say(text);
    }
  }

  /** A class of its own: from Java 9 on, a run time need not have {@code java.util.logging}. */
  static final class Java8 {
    private Java8() {}

    static void say(String text) {
      Logger.getLogger(NAME).warning(text);
    }
  }
}
