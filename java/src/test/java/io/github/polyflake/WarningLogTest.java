package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.WarningLog;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** System.Logger ends in java.util.logging where nothing else is set up. */
class WarningLogTest {
  @TempDir
  Path folder;

  private static List<String> logged(Runnable body) {
    List<String> records = new ArrayList<>();
    Logger logger = Logger.getLogger(WarningLog.NAME);
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord record) {
        records.add(record.getLoggerName() + " " + record.getLevel() + " " + record.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
    try {
      body.run();
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    return records;
  }

  @Test
  void a_warning_is_logged_under_the_name_of_the_package() {
    List<String> expected = List.of("io.github.polyflake WARNING two containers {0} share a name");
    assertEquals(expected, logged(() -> WarningLog.say("two containers {0} share a name")));
    assertEquals(expected, logged(() -> WarningLog.Java8.say("WARNING", "two containers {0} share a name")));
  }

  @Test
  void without_a_warning_nothing_is_logged() {
    assertEquals(List.of(), logged(() -> WarningLog.say("")));
  }

  /** Opens two generators while the core, or what stands for it here, has one warning to give. */
  static final class OpenTwice {
    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        Generator.builder().worker(1).clock(new ManualClock(1_767_225_600_000L)).build();
      }
    }
  }

  @Test
  void what_the_core_warns_of_is_logged_when_a_generator_was_opened() throws Exception {
    Path source = Files.writeString(folder.resolve("Facade.java"), "package io.github.polyflake.internal;"
        + " public final class Facade { private static String text = \"two containers share a name\";"
        + " public static String takeWarning() { String taken = text; text = \"\"; return taken; } }");
    assertEquals(0,
        ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", folder.toString(), source.toString()));
    ChildJvm child = ChildJvm.runWith(folder + File.pathSeparator + System.getProperty("java.class.path"),
        OpenTwice.class.getName());
    assertEquals("", child.out);
    assertEquals(2, child.err.split("two containers share a name\n", -1).length, child.err);
  }

  static final class Say {
    public static void main(String[] args) {
      WarningLog.say("two containers share a name");
    }
  }

  @Test
  void a_run_time_without_java_util_logging_hears_the_warning_too() throws Exception {
    ChildJvm child = ChildJvm.run("--limit-modules", "java.base", Say.class.getName());
    assertEquals("", child.out);
    assertTrue(child.err.contains("io.github.polyflake") && child.err.contains("two containers share a name"),
        child.err);
  }
}
