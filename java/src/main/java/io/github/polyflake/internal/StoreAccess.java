package io.github.polyflake.internal;

import io.github.polyflake.stores.Store;
import java.util.function.Function;

/** The way from a store that people hold to its link, which is no part of what they see. */
public final class StoreAccess {
  private static volatile Function<Store, StoreLink> links;

  private StoreAccess() {}

  /** Called once, by the class of stores. */
  public static void open(Function<Store, StoreLink> access) {
    links = access;
  }

  /** Returns the link of a store. */
  public static StoreLink linkOf(Store store) {
    return links.apply(store);
  }
}
