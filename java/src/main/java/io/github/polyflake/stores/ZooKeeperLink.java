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
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Leases in ZooKeeper, over its own handle: Curator's operations repeat themselves. */
final class ZooKeeperLink extends Link {
  private static final int SESSION_MS = 10_000;
  private static final String[][] NO_ROWS = {};

  /** Where sessions come from. */
  interface Source {
    Session connect(long timeoutMs) throws Exception;
  }

  private final Source source;

  ZooKeeperLink(NativeStoreAddress address, Source source) {
    super(address);
    this.source = source;
  }

  static Source source(CuratorFramework client) {
    ClientClasses.read();
    String namespace = client.getNamespace();
    String root = namespace == null || namespace.isEmpty() ? "" : "/" + namespace;
    return timeoutMs -> new Session(client.getZookeeperClient().getZooKeeper(), root, false);
  }

  static ZooKeeperLink of(NativeStoreAddress address) {
    Authority url = new Authority(address.client());
    String servers = String.join(",", url.hosts) + (url.path.isEmpty() ? "" : "/" + url.path);
    return new ZooKeeperLink(address, timeoutMs -> {
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
    });
  }

  /** Which can be ended without a word to its server. */
  @SuppressWarnings("try") // its close() may be interrupted
  private static final class Handle extends ZooKeeper {
    Handle(String servers) throws IOException {
      super(servers, SESSION_MS, event -> {});
    }

    /** Closing waits for an answer, which a server that does not answer is given 10 s for. */
    void end() {
      cnxn.disconnect();
    }
  }

  /** Each server once; but of a name with several addresses the handle takes any at each time. */
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

  /** Returns once a server answers, or throws after so many attempts: by itself the handle would go on for ever. */
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

  @Override
  public StoreConnection connect(String[] setup, long timeoutMs) throws Exception {
    return source.connect(timeoutMs);
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
