package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.stores.Control;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Servers that one test alone has, set up in its own way: they end with it. */
public final class OwnServers implements AutoCloseable {
  final Path folder;
  private final List<Process> children = new ArrayList<>();

  public OwnServers(Path folder) {
    this.folder = folder;
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void start(int port, List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    children.add(builder.redirectOutput(folder.resolve(port + ".log").toFile()).start());
    Patience.eventually(() -> answers(port));
  }

  /** Starts one with these words, such as {@code "--appendonly", "no"}; returns its port. */
  int startRedis(String... words) throws Exception {
    int port = Control.freePort();
    startRedisAt(port, Arrays.asList("--port", Integer.toString(port)), words);
    return port;
  }

  void startRedisAt(int port, List<String> first, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("redis-server"));
    command.addAll(first);
    command.addAll(List.of("--dir", folder.toString(), "--save", ""));
    command.addAll(List.of(words));
    start(port, command);
  }

  /** Of the server that was started last. */
  long pid() {
    return children.get(children.size() - 1).pid();
  }

  /** A sentinel of its own for the primary at this port, which it knows as {@code main}; returns its port. */
  int startSentinel(int primary, String password) throws Exception {
    Path file = folder.resolve("sentinel.conf");
    Files.write(file, List.of("sentinel monitor main 127.0.0.1 " + primary + " 1",
        "sentinel down-after-milliseconds main 500", "sentinel failover-timeout main 3000",
        "sentinel auth-pass main " + password));
    int port = Control.freePort();
    startRedisAt(port, List.of(file.toString(), "--sentinel", "--port", Integer.toString(port)));
    return port;
  }

  /** Starts an etcd that asks for the password of {@code root}; returns its port. */
  public int startEtcd(String password) throws Exception {
    int port = Control.freePort();
    String url = "http://127.0.0.1:" + port;
    String peer = "http://127.0.0.1:" + Control.freePort();
    start(port, List.of("etcd", "--name=one", "--data-dir=" + folder.resolve("etcd"), "--listen-client-urls=" + url,
        "--advertise-client-urls=" + url, "--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=one=" + peer));
    Patience.eventually(() -> tell(url, "user/add", "{\"name\":\"root\",\"password\":\"" + password + "\"}"));
    assertTrue(tell(url, "role/add", "{\"name\":\"root\"}"));
    assertTrue(tell(url, "user/grant", "{\"user\":\"root\",\"role\":\"root\"}"));
    assertTrue(tell(url, "enable", "{}"));
    return port;
  }

  private static boolean tell(String etcd, String what, String body) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(etcd + "/v3/auth/" + what))
        .POST(HttpRequest.BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
  }

  /** An authority that nobody knows in ca.crt and trust.p12, and what it has signed: server.crt and server.key. */
  void makeCertificates(String host) throws Exception {
    String[] newKey = {"-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"};
    run(words(newKey, "openssl", "req", "-x509"), "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=a CA of tests");
    run(words(newKey, "openssl", "req"), "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server");
    Files.write(folder.resolve("server.ext"), List.of("subjectAltName=" + host));
    run(List.of("openssl", "x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial"),
        "-days", "2", "-extfile", "server.ext", "-out", "server.crt");
    run(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-importcert", "-noprompt"),
        "-file", "ca.crt", "-keystore", "trust.p12", "-storepass", "changeit", "-alias", "ca");
  }

  private static List<String> words(String[] last, String... first) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(last));
    return all;
  }

  private void run(List<String> command, String... words) throws Exception {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(words));
    Process process = new ProcessBuilder(all).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(folder.resolve("commands.log").toFile()).start();
    if (process.waitFor() != 0) {
      throw new AssertionError(String.join("\n", Files.readAllLines(folder.resolve("commands.log"))));
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (Process child : children) {
      child.destroyForcibly().waitFor();
    }
  }
}
