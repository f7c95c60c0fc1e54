package io.github.polyflake.stores;

import org.apache.curator.framework.CuratorFramework;

/**
 * Leases in ZooKeeper 3.5 or later, over Curator ({@code org.apache.curator:curator-framework}).
 */
public final class ZooKeeperStore extends Store {
  /**
   * A store over a client of yours, which stays yours to close.
   *
   * @param client started; its namespace counts, its retries are not used
   * @param options the namespace and what is wanted of it
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}
   */
  public ZooKeeperStore(CuratorFramework client, Options options) {
    this(new ZooKeeperLink(options.addressOf("zookeeper", "zookeeper"), ZooKeeperLink.source(client)));
  }

  ZooKeeperStore(Link link) {
    super(link);
  }
}
