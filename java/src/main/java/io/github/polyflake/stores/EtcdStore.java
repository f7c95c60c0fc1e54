package io.github.polyflake.stores;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.common.exception.EtcdException;
import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.Refusal;
import io.github.polyflake.internal.StoreConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Leases in etcd 3.4 or later, over jetcd ({@code io.etcd:jetcd-core}). */
public final class EtcdStore extends Store {
  private static final int PORT = 2379;

  /**
   * Makes a store over your client, which you close yourself.
   *
   * @param client a client, whose namespace is used; if built with {@code waitForReady(false)}, it
   *     reports at once that no server can be reached
   * @param options the namespace and its options
   * @throws io.github.polyflake.BadArgumentException {@code option_invalid}
   */
  public EtcdStore(Client client, Options options) {
    super(linkOf(options.addressOf("etcd", "etcd"), () -> source(client)));
  }

  EtcdStore(NativeStoreAddress address) {
    super(linkOf(address, () -> source(address)));
  }

  private static SourceLink linkOf(NativeStoreAddress address, Supplier<SourceLink.Source> source) {
    return new SourceLink(address, ClientLibrary.JETCD, ClientLibrary.JETCD.with(source), EtcdStore::codeOf);
  }

  /** Returns the name of the code of gRPC. */
  private static String codeOf(Throwable failure) {
    for (Throwable one = failure; one != null; one = one.getCause()) {
      if (one instanceof EtcdException) {
        return ((EtcdException) one).getErrorCode().name();
      }
    }
    return "";
  }

  private static SourceLink.Source source(Client client) {
    Stores.readClients();
    return timeoutMs -> new Session(client, false);
  }

  private static SourceLink.Source source(NativeStoreAddress address) {
    Authority url = new Authority(address.client());
    if (!url.parameters.isEmpty()) {
      throw Refusal.of("option_invalid", "files of TLS are for Python: give a Client that has them");
    }
    boolean secure = url.scheme.equals("etcds");
    String[] endpoints = url.hosts.stream().map(host -> {
      String name = Authority.nameOf(host);
      return (secure ? "https://" : "http://") + (name.indexOf(':') < 0 ? name : "[" + name + "]") + ":"
          + Authority.portOf(host, PORT);
    }).toArray(String[]::new);
    return timeoutMs -> {
      ClientBuilder client = Client.builder().endpoints(endpoints).connectTimeout(Duration.ofMillis(timeoutMs))
          .retryMaxAttempts(0).waitForReady(false);
      if (secure) {
        client.sslContext(context -> {}); // verifies the host by the certificates of the JVM
      }
      if (url.user != null) {
        client.user(bytes(url.user)).password(bytes(url.password == null ? "" : url.password));
      }
      return new Session(client.build(), true);
    };
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  private static final class Session implements StoreConnection {
    private final Client client;
    private final boolean ours;
    private volatile CompletableFuture<?> underWay;
    private volatile boolean isClosed;

    Session(Client client, boolean ours) {
      this.client = client;
      this.ours = ours;
    }

    /** The first command starts the threads of jetcd, even if the client was closed meanwhile. */
    @Override
    public String[][] run(String name, String[][] parts, long timeoutMs) throws Exception {
      try {
        return answered(parts, timeoutMs);
      } finally {
        if (isClosed) {
          close();
        }
      }
    }

    private String[][] answered(String[][] parts, long timeoutMs) throws Exception {
      List<Cmp> compares = new ArrayList<>();
      List<Op> puts = new ArrayList<>();
      List<Op> gets = new ArrayList<>();
      for (String[] part : parts) {
        switch (part[0]) {
          case "compare":
            compares.add(new Cmp(bytes(part[1]), Cmp.Op.EQUAL, target(part[2], part[3])));
            break;
          case "put":
            puts.add(Op.put(bytes(part[1]), bytes(part[2]), PutOption.DEFAULT));
            break;
          case "get":
            gets.add(Op.get(bytes(part[1]), GetOption.DEFAULT));
            break;
          case "keys":
            gets.add(Op.get(bytes(part[1]), GetOption.builder().withRange(bytes(part[2])).withKeysOnly(true).build()));
            break;
          default:
            throw new IllegalArgumentException(part[0]);
        }
      }
      puts.addAll(gets);
      CompletableFuture<TxnResponse> reply = client.getKVClient().txn().If(compares.toArray(new Cmp[0]))
          .Then(puts.toArray(new Op[0])).Else(gets.toArray(new Op[0])).commit();
      underWay = reply;
      if (isClosed) {
        reply.cancel(true);
      }
      try {
        return rowsOf(reply.get(timeoutMs, TimeUnit.MILLISECONDS), parts);
      } finally {
        reply.cancel(true);
      }
    }

    private static CmpTarget<?> target(String what, String operand) {
      switch (what) {
        case "create":
          return CmpTarget.createRevision(Long.parseLong(operand));
        case "value":
          return CmpTarget.value(bytes(operand));
        default:
          throw new IllegalArgumentException(what);
      }
    }

    private static String[][] rowsOf(TxnResponse reply, String[][] parts) {
      String[] asked =
          Arrays.stream(parts).map(part -> part[0]).filter(what -> what.equals("get") || what.equals("keys"))
              .toArray(String[]::new);
      List<String[]> rows = new ArrayList<>();
      rows.add(new String[] {reply.isSucceeded() ? "ok" : "refused",
        Long.toUnsignedString(reply.getHeader().getClusterId()), Long.toString(reply.getHeader().getRevision())});
      for (GetResponse got : reply.getGetResponses()) {
        if (asked[rows.size() - 1].equals("keys")) {
          rows.add(
              got.getKvs().stream().map(kv -> kv.getKey().toString(StandardCharsets.UTF_8)).toArray(String[]::new));
        } else if (got.getKvs().isEmpty()) {
          rows.add(new String[0]);
        } else {
          KeyValue found = got.getKvs().get(0);
          rows.add(new String[] {found.getValue().toString(StandardCharsets.UTF_8),
            Long.toString(found.getCreateRevision())});
        }
      }
      return rows.toArray(new String[0][]);
    }

    @Override
    public void close() {
      isClosed = true;
      CompletableFuture<?> last = underWay;
      if (last != null) {
        last.cancel(true);
      }
      if (ours) {
        client.close();
      }
    }
  }
}
