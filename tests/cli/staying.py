"""A Java that runs one command after another: starting one for each takes forty times what the C++ program takes.

It shares three files with the test, which are its standard input, output and error. Both sides see one position in each: the
test writes the input and goes back to the start of all three, the command reads and writes, and the test reads what is there.
"""

from __future__ import annotations

import os
import select
import subprocess
import tempfile

LIMIT = 300  # seconds; a program that is not done by then hangs

# Reads from the pipe of the number in its first argument: how many arguments, then the length and the bytes of each.
# Writes to that of the second: the exit code, one byte.
PROGRAM = """
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;

class Staying {
  public static void main(String[] pipes) throws Exception {
    var asked = new DataInputStream(new FileInputStream("/proc/self/fd/" + pipes[0]));
    var answered = new FileOutputStream("/proc/self/fd/" + pipes[1]);
    var command = io.github.polyflake.Main.class.getDeclaredConstructor();
    var run = io.github.polyflake.Main.class.getDeclaredMethod("run", String[].class);
    command.setAccessible(true);
    run.setAccessible(true);
    answered.write(0); // it has started
    for (int count; (count = asked.readInt()) >= 0;) {
      String[] arguments = new String[count];
      for (int i = 0; i < count; i++) {
        arguments[i] = new String(asked.readNBytes(asked.readInt()), StandardCharsets.UTF_8);
      }
      int exitCode = (int) run.invoke(command.newInstance(), (Object) arguments);
      System.err.flush();
      answered.write(exitCode);
    }
    System.exit(0);
  }
}
"""


class StayingJava:
    """Runs what Main.main runs, without the end of the process. For one thread."""

    def __init__(self, java: list[str], class_path: str, environment: dict[str, str]):
        self._files = [tempfile.TemporaryFile(buffering=0) for _ in range(3)]  # noqa: SIM115 - close() does
        theirs_in, self._asked = os.pipe()
        self._answered, theirs_out = os.pipe()
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "Staying.java")
            with open(source, "w", encoding="ascii") as file:
                file.write(PROGRAM)
            stdin, stdout, stderr = self._files
            self._process = subprocess.Popen(
                [*java, "-cp", class_path, source, str(theirs_in), str(theirs_out)],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=environment,
                pass_fds=(theirs_in, theirs_out),
            )
            os.close(theirs_in)
            os.close(theirs_out)
            self._answer()

    def run(self, arguments: tuple[str, ...], stdin: bytes) -> tuple[int, bytes, bytes]:
        """Exit code, output and errors."""
        for file in self._files:
            file.seek(0)
            file.truncate()
        self._files[0].write(stdin)
        self._files[0].seek(0)
        texts = [argument.encode() for argument in arguments]
        os.write(self._asked, number(len(texts)) + b"".join(number(len(text)) + text for text in texts))
        exit_code = self._answer()
        for file in self._files[1:]:
            file.seek(0)
        return exit_code, self._files[1].read(), self._files[2].read()

    def close(self) -> None:
        if self._process.poll() is None:
            os.write(self._asked, number(-1))
            self._process.wait()
        for pipe in (self._asked, self._answered):
            os.close(pipe)
        for file in self._files:
            file.close()

    def _answer(self) -> int:
        answer = b""
        if select.select([self._answered], [], [], LIMIT)[0]:
            answer = os.read(self._answered, 1)
        if not answer:
            self._process.kill()
            self._process.wait()
            self._files[2].seek(0)
            raise ChildProcessError(self._files[2].read().decode())
        return answer[0]


def number(value: int) -> bytes:
    return value.to_bytes(4, "big", signed=True)
