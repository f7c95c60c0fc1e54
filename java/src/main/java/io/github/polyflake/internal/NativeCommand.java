package io.github.polyflake.internal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The command line, cli/command.hpp, in a native library of its own: programs that only issue ids
 * do not load it. For one thread; what it holds is freed with the process.
 */
public final class NativeCommand {
  private static final String FILE = NativeFiles.named("polyflake-command");

  static {
    load();
  }

  private final long handle;

  /** Not run yet. */
  public NativeCommand(String[] arguments) {
    byte[][] bytes = new byte[arguments.length][];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = typed(arguments[i]);
    }
    handle = open(bytes);
  }

  /**
   * The bytes of an argument as they were before Java decoded them by the locale: the command
   * refuses what is not UTF-8. An argument that could not be decoded is passed on with its U+FFFD,
   * which the command refuses, too.
   */
  private static byte[] typed(String argument) {
    String encoding = argument.indexOf('\ufffd') >= 0 ? "UTF-8" : System.getProperty("sun.jnu.encoding", "UTF-8");
    boolean onWindows = File.separatorChar == '\\'; // its own form is UTF-16
    return argument.getBytes(onWindows ? StandardCharsets.UTF_8 : Charset.forName(encoding));
  }

  /**
   * Returns the operation, store, layout and arguments of the next request; null once the command
   * has ended.
   */
  public String[] step() {
    return step(handle);
  }

  /** Reports the result of the last request. */
  public void deliver(String[][] rows) {
    deliver(handle, rows);
  }

  /** Reports the failure of the last request; the code is empty if it is not Polyflake's. */
  public void fail(String code, String message) {
    fail(handle, code, message.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the exit code, once the command has ended. */
  public int exitCode() {
    return exitCode(handle);
  }

  private static void load() {
    Path file;
    try {
      file = NativeFiles.extracted(FILE);
    } catch (IOException e) {
      throw new UnsatisfiedLinkError(
          NativeFiles.resource(FILE) + " cannot be extracted below java.io.tmpdir (" + e + ")");
    }
    if (file == null) {
      throw new UnsatisfiedLinkError("this jar has no " + NativeFiles.resource(FILE));
    }
    try {
      System.load(file.toString());
    } finally {
      NativeFiles.remove(file);
    }
  }

  private static native long open(byte[][] arguments);

  private static native String[] step(long handle);

  private static native void deliver(long handle, String[][] rows);

  private static native void fail(long handle, String code, byte[] message);

  private static native int exitCode(long handle);
}
