package bench;

import io.github.polyflake.Kinds;
import io.github.polyflake.SegmentSource;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.PooledLoOptimizer;

/**
 * The row of segments: numbers of a counter in memory, beside other libraries on such a counter.
 *
 * <p>Leaf and TinyId are in no repository of artifacts, so this file does for a number what their descriptions say.
 */
final class Counted {
  /** The step of the others; ours grows to as many. */
  static final int STEP = 1_000_000;

  private Counted() {}

  static Library.Source atomicLong() {
    AtomicLong counter = new AtomicLong();
    return (ids, from, to) -> {
      for (int i = from; i < to; i++) {
        ids[i] = counter.getAndIncrement();
      }
    };
  }

  static List<Library> all() {
    return List.of(polyflake(), cosid(), hibernate(),
        library("two ranges under a read-write lock, as Leaf", "nextId()", "gives nothing back", () -> {
          TwoRanges ids = new TwoRanges();
          return (numbers, from, to) -> {
            for (int i = from; i < to; i++) {
              numbers[i] = ids.nextId();
            }
          };
        }), library("a range and an AtomicLong, as TinyId", "nextId()", "gives nothing back", () -> {
          OneRange ids = new OneRange();
          return (numbers, from, to) -> {
            for (int i = from; i < to; i++) {
              numbers[i] = ids.nextId();
            }
          };
        }));
  }

  static Library polyflake() {
    return library(Library.OURS, "SegmentSource.nextId()", "", () -> {
      Store store = Stores.of("memory://bench?namespace=bench");
      Namespaces.init(store, "polyflake");
      Namespaces.initCounter(store, "bench", 0);
      SegmentSource segment = Kinds.segment().store(store).name("bench").build();
      return (ids, from, to) -> {
        for (int i = from; i < to; i++) {
          ids[i] = segment.nextId();
        }
      };
    });
  }

  private static Library cosid() {
    return library(Library.nameOf(SegmentChainId.class), "SegmentChainId.generate()",
        "gives nothing back", () -> {
          SegmentChainId segment = new SegmentChainId(new IdSegmentDistributor.Atomic(STEP));
          return (ids, from, to) -> {
            for (int i = from; i < to; i++) {
              ids[i] = segment.generate();
            }
          };
        });
  }

  private static Library hibernate() {
    return library(Library.nameOf(PooledLoOptimizer.class), "PooledLoOptimizer.generate()",
        "asks for a range only when it is needed",
        () -> {
          PooledLoOptimizer optimizer = new PooledLoOptimizer(Long.class, STEP);
          AccessCallback sequence = new Sequence();
          return (ids, from, to) -> {
            for (int i = from; i < to; i++) {
              ids[i] = (Long) optimizer.generate(sequence);
            }
          };
        });
  }

  private static Library library(String name, String call, String price,
      Supplier<Library.Source> open) {
    return new Library(name, call, 0, id -> 0, open, price);
  }

  /** A database's sequence whose increment is the step. */
  private static final class Sequence implements AccessCallback {
    private final LongSupplier ranges = ranges();

    @Override
    public IntegralDataTypeHolder getNextValue() {
      return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class).initialize(ranges.getAsLong());
    }

    @Override
    public String getTenantIdentifier() {
      return null;
    }
  }

  /** A counter in memory, of which each call takes a step. */
  private static LongSupplier ranges() {
    AtomicLong next = new AtomicLong(1);
    return () -> next.getAndAdd(STEP);
  }

  private record Range(AtomicLong next, long end) {
    Range(long first) {
      this(new AtomicLong(first), first + STEP);
    }
  }

  /** Two ranges, of which the second is fetched when a tenth of the first is used. */
  private static final class TwoRanges {
    private final LongSupplier store = ranges();
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private Range current = new Range(store.getAsLong());
    private volatile Range next;

    long nextId() {
      for (;;) {
        lock.readLock().lock();
        try {
          long id = current.next.getAndIncrement();
          if (next == null && current.end - id < 0.9 * STEP) {
            fetch();
          }
          if (id < current.end) {
            return id;
          }
        } finally {
          lock.readLock().unlock();
        }
        change();
      }
    }

    private synchronized void fetch() {
      if (next == null) {
        next = new Range(store.getAsLong());
      }
    }

    private void change() {
      lock.writeLock().lock();
      try {
        if (current.next.get() >= current.end) {
          fetch();
          current = next;
          next = null;
        }
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  /** One range; each number comes with a word on whether it is good. */
  private static final class OneRange {
    private record Result(long id, boolean over) {}

    private final LongSupplier store = ranges();
    private volatile Range current = new Range(store.getAsLong());

    long nextId() {
      for (;;) {
        Range range = current;
        long id = range.next.getAndIncrement();
        Result result = new Result(id, id >= range.end);
        if (!result.over) {
          return result.id;
        }
        change(range);
      }
    }

    private synchronized void change(Range used) {
      if (current == used) {
        current = new Range(store.getAsLong());
      }
    }
  }
}
