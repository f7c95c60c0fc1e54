package io.github.polyflake.internal;

import java.util.concurrent.Future;

/** One command on its way to a store and back, on a thread of its own. */
final class Carrier implements Runnable {
  /** Takes the result of a command, on the thread that carried it. */
  interface Outcome {
    void of(Carrier carrier, String[][] rows, Throwable failure);
  }

  /** A command for a store. */
  static final class Command {
    final long number;
    final String name;
    final String[][] parts;

    Command(long number, String name, String[][] parts) {
      this.number = number;
      this.name = name;
      this.parts = parts;
    }

    static Command of(NativeStoreStep step) {
      String[][] parts = new String[(int) step.partCount()][];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = step.part(i);
      }
      return new Command(step.getNumber(), step.getName(), parts);
    }
  }

  final Command command;
  /** Ends it when its time is over. */
  Future<?> limit;

  private final StoreLink link;
  private final String[] setup;
  private final long timeoutMs;
  private final Outcome outcome;
  private final Opening opening = new Opening();
  private StoreConnection connection;
  private boolean abandoned;

  Carrier(Command command, StoreLink link, StoreConnection connection, String[] setup, long timeoutMs,
      Outcome outcome) {
    this.command = command;
    this.link = link;
    this.connection = connection;
    this.setup = setup;
    this.timeoutMs = timeoutMs;
    this.outcome = outcome;
  }

  @Override
  public void run() {
    String[][] rows = null;
    Throwable failure = null;
    try {
      rows = opening.during(() -> connected().run(command.name, command.parts, timeoutMs));
    } catch (Throwable e) { // of any client, also a missing class; the core decides
      failure = e;
    }
    outcome.of(this, rows, failure);
  }

  private StoreConnection connected() throws Exception {
    StoreConnection present = connection();
    if (present != null) {
      return present;
    }
    StoreConnection made = link.connect(setup, timeoutMs);
    synchronized (this) {
      if (!abandoned) {
        connection = made;
        return made;
      }
    }
    made.close();
    throw new InterruptedException("abandoned");
  }

  synchronized StoreConnection connection() {
    return connection;
  }

  /**
   * Gives it up: its connection, or what it is about to open, is closed by a thread that may wait
   * for that.
   */
  void abandon() {
    StoreConnection left;
    synchronized (this) {
      abandoned = true;
      left = connection;
      connection = null;
    }
    StoreSession.end(opening::giveUp);
    StoreSession.close(left);
  }
}
