package io.github.polyflake.stores;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A proxy before one of the servers of tests/servers/run, with the faults that tests/servers/proxy.py lists. */
final class FaultyProxy {
  /** The server behind the proxy. */
  final URI url;

  FaultyProxy(String server) throws IOException {
    url = URI.create(ask("proxy " + server));
  }

  /** In force when this returns: {@code "drop replies"}, {@code "swap"}; {@code "pass"} ends all of them. */
  void fault(String fault) throws IOException {
    ask("fault " + url + " " + fault);
  }

  private static String ask(String line) throws IOException {
    String[] address = RealStores.address("control").split(":");
    try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
      socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      String answer =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)).readLine();
      if (!answer.startsWith("ok")) {
        throw new AssertionError(line + ": " + answer);
      }
      return answer.substring(2).trim();
    }
  }
}
