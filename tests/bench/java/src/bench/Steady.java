package bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import me.ahoo.cosid.segment.IdSegment;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.AffinityJob;
import me.ahoo.cosid.segment.concurrent.PrefetchWorker;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;

/**
 * The row of fetches: how often a process that uses numbers at a steady rate asks its store.
 *
 * <p>Time is made up, one ms after the other: what the store answers arrives 20 ms after the request, then the calls of that
 * ms come. So every machine counts the same, and minutes take seconds.
 */
final class Steady {
  private static final long[] RATES = {1_000, 100_000, 900_000};
  private static final int REPLY_MS = 20;
  private static final int WARM_UP_MS = 60_000;
  /** The fewest ids, so that a step which grows slowly has grown. */
  private static final long LEAST = 4_000_000;

  static {
    Bare.load();
  }

  private final Codecs.Sink sink;
  private final int ms;

  Steady(Codecs.Sink sink, boolean quick) {
    this.sink = sink;
    this.ms = quick ? 10_000 : 600_000;
  }

  void addRows(boolean peers) {
    for (long rate : RATES) {
      add(rate, Library.OURS, "SegmentSource.nextId()", "",
          ofTheCore(rate, atLeast(WARM_UP_MS, rate), atLeast(ms, rate)));
      if (peers) {
        String chain = Library.nameOf(SegmentChainId.class);
        String fixed = "the step is fixed, and the count of steps that it holds adapts; gives nothing back";
        for (long step : new long[] {IdSegmentDistributor.DEFAULT_STEP, Counted.STEP}) {
          add(rate, chain, "SegmentChainId.generate(), step " + step, fixed, counted(rate, () -> new Chain(step)));
        }
        add(rate, "two ranges, as Leaf", "nextId()", "doubles its step while a range lasts less than 15 minutes; "
            + "gives nothing back", counted(rate, TwoRanges::new));
      }
    }
  }

  private static int atLeast(int ms, long rate) {
    return (int) Math.max(ms, LEAST * 1000 / rate);
  }

