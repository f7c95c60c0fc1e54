package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.StoreLink;

/** The common part of the links of most stores: an address that is known from the beginning. */
abstract class Link implements StoreLink {
  private final NativeStoreAddress address;

  Link(NativeStoreAddress address) {
    this.address = address;
  }

  @Override
  public NativeStoreAddress address() {
    return address;
  }

  @Override
  public String shown() {
    return address.shown();
  }

  @Override
  public String codeOf(Throwable failure) {
    return "";
  }
}
