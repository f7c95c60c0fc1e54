"""Programs that stay and run one command after another.

Starting one for each command takes up to forty times what the C++ program takes.

Such a program shares three files with the test, which are its standard input, output and error. Both
sides see one position in each: the test writes the input and goes back to the start of all three, the
command reads and writes, and the test reads what is there.

The last two arguments of a program are the numbers of two pipes. It writes one byte to the second when
it has started. Then it reads from the first how many arguments a command has, then the length and the
bytes of each, and writes the exit code, one byte.
"""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

LIMIT = 300  # seconds; a program that is not done by then hangs
SOON_STARTED = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]  # a JVM that ends before it could be fast

# Runs what Main.main runs, without the end of the process.
JAVA = """
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

# Forks for each command. The child runs what `python -m polyflake` runs, without the end of the
# interpreter, which takes longer than most commands; the clients of stores are loaded before.
PYTHON = """
import os, sys
import kazoo.client, psycopg, pymysql, redis
from polyflake.__main__ import main

asked, answered = open(int(sys.argv[1]), "rb"), int(sys.argv[2])

def number():
    return int.from_bytes(asked.read(4), "big", signed=True)

os.write(answered, bytes(1))
while (count := number()) >= 0:
    sys.argv[1:] = [os.fsdecode(asked.read(number())) for _ in range(count)]
    child = os.fork()
    if child == 0:
        os._exit(main())
    os.write(answered, bytes([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]))
"""

# Runs the script for each command, which is over when nothing is left to do, as the process
# would be.
NODE = """
const fs = require('node:fs');
const [script, ...pipes] = process.argv.splice(2);
const [asked, answered] = pipes.map(Number);

function read(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0, more; at < size; at += more) {
    more = fs.readSync(asked, bytes, at, size - at, null);
    if (more === 0) process.exit(1);
  }
  return bytes;
}

process.on('beforeExit', () => {
  if (process.listenerCount('beforeExit') > 1) return; // something is left to do
  fs.writeSync(answered, Buffer.of(process.exitCode ?? 0));
  const count = read(4).readInt32BE();
  if (count < 0) process.exit(0);
  process.argv.splice(2, Infinity, ...Array.from({ length: count }, () => String(read(read(4).readInt32BE()))));
  process.exitCode = 0;
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  delete require.cache[script];
  require(script);
});
"""


class Staying:
    """A program that stays. For one thread."""

    def __init__(self, command: list[str], environment: dict[str, str]):
        self._files = [tempfile.TemporaryFile(buffering=0) for _ in range(3)]  # noqa: SIM115 - close() does
        theirs_in, self._asked = os.pipe()
        self._answered, theirs_out = os.pipe()
        stdin, stdout, stderr = self._files
        self._process = subprocess.Popen(
            [*command, str(theirs_in), str(theirs_out)],
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
        texts = [os.fsencode(argument) for argument in arguments]
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


@contextmanager
def written(name: str, program: str) -> Iterator[str]:
    """The path of a file with this program, while it starts."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(program)
        yield path


def staying(host: str, command: list[str], environment: dict[str, str]) -> Staying:
    """Starts the program of a command so that it stays.

    Command: `java ... -cp CLASSES ...`, `java ... -jar JAR`, `python -m polyflake` or `node SCRIPT`.
    """
    if host == "java":
        at = next(i for i, word in enumerate(command) if word in ("-jar", "-cp"))
        with written("Staying.java", JAVA) as source:
            return Staying([*command[:at], *SOON_STARTED, "-cp", command[at + 1], source], environment)
    if host == "node":
        with written("staying.cjs", NODE) as source:
            return Staying([command[0], source, os.path.realpath(command[1])], environment)
    return Staying([command[0], "-c", PYTHON], environment)
