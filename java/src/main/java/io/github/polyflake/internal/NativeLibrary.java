package io.github.polyflake.internal;

import io.github.polyflake.PolyflakeException;
import java.io.File;
import java.io.IOException;
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
 *   <li>the copy in the jar, extracted to a private temporary folder;
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
  private static final String FILE = NativeFiles.named("polyflake-jni");
  /** Null when the library is loaded. */
  private static final String FAILURE = new NativeLibrary().load();

  private final List<String> tried = new ArrayList<>();

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
      if (loaded != null) {
        done = shareLoaded(Paths.get(loaded));
      } else if (property != null) {
        done = load(Paths.get(property).toAbsolutePath(), "-D" + PROPERTY + "=" + property);
      } else {
        done = loadResource() || loadFromPath();
      }
      return done ? null : failure();
    }
  }

  /**
   * The JVM loads one path for one class loader only, the operating system maps one file only once:
   * a hard link is another path to the same file.
   */
  private boolean shareLoaded(Path loaded) {
    String what = "the library another class loader of this JVM has loaded, " + loaded;
    try {
      Path link = NativeFiles.privateFolder().resolve(FILE);
      Files.createLink(link, loaded);
      link.toFile().deleteOnExit();
      return load(link, what);
    } catch (IOException | RuntimeException e) {
      tried.add(what + ": no hard link to it can be made (" + e + "); put Polyflake where both class loaders see it");
      return false;
    }
  }

  private boolean loadResource() {
    String what = "the resource " + NativeFiles.resource(FILE);
    try {
      Path file = NativeFiles.extracted(FILE);
      if (file == null) {
        tried.add(what + ": not in this jar");
        return false;
      }
      return load(file, what + " extracted to " + file + " (-Djava.io.tmpdir moves it)");
    } catch (IOException | RuntimeException e) {
      tried.add(what + ": cannot be extracted below java.io.tmpdir (" + e + ")");
      return false;
    }
  }

  private boolean loadFromPath() {
    for (String folder : System.getProperty("java.library.path", "").split(File.pathSeparator)) {
      if (!folder.isEmpty() && load(Paths.get(folder, FILE).toAbsolutePath(), "java.library.path, " + folder)) {
        return true;
      }
    }
    return false;
  }

  private boolean load(Path file, String what) {
    if (!Files.isRegularFile(file)) {
      tried.add(what + ": no file " + file);
      return false;
    }
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError | RuntimeException e) {
      tried.add(what + ": " + e.getMessage());
      return false;
    }
    System.setProperty(LOADED, file.toString());
    return true;
  }

  private String failure() {
    StringBuilder text =
        new StringBuilder("Polyflake ").append(NativeFiles.VERSION).append(" has no native library for ");
    text.append(NativeFiles.PLATFORM).append(" (").append(System.getProperty("os.name")).append(", ");
    text.append(System.getProperty("os.arch")).append("); tried:");
    for (String attempt : tried) {
      text.append("\n  - ").append(attempt);
    }
    text.append("\nName a library built for this machine with -D").append(PROPERTY).append("=<file>.");
    return text.toString();
  }
}
