package io.github.polyflake.internal;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Java's channel for warnings and changes of state: the logger {@value #NAME}. */
public final class WarningLog {
  public static final String NAME = "io.github.polyflake";

  private WarningLog() {}

  /** Logs a warning, or nothing if the text is empty. */
  public static void say(String text) {
    if (!text.isEmpty()) {
      say("WARNING", text);
    }
  }

  /** Logs a line at a level of {@code System.Logger}, WARNING or INFO. */
  public static void say(String level, String text) {
    try {
      // By name, since Java 8 has no System.Logger.
      Class<?> logger = Class.forName("java.lang.System$Logger");
      Class<?> levels = Class.forName("java.lang.System$Logger$Level");
      Object named = System.class.getMethod("getLogger", String.class).invoke(null, NAME);
      logger.getMethod("log", levels, String.class).invoke(named, levels.getField(level).get(null), text);
    } catch (ReflectiveOperationException e) {
      Java8.say(level, text);
    }
  }

  /** A class of its own: from Java 9 on, a run time need not have {@code java.util.logging}. */
  public static final class Java8 {
    private Java8() {}

    public static void say(String level, String text) {
      Logger.getLogger(NAME).log(Level.parse(level), text);
    }
  }
}
