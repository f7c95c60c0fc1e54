package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A JVM of its own, for what cannot be tested inside the test's JVM. */
final class ChildJvm {
  /** Told rightly: other tests of this machine issue for the same small numbers at the same time. */
  private static final Pattern SAME_NUMBER = Pattern.compile(
      "^.* io\\.github\\.polyflake\\.internal\\.WarningLog say\\R.*another process of this host has opened.*\\R",
      Pattern.MULTILINE);

  /** It ends before its second compiler and the threads of a larger collector would make it fast. */
  private static final List<String> SOON_STARTED = Arrays.asList("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private final Process process;
  private final File outFile;
  private final File errFile;
  int exit;
  String out;
  String err;

  private ChildJvm(String classPath, Map<String, String> environment, String... command) throws IOException {
    Path folder = Files.createTempDirectory(Paths.get("target"), "child-");
    List<String> line = new ArrayList<>();
    // A trial of a release may run in an emulator, which starts no program for another processor.
    String here = Paths.get(System.getProperty("java.home"), "bin", "java").toString();
    line.addAll(Arrays.asList(System.getProperty("polyflake.java", here).split(" ")));
    line.add("-Xmx128m");
    line.addAll(SOON_STARTED);
    if (Double.parseDouble(System.getProperty("java.specification.version")) >= 22) {
      line.add("--enable-native-access=ALL-UNNAMED");
    }
    line.add("-cp");
    line.add(classPath);
    line.addAll(Arrays.asList(command));
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().put("POLYFLAKE_HOME", folder.toAbsolutePath().resolve("registry").toString());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    outFile = folder.resolve("out").toFile();
    errFile = folder.resolve("err").toFile();
    process = builder.redirectOutput(outFile).redirectError(errFile).start();
  }

  /** Starts the main class, given by name after any JVM options, on the class path of the tests. */
  static ChildJvm start(Map<String, String> environment, String... command) throws IOException {
    return new ChildJvm(System.getProperty("java.class.path"), environment, command);
  }

  /** The same with an empty host registry of its own, until its end. */
  static ChildJvm run(String... command) throws IOException, InterruptedException {
    return start(Collections.emptyMap(), command).finish();
  }

  static ChildJvm runWith(String classPath, String... command) throws IOException, InterruptedException {
    return new ChildJvm(classPath, Collections.emptyMap(), command).finish();
  }

  /** Waits for its end; then the fields say what it was. */
  ChildJvm finish() throws IOException, InterruptedException {
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "the child JVM hangs");
    } finally {
      process.destroyForcibly();
    }
    exit = process.exitValue();
    out = new String(Files.readAllBytes(outFile.toPath()), StandardCharsets.UTF_8);
    err = SAME_NUMBER.matcher(new String(Files.readAllBytes(errFile.toPath()), StandardCharsets.UTF_8)).replaceAll("");
    return this;
  }
}
