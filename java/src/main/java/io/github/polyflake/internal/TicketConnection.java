package io.github.polyflake.internal;

import java.util.concurrent.CompletableFuture;

/** The conversation with one ticket server, over a new connection after a failure. */
final class TicketConnection {
  /** The limit that a driver keeps by itself, for connections that were given up. */
  private static final long DRIVER_MS = 10_000;

  private final NativeTicketSession session;
  private final StoreLink link;
  private StoreConnection connection;

  TicketConnection(NativeTicketSession session, StoreLink link) {
    this.session = session;
    this.link = link;
  }

  /** Carries out one command of the core. Called by one thread at a time. */
  void ask(long limitMs) {
    NativeStoreStep step = session.step();
    if (!step.getWhat().equals("command")) {
      return;
    }
    Carrier.Command command = Carrier.Command.of(step);
    CompletableFuture<String[][]> reply = new CompletableFuture<>();
    Carrier carrier = new Carrier(command, link, connection, session.setup(), DRIVER_MS, (its, rows, failure) -> {
      if (failure == null) {
        reply.complete(rows);
      } else {
        reply.completeExceptionally(failure);
      }
    });
    connection = null;
    try {
      LeaseThreads.carry(carrier);
      String[][] rows = Waiting.of(reply, limitMs);
      if (session.deliver(command.number, rows)) {
        connection = carrier.connection();
      } else {
        carrier.abandon(); // later replies on its connection answer other requests
      }
    } catch (Throwable e) { // of any client; the core decides
      carrier.abandon();
      StoreFailure said = StoreFailure.of(link, e);
      session.fail(command.number, said.code, said.words);
    }
  }

  void close() {
    StoreSession.close(connection);
    connection = null;
  }
}
