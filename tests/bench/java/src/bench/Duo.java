package bench;

import io.github.polyflake.Generator;
import java.util.concurrent.atomic.AtomicLong;

/** Two threads that do something at once: the caller's, and one that spins in between so that both begin together. */
final class Duo implements AutoCloseable {
  private static final Paired.Loop NOTHING = count -> {};

  private Paired.Loop loop = NOTHING;
  private int count;
  private volatile int asked;
  private volatile int done;
  private volatile boolean closed;

  private Duo() {
    Thread second = new Thread(this::serve, "second");
    second.setDaemon(true);
    second.start();
  }

  /** Figures are ns per id of both threads together: the time that passed by the number of ids. */
  static void measure(Ours ours) {
    try (Duo duo = new Duo()) {
      AtomicLong word = new AtomicLong();
      Paired.Loop counter = count -> {
        long sum = 0;
        for (int i = 0; i < count; i++) {
          sum += System.currentTimeMillis() + word.incrementAndGet();
        }
        Paired.sink = sum;
      };
      Generator shared = Ours.wide();
      ours.add(null, "threads", "two threads, one generator, per id", "two: clock, shared AtomicLong",
          duo.both(counter, counter), duo.both(Ours.calls(shared), Ours.calls(shared)), null);
      ours.add(null, "threads", "two threads, two generators, per id", "two: System.currentTimeMillis()",
          duo.both(Ours.CLOCK, Ours.CLOCK), duo.both(Ours.calls(Ours.node(0)), Ours.calls(Ours.node(1))), null);
    }
  }

  private Paired.Loop both(Paired.Loop mine, Paired.Loop others) {
    return total -> {
      count = (total + 1) / 2;
      loop = others;
      asked++; // publishes the two above; only this thread writes it
      mine.run(count);
      for (int spins = 0; done != asked; spins++) {
        spin(spins);
      }
    };
  }

  private void serve() {
    for (int seen = 0, spins = 0; !closed; spins++) {
      if (asked == seen) {
        spin(spins);
        continue;
      }
      seen = asked;
      loop.run(count);
      done = seen;
      spins = 0;
    }
  }

  /** The other thread may be waiting for this one's processor. */
  private static void spin(int spins) {
    if (spins < 1000) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
