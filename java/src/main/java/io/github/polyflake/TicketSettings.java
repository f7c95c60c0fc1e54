package io.github.polyflake;

import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeTicketServers;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.internal.StoreLink;
import io.github.polyflake.internal.TicketPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The settings of tickets. Values are checked when a source is opened. Not thread safe. */
final class TicketSettings {
  private final List<Object> servers = new ArrayList<>();
  private String table = "Tickets64";
  private long timeoutMs = 2000;

  /** Adds an address or a DataSource. */
  void store(Object server) {
    servers.add(Objects.requireNonNull(server, "server"));
  }

  void stores(List<?> all) {
    for (Object server : all) {
      if (server == null || !(server instanceof String || StoreAccess.isDataSource(server))) {
        throw PolyflakeException.refuse("option_invalid",
            "a ticket server is an address or a DataSource, not "
                + (server == null ? "null" : "a " + server.getClass().getSimpleName()));
      }
      servers.add(server);
    }
  }

  void table(String table) {
    this.table = Objects.requireNonNull(table, "table");
  }

  void timeoutMs(long timeoutMs) {
    this.timeoutMs = timeoutMs;
  }

  Tickets open() {
    NativeLibrary.require();
    List<StoreLink> links = new ArrayList<>();
    List<String> clients = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    for (Object server : servers) {
      StoreLink link = StoreAccess.ticketServer(server, links.size() + 1);
      links.add(link);
      clients.add(server instanceof String ? (String) server : TicketPool.nameOf(server));
      shown.add(link.shown());
    }
    NativeTicketServers opened = new NativeTicketServers(clients.toArray(new String[0]),
        shown.toArray(new String[0]), table, timeoutMs);
    return new Tickets(opened, TicketPool.join(clients, table, opened, links));
  }
}
