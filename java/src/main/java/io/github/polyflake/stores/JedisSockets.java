package io.github.polyflake.stores;

import io.github.polyflake.internal.NotedSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Sockets for Jedis, as it makes them itself, but such that can be closed while it opens them. */
final class JedisSockets implements JedisSocketFactory {
  private final HostAndPort host;
  private final JedisClientConfig config;

  JedisSockets(HostAndPort host, JedisClientConfig config) {
    this.host = host;
    this.config = config;
  }

  @Override
  public Socket createSocket() {
    IOException failed = null;
    try {
      for (InetAddress address : InetAddress.getAllByName(host.getHost())) {
        try {
          return connected(address);
        } catch (IOException e) {
          failed = e;
        }
      }
    } catch (IOException e) {
      failed = e; // no such host
    }
    throw new JedisConnectionException(failed);
  }

  private Socket connected(InetAddress address) throws IOException {
    Socket socket = new NotedSocket();
    try {
      socket.setKeepAlive(true);
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(address, host.getPort()), config.getConnectionTimeoutMillis());
      socket.setSoTimeout(config.getSocketTimeoutMillis());
      return config.isSsl() ? secured(socket) : socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private Socket secured(Socket plain) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket socket = (SSLSocket) factory.createSocket(plain, host.getHost(), host.getPort(), true);
    socket.setSSLParameters(config.getSslParameters());
    return socket;
  }
}
