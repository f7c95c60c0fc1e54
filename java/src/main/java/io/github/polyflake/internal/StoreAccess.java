package io.github.polyflake.internal;

import io.github.polyflake.stores.Store;
import java.util.Objects;
import java.util.function.Function;

/** The way from a store that people hold to its link, which is no part of what they see. */
public final class StoreAccess {
  private static volatile Function<Store, StoreLink> links;
  private static volatile TicketLinks ticketLinks;

  /** Makes links to ticket servers. */
  public interface TicketLinks {
    /** Returns true for a DataSource, which a program without the module java.sql has none of. */
    boolean isDataSource(Object server);

    /** Returns the link to a server, the address or DataSource; number: its place in the list. */
    StoreLink of(Object server, int number);
  }

  private StoreAccess() {}

  /** Called once, by the class of stores. */
  public static void open(Function<Store, StoreLink> access) {
    links = access;
  }

  /** Called once, by the class of stores. */
  public static void openTickets(TicketLinks access) {
    ticketLinks = access;
  }

  /** As {@link TicketLinks#isDataSource}. */
  public static boolean isDataSource(Object server) {
    return ticketLinks().isDataSource(server);
  }

  /**
   * As {@link TicketLinks#of}.
   *
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid},
   *     {@code worker_source_invalid}
   */
  public static StoreLink ticketServer(Object server, int number) {
    return ticketLinks().of(server, number);
  }

  private static TicketLinks ticketLinks() {
    if (ticketLinks == null) {
      Store.options("any"); // initialises the class that gives them
    }
    return ticketLinks;
  }

  /** Returns the link of a store. */
  public static StoreLink linkOf(Store store) {
    return links.apply(Objects.requireNonNull(store, "store"));
  }
}
