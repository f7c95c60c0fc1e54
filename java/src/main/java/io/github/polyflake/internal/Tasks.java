package io.github.polyflake.internal;

import java.util.concurrent.TimeoutException;

/** Tasks of operators. */
public final class Tasks {
  private static final long COMMAND_MS = 5000;
  private static final long LONGEST_MS = 60_000;

  private Tasks() {}

  /** Makes a task for an address. */
  public interface Maker<T extends NativeStoreSession> {
    T make(NativeStoreAddress address);
  }

  /** Returns a task after carrying it out; throws the error that ended it. Blocks: I/O. */
  public static <T extends NativeStoreSession> T carryOut(StoreLink link, Maker<T> maker) {
    T task = maker.make(LeaseRunners.addressOf(link));
    StoreSession session = new StoreSession(task, link, () -> COMMAND_MS, () -> true, () -> {});
    LeaseThreads.decide(session::advance);
    String how = "late";
    try {
      how = Waiting.of(session.ended(), LONGEST_MS);
    } catch (TimeoutException e) {
      LeaseThreads.decide(session::stop);
    }
    if (!how.equals("done")) {
      throw Refusal.of("store_unavailable", link.shown() + " cannot be reached");
    }
    return task;
  }
}
