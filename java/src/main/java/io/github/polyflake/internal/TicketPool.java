package io.github.polyflake.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections to the ticket servers of one list and table: one for each server, which one call
 * uses at a time. The core decides which server a call asks, with which statements, and whether its
 * answer is believed.
 */
public final class TicketPool {
  private static final ReentrantLock LOCK = new ReentrantLock(); // monitors pin virtual threads
  private static final Map<List<String>, TicketPool> POOLS = new HashMap<>();
  /** The names of clients of users: sources with equal clients share what is known of servers. */
  private static final Map<Object, String> NAMES = new WeakHashMap<>();

  /** For loading the classes of a driver. A call leaves half of its time for another server. */
  private static final long LOADING_MS = 10_000;
  private static volatile boolean loaded;

  private final List<String> key;
  private final List<TicketConnection> connections = new ArrayList<>();
  private final Condition turn = LOCK.newCondition();
  private int users;
  private int calls;

  private TicketPool(List<String> key, NativeTicketServers servers, List<StoreLink> links) {
    this.key = key;
    for (int i = 0; i < links.size(); i++) {
      connections.add(new TicketConnection(servers.session(i + 1, ""), links.get(i)));
    }
  }

  /**
   * Returns how much longer than usual a call may take, since no driver has given a number before.
   */
  public static long loadingMs() {
    return loaded ? 0 : LOADING_MS;
  }

  /** Returns the name of a client of a user. */
  public static String nameOf(Object client) {
    LOCK.lock();
    try {
      return NAMES.computeIfAbsent(client, one -> Facade.newTicketClient());
    } finally {
      LOCK.unlock();
    }
  }

  /** Returns the pool for one more source of these clients and this table. */
  public static TicketPool join(List<String> clients, String table, NativeTicketServers servers,
      List<StoreLink> links) {
    List<String> key = new ArrayList<>(clients);
    key.add(table);
    LOCK.lock();
    try {
      TicketPool pool = POOLS.computeIfAbsent(key, its -> new TicketPool(its, servers, links));
      pool.users++;
      return pool;
    } finally {
      LOCK.unlock();
    }
  }

  /** Removes one source. The last one closes the connections that no call uses. */
  public void leave() {
    LOCK.lock();
    try {
      if (--users == 0) {
        POOLS.remove(key);
      }
      closeIfLeft();
    } finally {
      LOCK.unlock();
    }
  }

  private void closeIfLeft() {
    if (users == 0 && calls == 0) {
      connections.forEach(TicketConnection::close);
    }
  }

  /** Carries on a call until there is a number. Cannot be interrupted; keeps interrupt status. */
  public long nextId(NativeTicketCall call) {
    boolean interrupted = false;
    begin();
    try {
      while (true) {
        NativeTicketStep step = call.step();
        switch (step.getWhat()) {
          case "number":
            loaded = true;
            return step.getNumber();
          case "ask":
            connections.get((int) step.getServer() - 1).ask(step.getLimitMs());
            break;
          default:
            interrupted |= waitForTurn(step.getLimitMs());
        }
      }
    } finally {
      call.end();
      finish();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void begin() {
    LOCK.lock();
    calls++;
    LOCK.unlock();
  }

  private void finish() {
    LOCK.lock();
    try {
      calls--;
      turn.signalAll();
      closeIfLeft();
    } finally {
      LOCK.unlock();
    }
  }

  /** Returns true if the thread was interrupted meanwhile. */
  private boolean waitForTurn(long limitMs) {
    LOCK.lock();
    try {
      turn.await(limitMs, TimeUnit.MILLISECONDS);
      return false;
    } catch (InterruptedException e) {
      return true;
    } finally {
      LOCK.unlock();
    }
  }
}
