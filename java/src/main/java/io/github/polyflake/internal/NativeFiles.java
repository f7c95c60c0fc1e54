package io.github.polyflake.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** The native files in the jar, and the folders to which they are extracted for loading. */
final class NativeFiles {
  static final String VERSION = version();
  static final String PLATFORM = platform(property("os.name"), property("os.arch"), Paths.get("/"));

  private static final String PREFIX = "polyflake-";
  /** A younger folder may be that of a process that starts. */
  private static final long STARTING_MS = 60_000;
  private static final Path OPEN_FILES = Paths.get("/proc/self/fd");

  private NativeFiles() {}

  /** Returns the name of a library's file in this version. */
  static String named(String library) {
    return System.mapLibraryName(library + "-" + VERSION);
  }

  static String resource(String file) {
    return "/io/github/polyflake/native/" + PLATFORM + "/" + file;
  }

  /**
   * Returns a copy of the resource of that file, in a folder that no other user can enter; null if
   * the jar has none. The caller removes it.
   */
  static Path extracted(String file) throws IOException {
    try (InputStream in = NativeFiles.class.getResourceAsStream(resource(file))) {
      if (in == null) {
        return null;
      }
      Path copy = privateFolder().resolve(file);
      Files.copy(in, copy);
      return copy.toRealPath();
    }
  }

  /**
   * Removes a file and its private folder, at the latest when the JVM ends. Windows removes no
   * library that is loaded: there the next start does.
   */
  static void remove(Path file) {
    for (Path each : new Path[] {file, file.getParent()}) {
      try {
        Files.deleteIfExists(each);
      } catch (IOException | RuntimeException e) {
        removeAtExit(file);
        return;
      }
    }
  }

  /** Removes a file and its private folder when the JVM ends. */
  static void removeAtExit(Path file) {
    file.getParent().toFile().deleteOnExit();
    file.toFile().deleteOnExit(); // before its folder
  }

  /**
   * Returns the paths in /proc of the open files of this process that were opened by that path,
   * also if it was removed; none if the system has no such paths.
   */
  static List<Path> openedBy(String path) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(OPEN_FILES)) {
      for (Path one : all) {
        String target = targetOf(one);
        if (target.equals(path) || target.equals(path + " (deleted)")) {
          found.add(one);
        }
      }
    } catch (IOException | RuntimeException e) {
      return Collections.emptyList();
    }
    return found;
  }

  private static String targetOf(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException | RuntimeException e) {
      return ""; // closed meanwhile
    }
  }

  /**
   * Removes the folders that were made before that time, unless the system refuses it since a
   * process has the library loaded, as Windows does.
   */
  static void removeLeftovers(Path parent, long before) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : all) {
        if (Files.getLastModifiedTime(folder).toMillis() < before) {
          removeLeftover(folder);
        }
      }
    } catch (IOException | RuntimeException e) {
      // A later start may succeed.
    }
  }

  private static void removeLeftover(Path folder) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*polyflake-*")) {
      for (Path file : files) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException | RuntimeException e) {
      // A process has it loaded.
    }
  }

  /**
   * Returns a new folder that no other user can enter, so its contents need no unpredictable names.
   * Nor does the folder: one that exists is never taken. It is not made by
   * Files.createTempDirectory(), whose random numbers take longer than all of the loading.
   */
  static Path privateFolder() throws IOException {
    FileAttribute<?>[] mine = FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))}
        : new FileAttribute<?>[0];
    Path parent = Paths.get(System.getProperty("java.io.tmpdir"));
    if (PLATFORM.startsWith("windows")) {
      removeLeftovers(parent, System.currentTimeMillis() - STARTING_MS);
    }
    for (long name = System.nanoTime();; name++) {
      try {
        return Files.createDirectory(parent.resolve(PREFIX + Long.toUnsignedString(name, 36)), mine);
      } catch (FileAlreadyExistsException taken) {
        // another process has it: the next number
      }
    }
  }

  private static String version() {
    Properties properties = new Properties();
    try (InputStream in = NativeFiles.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      return "unknown";
    }
    return properties.getProperty("version", "unknown");
  }

  private static String property(String name) {
    return System.getProperty(name, "").toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the folder of a platform's natives.
   *
   * @param root the root of the file system, on Linux
   */
  static String platform(String os, String arch, Path root) {
    String architecture = architecture(arch);
    String folder = os.replace(' ', '_');
    if (os.startsWith("mac")) {
      folder = "macos";
    } else if (os.startsWith("windows")) {
      folder = "windows";
    } else if (os.equals("linux") && hasMusl(root, architecture)) {
      folder = "linux-musl";
    }
    return folder + "/" + architecture;
  }

  /**
   * Alpine and others have musl for a C library: a library for glibc must not be tried there. Its
   * loader is then mapped. The maps take long to read, so they are only read if the loader exists.
   */
  private static boolean hasMusl(Path root, String architecture) {
    String loader = "/ld-musl-" + architecture + ".so.1";
    try {
      return Files.exists(root.resolve("lib" + loader))
          && new String(Files.readAllBytes(root.resolve("proc/self/maps")), StandardCharsets.ISO_8859_1)
              .contains(loader);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static String architecture(String arch) {
    if (arch.equals("amd64") || arch.equals("x86-64")) {
      return "x86_64";
    }
    return arch.equals("arm64") ? "aarch64" : arch;
  }
}
