package io.github.polyflake.stores;

import io.etcd.jetcd.Client;

/** Leases in etcd 3.4 or later, over jetcd ({@code io.etcd:jetcd-core}). */
public final class EtcdStore extends Store {
  /**
   * A store over a client of yours, which stays yours to close.
   *
   * @param client its namespace counts; built with {@code waitForReady(false)} it says at once that no server is there
   * @param options the namespace and what is wanted of it
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}
   */
  public EtcdStore(Client client, Options options) {
    this(new EtcdLink(options.addressOf("etcd", "etcd"), EtcdLink.source(client)));
  }

  EtcdStore(Link link) {
    super(link);
  }
}
