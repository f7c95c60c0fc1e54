package io.github.polyflake.internal;

import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

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
    return carryOut(link, maker.make(LeaseRunners.addressOf(link)));
  }

  /** Carries out tasks in their order, once all of them are made. Blocks: I/O. */
  public static <T extends NativeStoreSession> void carryOutAll(StoreLink link, List<Maker<T>> makers) {
    NativeStoreAddress address = LeaseRunners.addressOf(link);
    List<T> tasks = makers.stream().map(maker -> maker.make(address)).collect(Collectors.toList());
    tasks.forEach(task -> carryOut(link, task));
  }

  private static <T extends NativeStoreSession> T carryOut(StoreLink link, T task) {
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
