package io.github.polyflake.internal;

import java.util.concurrent.TimeoutException;

/** Tasks of operators. */
public final class Tasks {
  private static final long COMMAND_MS = 5000;
  private static final long LONGEST_MS = 60_000;

  private Tasks() {}

  /** What makes a task for an address. */
  public interface Maker {
    NativeTask make(NativeStoreAddress address);
  }

  /** Carries a task out to its end, or throws what ended it. Blocks: I/O. */
  public static NativeTask carryOut(StoreLink link, Maker maker) {
    NativeTask task = maker.make(Keepers.addressOf(link));
    Talk talk = new Talk(task, link, () -> COMMAND_MS, () -> {});
    LeaseThreads.decide(talk::advance);
    String how = "late";
    try {
      how = Waiting.of(talk.ended(), LONGEST_MS);
    } catch (TimeoutException e) {
      LeaseThreads.decide(talk::stop);
    }
    if (!how.equals("done")) {
      throw Refusal.of("store_unavailable", link.shown() + " cannot be reached");
    }
    return task;
  }
}
