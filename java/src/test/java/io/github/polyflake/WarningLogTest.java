package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** System.Logger ends in java.util.logging where nothing else is set up. */
class WarningLogTest {
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
    assertEquals(expected, logged(() -> WarningLog.Java8.say("two containers {0} share a name")));
  }

  @Test
  void without_a_warning_nothing_is_logged() {
    assertEquals(List.of(), logged(() -> WarningLog.say("")));
  }
}