  private void add(long rate, String library, String call, String price, long[] counts) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("rate", rate);
    String[] names = {"ids", "fetches", "requests", "most_held", "late_calls"};
    for (int i = 0; i < names.length; i++) {
      figures.put(names[i], counts[i]);
    }
    sink.add("segment.fetches", library, call, price, figures);
  }

  /** Our counters: the core decides what they fetch, in tests/bench/cpp/steady_java.cpp. */
  private static native long[] ofTheCore(long rate, int warmUpMs, int ms);

  private long[] counted(long rate, Supplier<Use> open) {
    Use use = open.get();
    use.run(rate, atLeast(WARM_UP_MS, rate));
    long calls = use.calls;
    long fetches = use.fetches;
    long late = use.late;
    use.mostHeld = 0;
    use.run(rate, atLeast(ms, rate));
    fetches = use.fetches - fetches;
    return new long[] {use.calls - calls, fetches, fetches, use.mostHeld, use.late - late};
  }

  /** A process that takes numbers of a counter. */
  private abstract static class Use {
    protected long nowMs;
    private long due; // in thousandths of a call
    private long calls;
    private long late; // calls that found nothing
    private long waiting;
    private long granted;
    private long taken;
    private long fetches;
    private long mostHeld;

    void run(long rate, int ms) {
      for (int passed = 0; passed < ms; passed++) {
        nowMs++;
        begin();
        due += rate;
        calls += due / 1000;
        long wanted = waiting + due / 1000;
        due %= 1000;
        long given = take(wanted);
        taken += given;
        late += Math.max(0, wanted - given - waiting);
        waiting = wanted - given;
        mostHeld = Math.max(mostHeld, granted - taken);
      }
    }

    /** Returns the last number of a range. */
    protected long fetch(long step) {
      fetches++;
      granted += step;
      return granted;
    }

    /** Does what is due besides calls. */
    protected abstract void begin();

    /** Takes so many numbers, or as many as are there. Returns how many. */
    protected abstract long take(long most);
  }

  /** CosId's chain. Its worker runs each second, and when the answer is there for which a call woke it. */
  private static final class Chain extends Use implements PrefetchWorker {
    private static final long PERIOD_MS = PrefetchWorkerExecutorService.DEFAULT_PREFETCH_PERIOD.toMillis();
    private static final long HUNGER_S = 5; // of its code

    private final SegmentChainId ids;
    private AffinityJob job;
    private boolean working;
    private long worksAtMs = REPLY_MS;
    private long hungrySinceS = -HUNGER_S;
    private long answeredAtMs; // what the call itself asked for
    private boolean isLate; // the number of that call

    Chain(long step) {
      IdSegmentDistributor counter = new IdSegmentDistributor.Atomic(step) {
        @Override
        public long nextMaxId(long count) {
          if (!working) {
            answeredAtMs = nowMs + REPLY_MS;
          }
          return fetch(count);
        }
      };
      ids = new SegmentChainId(IdSegment.TIME_TO_LIVE_FOREVER, SegmentChainId.DEFAULT_SAFE_DISTANCE, counter,
          new PrefetchWorkerExecutorService(PrefetchWorkerExecutorService.DEFAULT_PREFETCH_PERIOD, 1, false) {
            @Override
            public void submit(AffinityJob submitted) {
              job = submitted;
              job.setPrefetchWorker(Chain.this);
            }
          });
    }

    @Override
    protected void begin() {
      if (nowMs < worksAtMs) {
        return;
      }
      // The job itself compares with the time of day.
      boolean isHungry = nowMs / 1000 - hungrySinceS < HUNGER_S;
      job.setHungerTime(isHungry ? System.currentTimeMillis() / 1000 : 0);
      working = true;
      job.run();
      working = false;
      worksAtMs = nowMs + PERIOD_MS + REPLY_MS;
    }

    @Override
    protected long take(long most) {
      long count = 0;
      while (count < most && nowMs >= answeredAtMs) {
        if (!isLate) {
          ids.generate();
        }
        isLate = nowMs < answeredAtMs;
        count += isLate ? 0 : 1;
      }
      return count;
    }

    @Override
    public void wakeup(AffinityJob ignored) {
      hungrySinceS = nowMs / 1000;
      worksAtMs = Math.min(worksAtMs, nowMs + REPLY_MS);
    }

    @Override
    public String getName() {
      return "made-up time";
    }

    @Override
    public void submit(AffinityJob ignored) {}

    @Override
    public void cancel(AffinityJob ignored) {}

    @Override
    public void shutdown() {}
  }

  /** Two ranges, of which the second is fetched when a tenth of the first is used; steps as Leaf describes them. */
  private static final class TwoRanges extends Use {
    private static final long FIRST_STEP = 2000; // of its example
    private static final long MOST = 1_000_000;
    private static final long LASTING_MS = 900_000;

    private long step = FIRST_STEP;
    private long size;
    private long left;
    private long next;
    private long askedAtMs;
    private long answeredAtMs;

    TwoRanges() {
      ask();
    }

    @Override
    protected void begin() {
      if (nowMs == answeredAtMs) {
        fetch(step);
        next = step;
      }
    }

    @Override
    protected long take(long most) {
      long count = 0;
      do {
        if (left == 0) {
          size = left = next;
          next = 0;
        }
        long some = Math.min(most - count, left);
        left -= some;
        count += some;
        if (next == 0 && nowMs >= answeredAtMs && left < 0.9 * size) {
          adapt();
          ask();
        }
      } while (count < most && left + next > 0);
      return count;
    }

    private void adapt() {
      long lastedMs = nowMs - askedAtMs;
      if (lastedMs < LASTING_MS && 2 * step <= MOST) {
        step *= 2;
      } else if (lastedMs >= 2 * LASTING_MS && step / 2 >= FIRST_STEP) {
        step /= 2;
      }
    }

    private void ask() {
      askedAtMs = nowMs;
      answeredAtMs = nowMs + REPLY_MS;
    }
  }
}
