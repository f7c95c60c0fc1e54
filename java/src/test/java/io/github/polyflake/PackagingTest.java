package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PackagingTest {
  private static final Path CLASSES = classes();

  private static Path classes() {
    try {
      return Path.of(Polyflake.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void the_native_library_has_the_version_of_the_package() {
    assertEquals(System.getProperty("polyflake.version"), Polyflake.version());
  }

  @Test
  void the_module_exports_only_what_people_use_and_requires_nothing_at_run_time() {
    Set<ModuleReference> modules = ModuleFinder.of(CLASSES).findAll();
    ModuleDescriptor module = modules.iterator().next().descriptor();
    assertEquals("io.github.polyflake", module.name());
    assertEquals(Set.of("io.github.polyflake", "io.github.polyflake.stores"),
        module.exports().stream().map(e -> e.source()).collect(Collectors.toSet()));
    assertEquals(List.of("java.base"), module.requires().stream()
        .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC)).map(r -> r.name())
        .collect(Collectors.toList()));
  }

  @Test
  void every_class_but_the_module_runs_on_java_8() throws Exception {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      List<Path> classes = files.filter(f -> f.toString().endsWith(".class")).collect(Collectors.toList());
      assertTrue(classes.size() > 15);
      for (Path file : classes) {
        int expected = file.endsWith("module-info.class") ? 53 : 52;
        byte[] head = Files.readAllBytes(file);
        assertEquals(expected, (head[6] & 0xff) << 8 | head[7] & 0xff, file::toString);
      }
    }
  }

  @Test
  void no_class_has_a_finalizer_and_every_native_method_is_static_and_hidden() throws Exception {
    int natives = 0;
    try (Stream<Path> files = Files.walk(CLASSES.resolve("io"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).collect(Collectors.toList())) {
        String name = CLASSES.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
        Class<?> type = Class.forName(name, false, Polyflake.class.getClassLoader());
        for (Method method : type.getDeclaredMethods()) {
          assertFalse(method.getName().equals("finalize"), name);
          if (Modifier.isNative(method.getModifiers())) {
            natives++;
            boolean hidden = Modifier.isPrivate(method.getModifiers()) || !Modifier.isPublic(type.getModifiers());
            assertTrue(Modifier.isStatic(method.getModifiers()) && hidden, name);
          }
        }
      }
    }
    assertTrue(natives > 20);
  }

  @Test
  void the_presets_are_all_there_and_read_only() {
    assertEquals("polyflake", Polyflake.presets().get(0));
    for (String preset : Polyflake.presets()) {
      assertEquals(Layout.of(preset), Layout.of(Layout.of(preset).toString()));
      assertEquals(Layout.of(preset).hashCode(), Layout.of(Layout.of(preset).toString()).hashCode());
    }
    assertThrows(UnsupportedOperationException.class, () -> Polyflake.presets().set(0, "mine"));
  }
}
