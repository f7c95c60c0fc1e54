package io.github.polyflake;

import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * The settings of a source of the numbers of ticket servers: {@link Kinds#ticket()}. Values are
 * checked by {@link #build()} unless noted. Not thread safe; may be used for several sources.
 *
 * <p>Ticket servers are MySQL or MariaDB tables that already hand out numbers, as at Flickr: server
 * k of m gives the numbers that are k modulo m, so every program must list the same servers in the
 * same order. Each number is one statement on a connection of this source alone, and each answer is
 * verified. Numbers are not in order. For new systems {@link Kinds#segment()} is the better choice.
 *
 * <p>{@link LongSource#nextId()} asks the server that was used least recently. If a server fails,
 * the same call asks another one, and the server is left out for 1, 2, 4 ... 30 s. A server with a
 * wrong answer is never asked again. It throws {@link LeaseException}: {@code store_unavailable}
 * (no server gave a number in time), {@code store_misconfigured} (a server gave a number of another
 * server), {@code store_went_back} (a server gave a number that is not above its former ones).
 * {@link LongSource#tryNextId()} is always empty, as it does no I/O. The wait of a call cannot be
 * interrupted: a thread that is interrupted meanwhile gets its number and keeps its status.
 *
 * <p>Sources of one process with the same servers and table share one connection for each server,
 * which one call uses at a time; others take another server or wait for their turn.
 */
public final class TicketBuilder {
  private final TicketSettings settings = new TicketSettings();

  TicketBuilder() {}

  /**
   * Adds a server by its address.
   *
   * @param url such as {@code "mysql://user:password@host:3306/db"}
   * @return this
   */
  public TicketBuilder store(String url) {
    settings.store(url);
    return this;
  }

  /**
   * Adds a server over your {@code DataSource}, one of whose connections the source keeps.
   *
   * @param source the source of connections; pass the same object for sources that are to share
   * @return this
   */
  public TicketBuilder store(DataSource source) {
    settings.store(source);
    return this;
  }

  /**
   * Adds servers.
   *
   * @param servers each the address of a server or a {@code DataSource}
   * @return this
   * @throws BadArgumentException {@code option_invalid} at once, for another object
   */
  public TicketBuilder stores(List<?> servers) {
    settings.stores(servers);
    return this;
  }

  /**
   * Sets the table; {@code Tickets64} if not called.
   *
   * @param table {@code "table"} or {@code "database.table"}
   * @return this
   */
  public TicketBuilder table(String table) {
    settings.table(table);
    return this;
  }

  /**
   * Sets the longest time that one call may wait for the servers; 2 s if not called. Calls before
   * the first number of the program may take 10 s more, as they load the classes of a driver.
   *
   * @param timeout in whole milliseconds, rounded down
   * @return this
   * @throws BadArgumentException {@code option_invalid} at once, beyond 64 bits of milliseconds
   */
  public TicketBuilder timeout(Duration timeout) {
    settings.timeoutMs(Settings.toMs("timeout", timeout));
    return this;
  }

  /**
   * Opens a source. Does no I/O: the first call for a number connects.
   *
   * @return a source
   * @throws BadArgumentException {@code option_invalid}, {@code worker_source_invalid} (the address
   *     of a server, or its driver is not on the class path)
   */
  public LongSource build() {
    return settings.open();
  }
}
