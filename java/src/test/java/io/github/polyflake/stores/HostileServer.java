package io.github.polyflake.stores;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A server that treats each connection in one hostile way, and knows how many its clients keep. */
final class HostileServer implements AutoCloseable {
  /** The name of the threads of all such servers. */
  static final String THREADS = "hostile-server";

  /** The treatment of a connection. */
  interface Treatment {
    void of(InputStream in, Sink out) throws IOException;
  }

  /** Counts what clients were sent. */
  final class Sink {
    private final OutputStream out;

    Sink(OutputStream out) {
      this.out = out;
    }

    void send(byte[] bytes) throws IOException {
      out.write(bytes);
      sent.addAndGet(bytes.length);
    }
  }

  final AtomicInteger accepted = new AtomicInteger();
  final AtomicInteger connections = new AtomicInteger();
  final AtomicLong sent = new AtomicLong();
  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Treatment treatment;

  HostileServer(Treatment treatment) throws IOException {
    this.treatment = treatment;
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, THREADS);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = listener.accept();
        accepted.incrementAndGet();
        connections.incrementAndGet();
        start(() -> treat(connection));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void treat(Socket connection) {
    try (Socket open = connection) {
      open.setTcpNoDelay(true);
      open.setSendBufferSize(1 << 16);
      treatment.of(open.getInputStream(), new Sink(open.getOutputStream()));
    } catch (IOException e) {
      // The client has closed it.
    } finally {
      connections.decrementAndGet();
    }
  }

  /** Connections that are left go on until their clients end. */
  @Override
  public void close() throws IOException {
    listener.close();
  }
}
