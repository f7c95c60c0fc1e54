package io.github.polyflake.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes {@link NotedSocket}s. JDBC drivers make it, by its name. */
public final class NotedSocketFactory extends SocketFactory {
  /** Called by drivers. */
  public NotedSocketFactory() {}

  @Override
  public Socket createSocket() throws IOException {
    return new NotedSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
  }

  private static Socket connected(InetSocketAddress to, InetSocketAddress from) throws IOException {
    Socket socket = new NotedSocket();
    try {
      socket.bind(from);
      socket.connect(to);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }
}
