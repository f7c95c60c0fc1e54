package io.github.polyflake.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Properties;

/** The native files in the jar, and the folders to which they are extracted for loading. */
final class NativeFiles {
  static final String VERSION = version();
  static final String PLATFORM = os() + "/" + arch();

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
   * the jar has none.
   */
  static Path extracted(String file) throws IOException {
    try (InputStream in = NativeFiles.class.getResourceAsStream(resource(file))) {
      if (in == null) {
        return null;
      }
      Path copy = privateFolder().resolve(file);
      Files.copy(in, copy);
      copy.toFile().deleteOnExit();
      return copy;
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
    for (long name = System.nanoTime();; name++) {
      try {
        Path folder = Files.createDirectory(parent.resolve("polyflake-" + Long.toUnsignedString(name, 36)), mine);
        folder.toFile().deleteOnExit();
        return folder;
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

  private static String os() {
    String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      return "macos";
    }
    return name.startsWith("windows") ? "windows" : name.replace(' ', '_');
  }

  private static String arch() {
    String name = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    if (name.equals("amd64") || name.equals("x86-64")) {
      return "x86_64";
    }
    return name.equals("arm64") ? "aarch64" : name;
  }
}
