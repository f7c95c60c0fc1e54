package bench;

import cn.hutool.core.lang.Snowflake;
import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.github.f4b6a3.tsid.TsidFactory;
import com.github.yitter.contract.IdGeneratorOptions;
import com.github.yitter.idgen.DefaultIdGenerator;
import io.hypersistence.tsid.TSID;
import java.util.List;
import me.ahoo.cosid.CosId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.apache.seata.common.util.IdWorker;

/**
 * Other libraries for ids in Java, with the settings they come with, but 10 bits for the node and 12 for the sequence, and
 * a node id that is given. Their prices were read in their code.
 */
final class Peers {
  private static final long TWITTER_EPOCH = 1288834974657L;
  private static final long YEAR_2020 = 1577836800000L;

  private Peers() {}

  static List<Library> all() {
    return List.of(hutool(), mybatisPlus(), cosId(), tsidCreator(), hypersistence(), yitter(), seata());
  }

  private static Library hutool() {
    return Library.snowflake(Snowflake.class, "Snowflake.nextId()", 4096, TWITTER_EPOCH, () -> {
      Snowflake generator = new Snowflake(1, 1);
      return (ids, from, to) -> {
        for (int i = from; i < to; i++) {
          ids[i] = generator.nextId();
        }
      };
    }, "spins while the tick is full; default node id from MAC and process id");
  }

  /** Its 4096th and 4095th id come only where a tick follows a full one. */
  private static Library mybatisPlus() {
    return Library.snowflake(Sequence.class, "Sequence.nextId()", 4096, TWITTER_EPOCH, () -> {
      Sequence generator = new Sequence(1, 1);
      return (ids, from, to) -> {
        for (int i = from; i < to; i++) {
          ids[i] = generator.nextId();
        }
      };
    }, "reads a cached clock that a thread sets every ms; spins while the tick is full; "
        + "default node id from MAC and process id");
  }

  private static Library cosId() {
    long epochMs = CosId.COSID_EPOCH;
    return Library.snowflake(MillisecondSnowflakeId.class, "MillisecondSnowflakeId.generate()", 4096, epochMs, () -> {
      MillisecondSnowflakeId generator = new MillisecondSnowflakeId(1);
      return (ids, from, to) -> {
        for (int i = from; i < to; i++) {
          ids[i] = generator.generate();
        }
      };
    }, "alone it throws when the clock steps back; spins while the tick is full");
  }

  private static Library tsidCreator() {
    return Library.snowflake(TsidFactory.class, "TsidFactory.create().toLong()", 4096, YEAR_2020, () -> {
      TsidFactory generator = TsidFactory.newInstance1024(1);
      return (ids, from, to) -> {
        for (int i = from; i < to; i++) {
          ids[i] = generator.create().toLong();
        }
      };
    }, "runs ahead of the clock without bound; default node id random");
  }

  private static Library hypersistence() {
    return Library.snowflake(TSID.class, "TSID.Factory.generate().toLong()", 4096, YEAR_2020, () -> {
      TSID.Factory generator = TSID.Factory.newInstance1024(1);
      return (ids, from, to) -> {
        for (int i = from; i < to; i++) {
          ids[i] = generator.generate().toLong();
        }
      };
    }, "runs ahead of the clock without bound; default node id random");
  }

  /** Five values of the sequence are reserved. */
  private static Library yitter() {
    IdGeneratorOptions options = new IdGeneratorOptions((short) 1);
    options.WorkerIdBitLength = 10;
    options.SeqBitLength = 12;
    return Library.snowflake(DefaultIdGenerator.class, "DefaultIdGenerator.newLong()", 4091, options.BaseTime, () -> {
      DefaultIdGenerator generator = new DefaultIdGenerator(options);
      return (ids, from, to) -> {
        for (int i = from; i < to; i++) {
          ids[i] = generator.newLong();
        }
      };
    }, "runs up to 2000 ms ahead of the clock, then spins until it has come; one generator a process");
  }

  /** Its node id stands above the time. */
  private static Library seata() {
    long epochMs = 1588435200000L;
    return new Library(Library.nameOf(IdWorker.class), "IdWorker.nextId()", 4096,
        id -> ((id & (1L << 53) - 1) >>> 12) + epochMs, () -> {
          IdWorker generator = new IdWorker(1L);
          return (ids, from, to) -> {
            for (int i = from; i < to; i++) {
              ids[i] = generator.nextId();
            }
          };
        }, "time is a count of ids, which falls behind the clock without bound; not ordered across nodes; "
            + "default node id from MAC");
  }
}
