package io.github.polyflake.stores;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Lines to tests/servers/control.py, and its answers. */
public final class Control {
  private Control() {}

  /** Returns a port that no other test takes. */
  public static int freePort() throws IOException {
    return Integer.parseInt(ask("port"));
  }

  static String ask(String line) throws IOException {
    return ask(RealStores.address("control"), line);
  }

  /** Returns the answer to a line; at the address {@code host:port}. */
  public static String ask(String address, String line) throws IOException {
    int colon = address.lastIndexOf(':');
    try (Socket socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))) {
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
