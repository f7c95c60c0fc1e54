package io.github.polyflake.internal;

import io.github.polyflake.PolyflakeException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds and loads the native library, once for each class loader, in this order:
 *
 * <ol>
 *   <li>the library that another class loader of this JVM has loaded: it contains the table of node
 *       ids in use, and two copies of that table would issue the same ids twice;
 *   <li>the file that the system property {@value #PROPERTY} names, and then nothing else;
 *   <li>the copy in the jar, extracted to a private temporary folder, which is removed at once if
 *       the system allows;
 *   <li>the folders of {@code java.library.path}.
 * </ol>
 *
 * <p>A failure is an {@link UnsatisfiedLinkError} that lists each attempt with its reason, or says
 * that nothing can be done since a build tool has renamed these classes.
 */
public final class NativeLibrary {
  static final String PROPERTY = "io.github.polyflake.library";
  /**
   * The package whose classes the native library looks for. In pieces: tools that rename packages
   * rename texts, too.
   */
  static final String PACKAGE = String.join(".", Arrays.asList("io", "github", "polyflake"));
  private static final String LOADED = "io.github.polyflake.loaded." + NativeFiles.VERSION;
  /** Before the path in the property {@link #LOADED}, if only open files lead to the library. */
  private static final String REMOVED = "removed ";
  private static final String FILE = NativeFiles.named("polyflake-jni");
  /** Null when the library is loaded. */
  private static final String FAILURE = new NativeLibrary().load();

  /** The library, if its file was removed: its open files are how other class loaders reach it. */
  private static InputStream open;

  private final List<String> tried = new ArrayList<>();
  /** The complaint that tells people most; later ones are only about other files. */
  private String reason;

  private NativeLibrary() {}

  /**
   * Returns when the library is loaded.
   *
   * @throws UnsatisfiedLinkError if it is not, with the same message at each call
   */
  public static void require() {
    if (FAILURE != null) {
      throw new UnsatisfiedLinkError(FAILURE);
    }
  }

  private String load() {
    String renamed = renamed(NativeLibrary.class, PACKAGE + ".internal");
    if (renamed == null) {
      renamed = renamed(PolyflakeException.class, PACKAGE);
    }
    return renamed != null ? renamed : find();
  }

  /** Returns the complaint about a class that is no longer in its package; null if it is. */
  private static String renamed(Class<?> type, String home) {
    String name = type.getName();
    return name.equals(home + "." + type.getSimpleName()) ? null
        : "Polyflake cannot run as " + name + ": its native library looks for its classes in " + PACKAGE
            + ". A build tool has renamed them; exclude " + PACKAGE + ".** from relocation (<exclude> in the"
            + " <relocation> of maven-shade-plugin, exclude(...) in relocate(...) of Gradle's Shadow).";
  }

  private String find() {
    // The one object that all class loaders share.
    synchronized (System.getProperties()) {
      String loaded = System.getProperty(LOADED);
      String property = System.getProperty(PROPERTY);
      boolean done;
      if (loaded != null && !isCollected(loaded)) {
        done = shareLoaded(loaded);
      } else if (property != null) {
        done = loadFirst(Paths.get(property).toAbsolutePath(), "-D" + PROPERTY + "=" + property);
      } else {
        done = loadResource() || loadFromPath();
      }
      return done ? null : failure();
    }
  }

  /** Returns true if the class loaders that had the library are collected, and its files closed. */
  private static boolean isCollected(String loaded) {
    return loaded.startsWith(REMOVED) && NativeFiles.openedBy(loaded.substring(REMOVED.length())).isEmpty();
  }

  /**
   * The JVM loads one path for one class loader only, the operating system maps one file only once:
   * a hard link is another path to the same file, and so is an open file of this process.
   */
  private boolean shareLoaded(String loaded) {
    String what = "the library another class loader of this JVM has loaded, " + loaded;
    try {
      return loaded.startsWith(REMOVED) ? loadOpened(loaded.substring(REMOVED.length()), what)
          : loadLinked(Paths.get(loaded), what);
    } catch (IOException | RuntimeException e) {
      complain(what, "no other path to it can be made (" + e + "); put Polyflake where both class loaders see it");
      return false;
    }
  }

  private boolean loadLinked(Path loaded, String what) throws IOException {
    Path link = NativeFiles.privateFolder().resolve(FILE);
    try {
      Files.createLink(link, loaded);
      return load(link, what);
    } finally {
      NativeFiles.remove(link);
    }
  }

  private boolean loadOpened(String loaded, String what) throws IOException {
    List<Path> others = NativeFiles.openedBy(loaded);
    open = Files.newInputStream(others.get(0));
    List<Path> all = new ArrayList<>(NativeFiles.openedBy(loaded));
    all.removeAll(others);
    for (Path path : all) {
      if (load(path, what)) {
        return true;
      }
    }
    open.close();
    return false;
  }

  private boolean loadResource() {
    String what = "the resource " + NativeFiles.resource(FILE);
    try {
      Path file = NativeFiles.extracted(FILE);
      if (file == null) {
        tried.add(what + ": not in this jar");
        return false;
      }
      return loadExtracted(file, what + " extracted to " + file + " (-Djava.io.tmpdir moves it)");
    } catch (IOException | RuntimeException e) {
      complain(what, "cannot be extracted below java.io.tmpdir (" + e + ")");
      return false;
    }
  }

  /** Removes the file at once if other class loaders can reach the library without it. */
  private boolean loadExtracted(Path file, String what) throws IOException {
    InputStream opened = Files.newInputStream(file);
    if (loadFirst(file, what) && !NativeFiles.openedBy(file.toString()).isEmpty()) {
      open = opened;
      System.setProperty(LOADED, REMOVED + file);
      NativeFiles.remove(file);
      return true;
    }
    opened.close();
    boolean done = file.toString().equals(System.getProperty(LOADED));
    if (done) {
      NativeFiles.removeAtExit(file);
    } else {
      NativeFiles.remove(file);
    }
    return done;
  }

  private boolean loadFromPath() {
    for (String folder : System.getProperty("java.library.path", "").split(File.pathSeparator)) {
      if (!folder.isEmpty() && loadFirst(Paths.get(folder, FILE).toAbsolutePath(), "java.library.path, " + folder)) {
        return true;
      }
    }
    return false;
  }

  private boolean loadFirst(Path file, String what) {
    if (!load(file, what)) {
      return false;
    }
    System.setProperty(LOADED, file.toString());
    return true;
  }

  private boolean load(Path file, String what) {
    if (!Files.isRegularFile(file)) {
      tried.add(what + ": no file " + file);
      return false;
    }
    try {
      System.load(file.toString());
      return true;
    } catch (UnsatisfiedLinkError | RuntimeException e) {
      complain(what, e.getMessage() + adviceOn(String.valueOf(e.getMessage())));
      return false;
    }
  }

  /** Returns advice on a failure of the system's loader; "" if there is none. */
  static String adviceOn(String message) {
    if (message.contains("failed to map segment")) {
      return "; is the file system mounted noexec? -Djava.io.tmpdir=<folder> names another";
    }
    return message.contains("wrong ELF class") || message.contains("Exec format")
        ? "; it is for another machine than this JVM is" : "";
  }

  private void complain(String what, String complaint) {
    tried.add(what + ": " + complaint);
    if (reason == null) {
      reason = complaint;
    }
  }

  private String failure() {
    String named = System.getProperty(PROPERTY);
    StringBuilder text =
        new StringBuilder("Polyflake ").append(NativeFiles.VERSION).append(" cannot load its native library: ");
    text.append(reason != null ? reason : named != null ? "there is no file " + named : "this jar has none for");
    if (reason == null && named == null) {
      text.append(' ').append(NativeFiles.PLATFORM);
    }
    text.append(". Tried on ").append(NativeFiles.PLATFORM).append(" (").append(System.getProperty("os.name"));
    text.append(", ").append(System.getProperty("os.arch")).append("):");
    for (String attempt : tried) {
      text.append("\n  - ").append(attempt);
    }
    text.append("\nName a library built for this machine with -D").append(PROPERTY);
    text.append("=<file>, or see docs/native-library.md.");
    return text.toString();
  }
}
