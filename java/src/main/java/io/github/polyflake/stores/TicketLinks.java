package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.StoreAccess;
import io.github.polyflake.internal.StoreLink;

/** The links to ticket servers. */
final class TicketLinks implements StoreAccess.TicketLinks {
  @Override
  public boolean isDataSource(Object server) {
    return Stores.JDBC && SqlLink.isSource(server);
  }

  @Override
  public StoreLink of(Object server, int number) {
    if (server instanceof String) {
      NativeStoreAddress address = NativeStoreAddress.parseTicketServer((String) server);
      Stores.requireJdbc();
      return SqlLink.ofTicketServer(address);
    }
    return SqlLink.ofTicketServer(server, new NativeStoreAddress("mysql", number + " of the list"));
  }
}
