import io.github.polyflake.Generator;
import io.github.polyflake.PolyflakeException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Many generators that take node ids and give them back; see crowd.py for the arguments and what the programs do. */
public final class CrowdIssuer {
  private static final int AT_ONCE = 20; // that open, where all are kept

  private final LongBuffer ids;
  private final String address;
  private final int count;
  private final long seed;
  private volatile boolean end;

  private CrowdIssuer(String[] arguments) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(arguments[0], "rw")) {
      ids = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, file.length()).order(ByteOrder.nativeOrder())
          .asLongBuffer();
    }
    address = arguments[1];
    count = Integer.parseInt(arguments[2]);
    seed = Long.parseLong(arguments[3]);
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private synchronized void record(List<Long> issued) {
    int at = (int) ids.get(0);
    for (int i = 0; i < issued.size(); ++i) {
      ids.put(at + 1 + i, issued.get(i));
    }
    ids.put(0, at + issued.size());
  }

  private Generator opened(int number) {
    return Generator.builder().worker(address + "&acquire_timeout_ms=" + (60_000 + number)).build();
  }

  private void hold(int number, Random random) throws InterruptedException {
    List<Long> issued = new ArrayList<>();
    String line = "moved";
    try (Generator generator = opened(number)) {
      long node = generator.worker();
      long begunMs = System.currentTimeMillis();
      long over = System.nanoTime() + (200 + random.nextInt(4800)) * 1_000_000L;
      issued.add(generator.nextId());
      while (System.nanoTime() < over && !end) {
        Thread.sleep(100);
        for (int i = 0; i < 3; ++i) {
          issued.add(generator.nextId());
        }
      }
      if (generator.worker() == node) {
        line = "held " + node + " " + begunMs + " " + System.currentTimeMillis() + " " + issued.get(0) + " "
            + issued.get(issued.size() - 1);
      }
    } finally {
      record(issued);
    }
    say(line);
  }

  private void takeAndGiveBack(int number) throws InterruptedException {
    Random random = new Random(seed * 1000 + number);
    while (!end) {
      Thread.sleep(random.nextInt(1000));
      try {
        hold(number, random);
      } catch (PolyflakeException error) {
        say("error " + error.code() + "\ntold " + error.getMessage());
      }
    }
  }

  /** Every so many-th generator, until the end. */
  private void keep(int first) throws InterruptedException {
    List<Generator> kept = new ArrayList<>();
    for (int number = first; number < count; number += AT_ONCE) {
      try {
        Generator generator = opened(number);
        kept.add(generator);
        record(List.of(generator.nextId()));
        say("kept " + generator.worker());
      } catch (PolyflakeException error) {
        say("error " + error.code() + "\ntold " + error.getMessage());
      }
    }
    while (!end) {
      Thread.sleep(20);
    }
    kept.forEach(Generator::close);
  }

  private void work(boolean keeps, int number) {
    try {
      if (keeps) {
        keep(number);
      } else {
        takeAndGiveBack(number);
      }
    } catch (InterruptedException | RuntimeException error) {
      say("failure " + error);
      Runtime.getRuntime().halt(1);
    }
  }

  public static void main(String[] arguments) throws Exception {
    CrowdIssuer issuer = new CrowdIssuer(arguments);
    boolean keeps = arguments[4].equals("keep");
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < (keeps ? AT_ONCE : issuer.count); ++i) {
      int number = i;
      threads.add(new Thread(() -> issuer.work(keeps, number)));
    }
    say("ready");
    threads.forEach(Thread::start);
    while (System.in.read() >= 0) {
      continue;
    }
    issuer.end = true;
    for (Thread thread : threads) {
      thread.join();
    }
    say("done");
  }
}
