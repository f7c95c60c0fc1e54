"""What is done to the processes, to their clock and to the registry.

Two kinds of phase, each with a registry and a namespace of its own. In both, processes are killed, stopped, ended and
forked. With "clock" the clock steps, back too, and files are left alone. With "files" the clock is true: the registry
promises nothing where files are lost and the clock is set back meanwhile.
"""

from __future__ import annotations

import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

from issuers import Issuer

WINDOW_S = 2.0
SLOTS, SLOT_SIZE = (0, 4096), 512
# Years back twice: before the epoch of the layout, and before 1970. Far ahead is rare: whoever issued there has to be killed.
STEPS_S = (-0.005, -0.5, -1, -3, -30, -3600, 0.5, 1, 3, 3) * 2 + (-12 * 365 * 86400, -60 * 365 * 86400, 30, 3600)


class Files:
    """Chaos in the folder of a registry. Each fault alone is one that the registry promises to survive."""

    def __init__(self, home: Path, rng: random.Random, note: Callable[[str], None]) -> None:
        self.home, self.rng, self.note = home, rng, note
        self.due: list[tuple[float, Callable[[], None]]] = []  # what undoes a fault, and when
        self.faults = {
            "file removed": self.remove,
            "file replaced by a copy": self.replace,
            "newer slot damaged": self.damage,
            "nodes file removed": self.remove_nodes,
            "nodes file replaced by a copy": self.replace_nodes,
            "folder away and back": self.move_away,
            "folder removed": self.remove_folder,
            "folder read-only": self.read_only,
        }

    def strike(self) -> list[str]:
        """One fault anywhere; its name, or nothing where there was nothing to strike."""
        name = self.rng.choices(list(self.faults), weights=(4, 3, 3, 2, 1, 2, 1, 2))[0]
        return self.done(name, lambda folder: self.faults[name](folder))

    def strike_at_holder(self, pid: int) -> list[str]:
        """One fault at the file that this process wrote last."""
        name = self.rng.choice(list(self.faults)[:3])
        return self.done(name, lambda folder: self.faults[name](folder, f"/{pid}\n".encode()))

    def done(self, name: str, fault: Callable[[Path], bool]) -> list[str]:
        folders = [path for path in self.home.glob("*") if path.is_dir() and len(path.name) == 16]
        try:
            struck = bool(folders) and fault(folders[0])
        except FileNotFoundError:
            return []  # another fault, or the library, was faster
        if struck:
            self.note(name)
        return [name] if struck else []

    def undo_what_is_due(self, everything: bool = False) -> None:
        now = time.monotonic()
        for item in [item for item in self.due if everything or item[0] <= now]:
            self.due.remove(item)
            item[1]()

    def node_file(self, folder: Path, owner: bytes) -> Path | None:
        """Of this owner; else any of the low ones, which are those in use."""
        files = sorted((path for path in folder.iterdir() if path.name.isdigit()), key=lambda path: int(path.name))
        if owner:
            files = [path for path in files if owner in path.read_bytes()]
        if not files:
            return None
        file = self.rng.choice(files[:12])
        self.note(f"at node id {file.name}:")
        return file

    def remove(self, folder: Path, owner: bytes = b"") -> bool:
        file = self.node_file(folder, owner)
        if file:
            file.unlink()
        return file is not None

    def replace(self, folder: Path, owner: bytes = b"") -> bool:
        file = self.node_file(folder, owner)
        if file:
            replace_by_copy(file)
        return file is not None

    def damage(self, folder: Path, owner: bytes = b"") -> bool:
        """The slot with the larger count, in place."""
        file = self.node_file(folder, owner)
        if not file:
            return False
        with file.open("r+b", buffering=0) as slots:
            counts = {}
            for offset in SLOTS:
                slots.seek(offset)
                content = slots.read(SLOT_SIZE)
                if b"\ncount=" in content:
                    counts[offset] = int(content.split(b"\ncount=")[1].split(b"\n")[0])
            if not counts:
                return False
            slots.seek(max(counts, key=counts.__getitem__) + len(b"polyflake-node 1\n"))
            slots.write(b"damaged")
        return True

    def remove_nodes(self, folder: Path) -> bool:
        (folder / "nodes").unlink()
        return True

    def replace_nodes(self, folder: Path) -> bool:
        replace_by_copy(folder / "nodes")
        return True

    def remove_folder(self, folder: Path) -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return True

    def move_away(self, folder: Path) -> bool:
        """For less than a window, so that nobody has begun to issue from the folder that takes its place."""
        if self.due:
            return False
        away = self.home / "away"
        folder.rename(away)
        gone = time.monotonic()

        def back() -> None:
            taken = self.home / "taken"
            while time.monotonic() - gone < WINDOW_S / 2:  # later on, what is there now stays
                shutil.rmtree(taken, ignore_errors=True)
                if folder.exists():
                    folder.rename(taken)
                try:
                    away.rename(folder)
                except OSError:
                    continue  # a process has made the folder again meanwhile
                self.note("folder back")
                break
            for left in (away, taken):
                shutil.rmtree(left, ignore_errors=True)

        self.due.append((gone + self.rng.uniform(0, 0.6), back))
        return True

    def read_only(self, folder: Path) -> bool:
        if self.due:
            return False
        folder.chmod(0o555)
        inode = folder.stat().st_ino

        def writable() -> None:
            if folder.exists() and folder.stat().st_ino == inode:
                folder.chmod(0o700)

        self.due.append((time.monotonic() + self.rng.uniform(0.2, 2), writable))
        return True


def replace_by_copy(file: Path) -> None:
    copy = file.parent / "copy"
    shutil.copy2(file, copy)
    copy.replace(file)


class Processes:
    """What is done to one process. Half of those that are killed or stopped lose the file of their node id with it."""

    def __init__(self, rng: random.Random, note: Callable[[str], None]) -> None:
        self.rng, self.note = rng, note

    def strike(self, issuers: list[Issuer], files: Files | None) -> list[str]:
        """`issuers` are those that are neither stopped nor ending, and have shown life lately. Returns what was done."""
        name = self.rng.choices(("kill -9", "stopped", "ended", "forked"), weights=(4, 2, 1, 4))[0]
        if name == "forked":
            issuers = [issuer for issuer in issuers if issuer.forks()]
        if not issuers:
            return []
        issuer = self.rng.choice(issuers)
        done = [name]
        self.note(f"{name}: {issuer.path.name}, process {issuer.pid}")
        if name in ("kill -9", "stopped"):
            if name == "kill -9":
                issuer.kill()
            else:
                issuer.stop(self.rng.uniform(WINDOW_S + 0.2, 2.5 * WINDOW_S))
            if files is not None and self.rng.random() < 0.5:
                done += files.strike_at_holder(issuer.pid)
        elif name == "ended":
            issuer.end()
        else:
            issuer.send(signal.SIGUSR1)
        return done
