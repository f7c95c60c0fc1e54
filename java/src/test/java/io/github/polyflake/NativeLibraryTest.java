package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  private static final String LIBRARY =
      System.mapLibraryName("polyflake-jni-" + System.getProperty("polyflake.version"));

  @TempDir
  Path folder;

  /** Issues two ids, or prints the error of each of two attempts. */
  static final class Issue {
    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        try {
          System.out.println(Generator.builder().worker(1).build().nextId());
        } catch (UnsatisfiedLinkError e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }

  /** The class path of the tests, with a copy of the package that has no native library instead of the package. */
  private String withoutResource() throws IOException {
    String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
    for (int i = 0; i < path.length; i++) {
      Path from = Path.of(path[i]);
      if (from.endsWith("classes") && Files.exists(from.resolve("io/github/polyflake/native"))) {
        Path to = folder.resolve("classes");
        copy(from, to);
        path[i] = to.toString();
      }
    }
    return String.join(File.pathSeparator, path);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
        if (!file.toString().contains("/native/")) {
          Files.createDirectories(to.resolve(from.relativize(file)).getParent());
          Files.copy(file, to.resolve(from.relativize(file)));
        }
      }
    }
  }

  private static Path built() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(System.getProperty("polyflake.native"), "resources"))) {
      return files.filter(file -> file.endsWith(LIBRARY)).findFirst().get().toAbsolutePath();
    }
  }

  private static void assertIssues(ChildJvm child) {
    assertEquals("", child.err);
    assertTrue(child.out.matches("\\d{15,}\n\\d{15,}\n"), child.out);
  }

  @Test
  void the_copy_of_the_library_is_gone_once_it_is_loaded_also_if_the_jvm_is_killed() throws Exception {
    ChildJvm child = ChildJvm.run("-Djava.io.tmpdir=" + folder, Killed.class.getName());
    assertEquals("", child.err);
    assertEquals("[]\n", child.out);
  }

  static final class Killed {
    public static void main(String[] args) throws IOException {
      Generator.builder().worker(1).build().nextId();
      try (Stream<Path> left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
        System.out.println(left.collect(Collectors.toList()));
      }
      Runtime.getRuntime().halt(0); // nothing that is done at exit is done
    }
  }

  @Test
  void a_named_file_is_loaded() throws Exception {
    assertIssues(
        ChildJvm.runWith(withoutResource(), "-Dio.github.polyflake.library=" + built(), Issue.class.getName()));
  }

  @Test
  void a_library_on_the_library_path_is_loaded() throws Exception {
    assertIssues(ChildJvm.runWith(withoutResource(), "-Djava.library.path=/nowhere:" + built().getParent(),
        Issue.class.getName()));
  }

  @Test
  void a_named_file_that_is_missing_is_never_replaced_by_another() throws Exception {
    ChildJvm child = ChildJvm.run("-Dio.github.polyflake.library=/nowhere/lib.so", Issue.class.getName());
    assertTrue(child.out.contains("-Dio.github.polyflake.library=/nowhere/lib.so: no file /nowhere/lib.so"), child.out);
    assertEquals("", child.err);
  }

  @Test
  void an_error_lists_all_that_was_tried_with_its_reason_each_time() throws Exception {
    Path broken = Files.createDirectory(folder.resolve("broken"));
    Files.write(broken.resolve(LIBRARY), new byte[] {1, 2, 3});
    ChildJvm child =
        ChildJvm.runWith(withoutResource(), "-Djava.library.path=/nowhere:" + broken, Issue.class.getName());
    String[] lines = child.out.split("\n");
    assertEquals(10, lines.length, child.out);
    assertEquals(Arrays.asList(lines).subList(0, 5), Arrays.asList(lines).subList(5, 10));
    assertTrue(lines[0].contains(broken.toString()) && lines[0].contains("file too short"), lines[0]);
    assertTrue(lines[0].contains(System.getProperty("polyflake.version")), lines[0]);
    assertTrue(lines[1].contains("/io/github/polyflake/native/") && lines[1].contains("not in this jar"), lines[1]);
    assertTrue(lines[2].contains("/nowhere: no file /nowhere/" + LIBRARY), lines[2]);
    assertTrue(lines[3].contains(broken + ": ") && lines[3].contains("file too short"), lines[3]);
    assertTrue(lines[4].contains("-Dio.github.polyflake.library="), lines[4]);
  }

  @Test
  void the_true_reason_comes_first() throws Exception {
    String beginning = "Polyflake " + System.getProperty("polyflake.version") + " cannot load its native library: ";
    for (String[] each : new String[][] {
      {"cannot be extracted below java.io.tmpdir (java.nio.file.NoSuchFileException: /nowhere/",
        "-Djava.io.tmpdir=/nowhere"},
      {"there is no file /nowhere/lib.so", "-Dio.github.polyflake.library=/nowhere/lib.so"}}) {
      ChildJvm child = ChildJvm.run(each[1], "-Djava.library.path=/nowhere", Issue.class.getName());
      assertTrue(child.out.startsWith(beginning + each[0]), child.out);
    }
    ChildJvm child = ChildJvm.runWith(withoutResource(), "-Djava.library.path=/nowhere", Issue.class.getName());
    assertTrue(child.out.startsWith(beginning + "this jar has none for "), child.out);
  }

  @Test
  void an_unusable_temporary_folder_is_named() throws Exception {
    ChildJvm child = ChildJvm.run("-Djava.io.tmpdir=/nowhere", "-Djava.library.path=", Issue.class.getName());
    assertTrue(child.out.contains("cannot be extracted below java.io.tmpdir"), child.out);
    assertTrue(child.out.contains("/nowhere"), child.out);
  }

  @Test
  void two_class_loaders_of_one_jvm_share_the_state_of_a_node_id() throws Exception {
    ChildJvm child = ChildJvm.run(TwoLoaders.class.getName());
    assertEquals("", child.err);
    assertEquals("increasing\n", child.out);
  }

  static final class TwoLoaders {
    public static void main(String[] args) throws Exception {
      List<URL> path =
          Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).map(TwoLoaders::url)
              .collect(Collectors.toList());
      AutoCloseable[] generators = new AutoCloseable[3];
      Class<?>[] classes = new Class<?>[3];
      for (int i = 0; i < generators.length; i++) {
        ClassLoader loader = new URLClassLoader(path.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
        classes[i] = loader.loadClass("io.github.polyflake.Generator");
        Class<?> builder = loader.loadClass("io.github.polyflake.Generator$Builder");
        Object made = classes[i].getMethod("builder").invoke(null);
        builder.getMethod("worker", long.class).invoke(made, 1L);
        generators[i] = (AutoCloseable) builder.getMethod("build").invoke(made);
      }
      assertNotSame(classes[0], classes[1]);
      long last = -1;
      for (int i = 0; i < 30_000; i++) {
        int turn = i % generators.length;
        long id = (long) classes[turn].getMethod("nextId").invoke(generators[turn]);
        if (last >= id) {
          System.out.println("not increasing");
          return;
        }
        last = id;
      }
      System.out.println("increasing");
    }

    private static URL url(String path) {
      try {
        return new File(path).toURI().toURL();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** A copy of the package that says it is of another version, its native library with it. */
  private Path anotherVersion() throws Exception {
    Path classes = Path.of(Polyflake.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path copy = folder.resolve("another");
    copy(classes, copy);
    Files.writeString(copy.resolve("io/github/polyflake/internal/version.properties"), "version=another\n");
    Path library =
        copy.resolve(Path.of(System.getProperty("polyflake.native"), "resources").toAbsolutePath().relativize(built()));
    Files.createDirectories(library.getParent());
    Files.copy(built(), library.resolveSibling(System.mapLibraryName("polyflake-jni-another")));
    return copy;
  }

  @Test
  void a_number_that_a_jar_of_another_version_issues_for_is_refused() throws Exception {
    ChildJvm child = ChildJvm.run(TwoVersions.class.getName(), anotherVersion().toString());
    assertEquals("", child.err);
    assertEquals("two copies, worker_in_use, true\n", child.out);
  }

  static final class TwoVersions {
    public static void main(String[] args) throws Exception {
      Generator first = Generator.builder().worker(1).build();
      Set<Long> ids = new HashSet<>();
      for (long id : first.nextIds(20_000)) {
        ids.add(id);
      }
      URL[] path = {Path.of(args[0]).toUri().toURL()};
      ClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader());
      System.out.print(librariesLoaded(loader) + ", ");
      Class<?> type = loader.loadClass("io.github.polyflake.Generator");
      Object builder = type.getMethod("builder").invoke(null);
      builder.getClass().getMethod("worker", long.class).invoke(builder, 1L);
      try {
        Object second = builder.getClass().getMethod("build").invoke(builder);
        int equal = 0;
        for (int i = 0; i < 40; i++) {
          for (long id : first.nextIds(500)) {
            ids.add(id);
          }
          for (long id : (long[]) type.getMethod("nextIds", int.class).invoke(second, 500)) {
            equal += ids.add(id) ? 0 : 1;
          }
        }
        System.out.println(equal + " of 20000 ids equal");
      } catch (InvocationTargetException e) {
        Throwable refusal = e.getCause();
        System.out.print(refusal.getClass().getMethod("code").invoke(refusal));
        System.out.println(", " + (first.nextId() > 0 && Generator.builder().worker(1).build().nextId() > 0));
      }
    }

    /** Of the two, as the operating system has them mapped. */
    private static String librariesLoaded(ClassLoader second) throws Exception {
      second.loadClass("io.github.polyflake.Polyflake").getMethod("version").invoke(null);
      try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
        long files = mapped.filter(line -> line.contains("polyflake-jni")).map(line -> line.replaceAll(".* /", "/"))
            .distinct().count();
        return files == 2 ? "two copies" : files + " copies";
      }
    }
  }

  @Test
  void nothing_is_printed() throws Exception {
    ChildJvm child = ChildJvm.run("-Xcheck:jni", Silent.class.getName());
    assertEquals("", child.out);
    assertEquals("", child.err);
    assertEquals(0, child.exit);
  }

  static final class Silent {
    public static void main(String[] args) throws Exception {
      Polyflake.decode(Polyflake.nextId());
      Polyflake.presets();
      try {
        Layout.of("nope\u00e9");
      } catch (PolyflakeException expected) {
        expected.getMessage();
      }
      Generator generator = Generator.builder().worker(1).build();
      generator.fill(new long[20_000]);
      generator.stats();
      Layout.of("twitter").encodeTick(1, 2, Map.of("worker", 3));
      generator.close();
      try {
        generator.nextId();
      } catch (StateException expected) {
        expected.getMessage();
      }
    }
  }

  @Test
  void a_jvm_ends_though_threads_issue() throws Exception {
    ChildJvm child = ChildJvm.run(Daemons.class.getName());
    long ended = System.currentTimeMillis();
    assertEquals(0, child.exit, child.err);
    assertEquals("", child.err);
    assertFalse(child.out.isEmpty());
    long took = ended - Long.parseLong(child.out.trim());
    assertTrue(took < Patience.SOON_MS, took + " ms from the end of main to the end of the process");
  }

  static final class Daemons {
    public static void main(String[] args) throws Exception {
      Polyflake.nextId();
      Generator generator = Generator.builder().worker(1).build();
      for (int i = 0; i < 4; i++) {
        int turn = i;
        Thread thread = new Thread(() -> {
          while (true) {
            if (turn % 2 == 0) {
              generator.nextId();
            } else {
              Polyflake.nextId();
            }
          }
        });
        thread.setDaemon(true);
        thread.start();
      }
      generator.nextIds(100_000);
      System.out.println(System.currentTimeMillis());
    }
  }
}
