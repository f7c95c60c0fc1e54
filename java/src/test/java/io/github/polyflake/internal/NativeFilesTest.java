package io.github.polyflake.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeFilesTest {
  @TempDir
  Path folder;

  @Test
  void the_natives_of_a_process_are_those_for_its_c_library() throws Exception {
    assertEquals("linux/x86_64", NativeFiles.platform("linux", "amd64", folder));
    Files.createFile(Files.createDirectories(folder.resolve("lib")).resolve("ld-musl-x86_64.so.1"));
    assertEquals("linux/x86_64", NativeFiles.platform("linux", "amd64", folder)); // no /proc
    Path maps = Files.createDirectories(folder.resolve("proc/self")).resolve("maps");
    String line = "7f00-7f01 r-xp 00000000 08:01 42 /lib";
    Files.writeString(maps, line + "64/ld-linux-x86-64.so.2\n");
    assertEquals("linux/x86_64", NativeFiles.platform("linux", "amd64", folder)); // musl is only installed
    Files.writeString(maps, line + "/ld-musl-x86_64.so.1\n");
    assertEquals("linux-musl/x86_64", NativeFiles.platform("linux", "amd64", folder));
    assertEquals("linux/riscv64", NativeFiles.platform("linux", "riscv64", folder));
    assertEquals("macos/aarch64", NativeFiles.platform("mac os x", "arm64", folder));
    assertEquals("windows/x86_64", NativeFiles.platform("windows 11", "amd64", folder));
  }

  @Test
  void no_other_user_enters_a_private_folder() throws Exception {
    Path made = NativeFiles.privateFolder();
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
    NativeFiles.remove(made.resolve("library"));
    assertFalse(Files.exists(made));
  }

  @Test
  void a_removed_file_is_found_by_its_path_while_it_is_open() throws Exception {
    Path file = Files.writeString(folder.toRealPath().resolve("library"), "x");
    assertEquals(List.of(), NativeFiles.openedBy(file.toString()));
    try (InputStream in = Files.newInputStream(file)) {
      Files.delete(file);
      assertEquals(1, NativeFiles.openedBy(file.toString()).size());
    }
    assertEquals(List.of(), NativeFiles.openedBy(file.toString()));
  }

  @Test
  void old_folders_of_this_package_are_removed_and_nothing_else() throws Exception {
    Path old = Files.createDirectory(folder.resolve("polyflake-old"));
    Files.createFile(old.resolve("polyflake-jni-0.1.0.dll"));
    Path another = Files.createDirectory(folder.resolve("another-old"));
    Path mixed = Files.createDirectory(folder.resolve("polyflake-mixed"));
    Path stranger = Files.createFile(mixed.resolve("notes.txt"));
    for (Path each : List.of(old, another, mixed)) {
      Files.setLastModifiedTime(each, FileTime.fromMillis(1_000_000));
    }
    Path young = Files.createDirectory(folder.resolve("polyflake-young"));
    NativeFiles.removeLeftovers(folder, 2_000_000);
    assertFalse(Files.exists(old));
    for (Path each : List.of(another, stranger, young)) {
      assertTrue(Files.exists(each), each::toString);
    }
  }

  @Test
  void a_folder_that_runs_no_program_is_named_as_the_cause() {
    String glibc = "/tmp/x.so: failed to map segment from shared object: Operation not permitted";
    assertTrue(NativeLibrary.adviceOn(glibc).contains("noexec"));
    assertTrue(NativeLibrary.adviceOn("/tmp/x.so: wrong ELF class: ELFCLASS32").contains("another machine"));
    assertEquals("", NativeLibrary.adviceOn("/tmp/x.so: file too short"));
  }
}
