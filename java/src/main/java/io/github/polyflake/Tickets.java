package io.github.polyflake;

import io.github.polyflake.internal.NativeTicketServers;
import io.github.polyflake.internal.TicketPool;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/** The numbers of ticket servers. Thread safe. */
final class Tickets implements LongSource {
  private final NativeTicketServers servers;
  private final TicketPool pool;
  private final AtomicBoolean left = new AtomicBoolean();

  Tickets(NativeTicketServers servers, TicketPool pool) {
    this.servers = servers;
    this.pool = pool;
  }

  @Override
  public String kind() {
    return Kinds.TICKET;
  }

  @Override
  public long nextId() {
    return pool.nextId(servers.call(TicketPool.loadingMs()));
  }

  @Override
  public String nextIdString() {
    return Long.toString(nextId());
  }

  /** Never does I/O, so there is never a number at once. */
  @Override
  public OptionalLong tryNextId() {
    refuseClosed();
    return OptionalLong.empty();
  }

  @Override
  public long[] nextIds(int count) {
    long[] numbers = new long[Integers.count(count)];
    fill(numbers);
    return numbers;
  }

  @Override
  public void fill(long[] numbers) {
    refuseClosed(); // a closed source refuses no numbers, too
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = nextId();
    }
  }

  private void refuseClosed() {
    servers.call(0).end();
  }

  @Override
  public Stats stats() {
    return new Stats(servers.stats(), 0, null);
  }

  @Override
  public void close() {
    servers.close();
    if (left.compareAndSet(false, true)) {
      pool.leave();
    }
  }

  @Override
  public boolean isClosed() {
    return servers.closed();
  }

  @Override
  public String toString() {
    return "Tickets(" + (isClosed() ? "closed" : "open") + ")";
  }
}
