package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.Opening;
import io.github.polyflake.internal.StoreConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Leases in ZooKeeper 3.5 or later, over Curator ({@code org.apache.curator:curator-framework}).
 */
public final class ZooKeeperStore extends Store {
  private static final int SESSION_MS = 10_000;
  private static final String[][] NO_ROWS = {};

  /**
   * Makes a store over your client, which you close yourself.
   *
   * @param client a started client; its namespace is used, its retries are not
   * @param options the namespace and its options
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}
   */
  public ZooKeeperStore(CuratorFramework client, Options options) {
    super(linkOf(options.addressOf("zookeeper", "zookeeper"), () -> source(client)));
  }

  ZooKeeperStore(NativeStoreAddress address) {
    super(linkOf(address, () -> source(address)));
  }

  private static SourceLink linkOf(NativeStoreAddress address, Supplier<SourceLink.Source> source) {
    return new SourceLink(address, ClientLibrary.CURATOR, ClientLibrary.CURATOR.with(source), ZooKeeperStore::codeOf);
  }

  /** Returns the number of the error in ZooKeeper's protocol. */
  private static String codeOf(Throwable failure) {
    return failure instanceof KeeperException ? String.valueOf(((KeeperException) failure).code().intValue()) : "";
  }

  private static SourceLink.Source source(CuratorFramework client) {
    Stores.readClients();
    String namespace = client.getNamespace();
    String root = namespace == null || namespace.isEmpty() ? "" : "/" + namespace;
    return timeoutMs -> new Session(client.getZookeeperClient().getZooKeeper(), root, false);
  }

  private static SourceLink.Source source(NativeStoreAddress address) {
    Authority url = new Authority(address.client());
    String servers = String.join(",", url.hosts) + (url.path.isEmpty() ? "" : "/" + url.path);
    return timeoutMs -> {
      Handle handle = new Handle(servers);
      try {
        Opening.note(handle::end);
        if (url.user != null) {
          String credentials = url.user + ":" + (url.password == null ? "" : url.password);
          handle.addAuthInfo("digest", credentials.getBytes(StandardCharsets.UTF_8));
        }
        awaitAnswer(handle, attemptsFor(url.hosts), timeoutMs);
      } catch (Exception e) {
        handle.end();
        throw e;
      }
      return new Session(handle, "", true);
    };
  }

  /** A handle that can be ended without a message to its server. */
  @SuppressWarnings("try") // its close() may be interrupted
  private static final class Handle extends ZooKeeper {
    Handle(String servers) throws IOException {
      super(servers, SESSION_MS, event -> {});
    }

    /** Ends the handle at once; close() would wait up to 10 s for an answer of the server. */
    void end() {
      cnxn.disconnect();
    }
  }

  /**
   * Returns the number of attempts: one for each server, but more if a name has several addresses,
   * as the handle then takes any of them each time.
   */
  private static int attemptsFor(List<String> hosts) {
    int addresses = 0;
    for (String host : hosts) {
      try {
        addresses += InetAddress.getAllByName(Authority.nameOf(host)).length;
      } catch (UnknownHostException e) {
        addresses++;
      }
    }
    return addresses == hosts.size() ? addresses : 4 * addresses;
  }

  /**
   * Blocks until a server answers; throws after this many attempts. By itself the handle would try
   * for ever.
   */
  private static void awaitAnswer(ZooKeeper handle, int attempts, long timeoutMs) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    Code code = Code.CONNECTIONLOSS;
    for (int i = 0; i < attempts && code == Code.CONNECTIONLOSS; i++) {
      CompletableFuture<Integer> reply = new CompletableFuture<>();
      handle.exists("/", false, (number, path, context, stat) -> reply.complete(number), null);
      code = Code.get(reply.get(endNs - System.nanoTime(), TimeUnit.NANOSECONDS));
    }
    if (code != Code.OK && code != Code.NONODE) {
      throw KeeperException.create(code);
    }
  }

  private static final class Session implements StoreConnection {
    private final ZooKeeper handle;
    private final String root;
    private final boolean ours;

    Session(ZooKeeper handle, String root, boolean ours) {
      this.handle = handle;
      this.root = root;
      this.ours = ours;
    }

    @Override
    public String[][] run(String name, String[][] parts, long timeoutMs) throws Exception {
      switch (name) {
        case "get":
          return get(parts);
        case "children":
          return children(parts);
        case "multi":
          return multi(parts);
        case "ensure":
          ensure(parts);
          return NO_ROWS;
        default:
          throw new IllegalArgumentException(name);
      }
    }

    private String[][] get(String[][] paths) throws KeeperException, InterruptedException {
      String[][] rows = new String[paths.length][];
      for (int i = 0; i < rows.length; i++) {
        Stat stat = new Stat();
        try {
          byte[] data = handle.getData(root + paths[i][0], false, stat);
          rows[i] = new String[] {data == null ? "" : new String(data, StandardCharsets.UTF_8),
            Integer.toString(stat.getVersion()), Long.toString(stat.getMtime()),
            Integer.toString(stat.getNumChildren())};
        } catch (KeeperException.NoNodeException e) {
          rows[i] = new String[0];
        }
      }
      return rows;
    }

    private String[][] children(String[][] paths) throws KeeperException, InterruptedException {
      String[][] rows = new String[paths.length][];
      for (int i = 0; i < rows.length; i++) {
        try {
          rows[i] = handle.getChildren(root + paths[i][0], false).toArray(new String[0]);
        } catch (KeeperException.NoNodeException e) {
          rows[i] = new String[0];
        }
      }
      return rows;
    }

    private String[][] multi(String[][] parts) throws KeeperException, InterruptedException {
      List<Op> all = new ArrayList<>();
      for (String[] part : parts) {
        all.add(op(part));
      }
      try {
        handle.multi(all);
      } catch (KeeperException.NoNodeException | KeeperException.NodeExistsException
          | KeeperException.BadVersionException | KeeperException.NotEmptyException e) {
        return new String[][] {{"refused"}};
      }
      return new String[][] {{"ok"}};
    }

    private Op op(String[] part) {
      String path = root + part[1];
      switch (part[0]) {
        case "check":
          return Op.check(path, Integer.parseInt(part[2]));
        case "set":
          return Op.setData(path, bytesOf(part[3]), Integer.parseInt(part[2]));
        case "create":
          return Op.create(path, bytesOf(part[2]), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        case "delete":
          return Op.delete(path, Integer.parseInt(part[2]));
        default:
          throw new IllegalArgumentException(part[0]);
      }
    }

    private void ensure(String[][] paths) throws KeeperException, InterruptedException {
      for (String[] path : paths) {
        String whole = root + path[0];
        for (int end = whole.indexOf('/', 1); end != 0; end = end < 0 ? 0 : whole.indexOf('/', end + 1)) {
          try {
            handle.create(end < 0 ? whole : whole.substring(0, end), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT);
          } catch (KeeperException.NodeExistsException e) {
            // as wanted
          }
        }
      }
    }

    private static byte[] bytesOf(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      if (!ours) {
        return;
      }
      try {
        handle.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
