import io.github.polyflake.Generator;
import io.github.polyflake.Layout;
import io.github.polyflake.PolyflakeException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.OptionalLong;

/** Issues ids until it is told to end; see issuers.py for the arguments and what the programs of all languages do. */
public final class SoakIssuer {
  private final LongBuffer ids;
  private final Generator.Builder settings;
  private final long pauseMs;
  private Generator generator;
  private long turn;
  private int failures;
  private volatile boolean end;

  private SoakIssuer(String[] arguments) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(arguments[0], "rw")) {
      // Ids behind a word that counts them, mapped into memory: what is written survives kill -9.
      ids = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, file.length()).order(ByteOrder.nativeOrder())
          .asLongBuffer();
    }
    settings = Generator.builder()
        .layout(Layout.of(arguments[1])) // loads the native library, which is not part of opening a generator
        .worker(arguments[2])
        .maxLead(Duration.ofMillis(Long.parseLong(arguments[3])));
    turn = Long.parseLong(arguments[4]);
    pauseMs = Long.parseLong(arguments[5]);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void run() throws InterruptedException {
    while (!end) {
      try {
        if (generator == null) {
          open();
        }
        issueBatch();
        failures = 0;
      } catch (PolyflakeException error) {
        say("error " + error.code());
        say("told " + error.getMessage());
        if (++failures >= 5) {
          close();
        }
        Thread.sleep(20);
      }
      Thread.sleep(pauseMs);
    }
    close();
  }

  private void open() {
    long begin = System.nanoTime();
    generator = settings.build();
    record(new long[] {0}, 1); // another generator begins
    long first = generator.nextId();
    long passed = System.nanoTime() - begin;
    record(new long[] {first}, 1);
    say("first " + passed);
  }

  private void close() {
    if (generator != null) {
      generator.close();
    }
    generator = null;
    failures = 0;
  }

  private void issueBatch() {
    ++turn;
    if (turn % 100 == 0) {
      record(generator.nextIds(4000), 4000);
    } else if (turn % 3 == 0) {
      record(generator.nextIds(40), 40);
    } else {
      issueSingly();
    }
  }

  private void issueSingly() {
    long[] batch = new long[20];
    int count = 0;
    try {
      for (int i = 0; i < batch.length; ++i) {
        OptionalLong id = turn % 3 == 1 ? OptionalLong.of(generator.nextId()) : generator.tryNextId();
        if (id.isPresent()) {
          batch[count++] = id.getAsLong();
        }
      }
    } finally {
      record(batch, count);
    }
  }

  private void record(long[] batch, int count) {
    int at = (int) ids.get(0);
    if (at + count + 1 > ids.capacity() - 1) {
      say("full");
      end = true;
      return;
    }
    for (int i = 0; i < count; ++i) {
      ids.put(at + 1 + i, batch[i]);
    }
    ids.put(0, at + count);
  }

  public static void main(String[] arguments) throws Exception {
    SoakIssuer issuer = new SoakIssuer(arguments);
    Thread issuing = Thread.currentThread();
    // SIGTERM runs this; the process ends when it returns.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      issuer.end = true;
      try {
        issuing.join(10_000);
      } catch (InterruptedException ignored) {
        // Then the process ends while it issues.
      }
    }));
    say("ready");
    try {
      issuer.run();
    } catch (RuntimeException error) {
      say("failure " + error);
      Runtime.getRuntime().halt(1); // exit() would wait for the hook, which waits for this thread
    }
  }
}
