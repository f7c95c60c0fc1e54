import io.github.polyflake.Kinds;
import io.github.polyflake.PolyflakeException;
import io.github.polyflake.SegmentBuilder;
import io.github.polyflake.SegmentSource;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Takes numbers of a counter until its input ends; see tests/python/takers.py for the arguments and the lines it writes. */
public final class CounterTaker {
  private static volatile boolean end;

  private CounterTaker() {}

  private static SegmentSource open(String url, long step) {
    SegmentBuilder segment =
        Kinds.segment().store(url).name("orders").minStep(20).hold(Duration.ofMillis(500))
            .timeout(Duration.ofMillis(400));
    return (step == 0 ? segment : segment.step(step)).build();
  }

  private static void awaitEndOfInput() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is said on it.
      }
    } catch (java.io.IOException error) {
      // It ended.
    }
    end = true;
  }

  public static void main(String[] arguments) throws Exception {
    Thread reader = new Thread(CounterTaker::awaitEndOfInput);
    reader.setDaemon(true);
    reader.start();
    long step = Long.parseLong(arguments[2]);
    SegmentSource ids = null;
    try (PrintWriter file = new PrintWriter(arguments[1])) {
      while (!end) {
        Thread.sleep(1);
        try {
          ids = ids == null ? open(arguments[0], step) : ids;
          file.println(Arrays.stream(ids.nextIds(10)).mapToObj(Long::toString).collect(Collectors.joining(" ")) + " .");
        } catch (PolyflakeException error) {
          file.println("! " + error.code() + " " + error.getMessage());
        }
        file.flush();
      }
    }
    if (ids != null) {
      ids.close();
    }
  }
}
