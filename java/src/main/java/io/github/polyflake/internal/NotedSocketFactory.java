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
    return createSocket(InetAddress.getByName(host), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket(host, port, null, 0);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
    return createSocket(InetAddress.getByName(host), port, from, fromPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
    Socket socket = new NotedSocket();
    try {
      socket.bind(new InetSocketAddress(from, fromPort)); // null and 0: any
      socket.connect(new InetSocketAddress(host, port));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }
}
