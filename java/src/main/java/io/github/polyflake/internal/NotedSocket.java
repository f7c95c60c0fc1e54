package io.github.polyflake.internal;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;

/** A socket that is closed if its opening is given up, and that takes no endless answer. */
public final class NotedSocket extends Socket {
  /** The most bytes between two requests, in one answer. A hundred records have some 60 000. */
  public static final int LONGEST = 4 << 20;

  private volatile int left = LONGEST;

  /**
   * Not connected.
   *
   * @throws InterruptedIOException if the opening was given up already
   */
  public NotedSocket() throws InterruptedIOException {
    Opening.note(this);
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new FilterInputStream(super.getInputStream()) {
      @Override
      public int read() throws IOException {
        int value = in.read();
        count(value < 0 ? 0 : 1);
        return value;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = in.read(bytes, offset, length);
        count(Math.max(count, 0));
        return count;
      }

      private void count(int taken) throws IOException {
        left -= taken; // one thread reads at a time
        if (left < 0) {
          close();
          throw new IOException("an endless answer");
        }
      }
    };
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new FilterOutputStream(super.getOutputStream()) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        left = LONGEST;
        out.write(bytes, offset, length);
      }
    };
  }
}
