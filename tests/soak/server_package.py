"""The Debian package of the id server on a clean Debian 12, booted by systemd-nspawn. Needs root and a mirror of Debian.

Prints a line for each thing that is so, and ends with 1 at the first that is not.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/server")]

from load import Load, expect_unique  # noqa: E402
from servers.port import Port  # noqa: E402
from servers.waiting import within  # noqa: E402

CLEAN = ROOT / "build/clean-debian.tar"
CONFIGURATION = """registry = "/var/lib/polyflake"
drain_ms = 300
[generator.orders]
worker = "host"
[[listener]]
protocol = "resp"
address = "{resp}"
[[listener]]
protocol = "http"
address = "127.0.0.1:{http}"
"""
DYNAMIC_USERS = range(61184, 65520)  # systemd's own


def make_clean_debian() -> None:
    if CLEAN.exists():
        return
    made = CLEAN.with_suffix(".new.tar")
    words = ["mmdebstrap", "--quiet", "--variant=minbase", "--include=systemd,systemd-sysv,dbus", "bookworm", str(made)]
    subprocess.run(words, check=True)
    made.rename(CLEAN)


class Machine:
    """A clean Debian that was booted. It shares the network of this one."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.root.mkdir()
        subprocess.run(["tar", "-C", self.root, "-xpf", CLEAN], check=True)
        self._boot: subprocess.Popen[bytes] | None = None
        self._leader = 0

    def before_boot(self, *words: str) -> None:
        subprocess.run(
            ["systemd-nspawn", "-qD", self.root, "--register=no", "--keep-unit", "--pipe", *words], check=True
        )

    def boot(self) -> None:
        words = ["systemd-nspawn", "-qD", self.root, "--boot", "--register=no", "--keep-unit", "--console=pipe"]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._boot = subprocess.Popen(words, **quiet)
        assert within(60, lambda: self._find_leader() and self.says("systemctl", "is-system-running") == "running")

    def _find_leader(self) -> bool:
        """Sets the process that is number 1 in there."""
        assert self._boot is not None
        for line in Path("/proc").glob("[0-9]*/status"):
            with contextlib.suppress(OSError):
                status = line.read_text()
                parent = re.search(r"^PPid:\t(\d+)$", status, re.M)
                if parent and int(parent[1]) == self._boot.pid and re.search(r"^NSpid:.*\t1$", status, re.M):
                    self._leader = int(line.parent.name)
        return self._leader != 0

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        inside = ["nsenter", "-t", str(self._leader), "-m", "-p", "-u", "-i", "-C", "--", *words]
        return subprocess.run(inside, check=False, capture_output=True, text=True, timeout=300)

    def says(self, *words: str) -> str:
        return self.run(*words).stdout.strip()

    def must(self, *words: str) -> str:
        done = self.run(*words)
        assert done.returncode == 0, (
            f"{words}: {done.stdout}{done.stderr}{self.says('journalctl', '-n30', '--no-pager')}"
        )
        return done.stdout.strip()

    def show(self, name: str) -> str:
        return self.says("systemctl", "show", "polyflaked", "-P", name)

    def write(self, path: str, text: str) -> None:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        mode = file.stat().st_mode if file.exists() else 0o644
        file.write_text(text)
        file.chmod(mode)

    def end(self) -> None:
        if self._boot is None:
            return
        if self._leader:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._leader, signal.SIGRTMIN + 4)  # power off
        try:
            self._boot.wait(30)
        except subprocess.TimeoutExpired:
            self._boot.kill()
            self._boot.wait()


@contextlib.contextmanager
def machine() -> Iterator[Machine]:
    with tempfile.TemporaryDirectory(prefix="polyflake-debian-") as folder:
        made = Machine(Path(folder))
        try:
            yield made
        finally:
            made.end()


class Trial:
    def __init__(self, booted: Machine) -> None:
        self.machine = booted
        self.resp, self.http = Port(), Port()
        self.ids: list[list[int]] = []

    def status(self, path: str = "/readyz") -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http.number}{path}", timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        except OSError:
            return 0

    def configure(self, resp: str = "") -> None:
        resp = resp or f"127.0.0.1:{self.resp.number}"
        self.machine.write("/etc/polyflake/server.toml", CONFIGURATION.format(resp=resp, http=self.http.number))

    @contextlib.contextmanager
    def load(self, *protocols: str) -> Iterator[list[Load]]:
        """Clients of these protocols meanwhile. None of their ids comes twice, in this and all other loads."""
        ports = {"resp": self.resp.number, "http": self.http.number}
        loads = [Load(protocol, [ports[protocol]]) for protocol in protocols]
        assert all(load.more() for load in loads)
        yield loads
        assert all(load.more() for load in loads)
        for load in loads:
            load.stop()
            load.expect_good("busy")  # before its first window
            self.ids += load.ids
        expect_unique(self.ids)

    # --- what has to be so -----------------------------------------------------------------------

    def it_is_installed_and_not_started(self) -> None:
        assert self.machine.says("systemctl", "is-enabled", "polyflaked") == "disabled"
        assert self.machine.says("systemctl", "is-active", "polyflaked") == "inactive"
        assert (self.machine.root / "etc/polyflake/server.toml").stat().st_mode & 0o777 == 0o600

    def it_does_not_start_without_a_worker(self) -> None:
        assert self.machine.run("systemctl", "start", "polyflaked").returncode != 0
        assert (self.machine.show("ExecMainStatus"), self.machine.show("NRestarts")) == ("2", "0")
        assert "worker of [generator.ids] is missing" in self.machine.says(
            "journalctl", "-u", "polyflaked", "--no-pager"
        )

    def it_is_ready_when_systemctl_returns(self) -> None:
        self.configure()
        self.machine.must("systemctl", "enable", "--now", "polyflaked")
        assert self.status() == 200
        assert self.machine.show("StatusText") == "ready"
        done = self.machine.run("polyflaked", "--check")
        assert done.returncode == 0 and json.loads(done.stdout)["ready"] is True

    def it_runs_as_a_user_of_its_own_without_privileges(self) -> None:
        status = Path(f"/proc/{self.outer_pid()}/status").read_text()
        fields = dict(re.findall(r"^(\w+):\t(.*)$", status, re.M))
        assert all(int(uid) in DYNAMIC_USERS for uid in fields["Uid"].split())
        assert (int(fields["CapEff"], 16), int(fields["CapBnd"], 16)) == (0, 0)
        assert (fields["NoNewPrivs"], fields["Seccomp"]) == ("1", "2")
        limits = Path(f"/proc/{self.outer_pid()}/limits").read_text()
        files = re.search(r"^Max open files +(\d+) +(\d+)", limits, re.M)
        assert files is not None and files[1] == files[2], limits

    def outer_pid(self) -> int:
        """Its process as this machine counts."""
        inner = self.machine.show("MainPID")
        for file in Path("/proc").glob("[0-9]*/status"):
            with contextlib.suppress(OSError):
                status = file.read_text()
                if re.search(rf"^NSpid:.*\t{inner}$", status, re.M) and status.startswith("Name:\tpolyflaked"):
                    return int(file.parent.name)
        raise AssertionError("it does not run")

    def restarts_under_load_give_no_id_twice(self) -> None:
        with self.load("resp", "http") as loads:
            for _ in range(5):
                before = self.machine.show("MainPID")
                self.machine.must("systemctl", "restart", "polyflaked")
                assert self.status() == 200
                assert self.machine.show("MainPID") != before
                assert all(load.more() for load in loads)
            assert all(load.lost for load in loads)

    def a_killed_server_is_started_again(self) -> None:
        with self.load("resp"):
            for _ in range(3):
                before = self.machine.show("MainPID")
                self.machine.must("systemctl", "kill", "-s", "KILL", "polyflaked")
                assert within(60, lambda before=before: self.machine.show("MainPID") not in (before, "0"))
                assert within(60, lambda: self.machine.show("SubState") == "running")

    def a_server_that_hangs_is_started_again(self) -> None:
        self.machine.write(
            "/etc/systemd/system/polyflaked.service.d/quick.conf", "[Service]\nWatchdogSec=2\nTimeoutAbortSec=1\n"
        )
        self.machine.must("systemctl", "daemon-reload")
        self.machine.must("systemctl", "restart", "polyflaked")
        time.sleep(5)  # longer than the watchdog waits
        assert self.machine.show("NRestarts") == "0"
        with self.load("resp"):
            before = self.machine.show("MainPID")
            os.kill(self.outer_pid(), signal.SIGSTOP)
            assert within(60, lambda: self.machine.show("MainPID") not in (before, "0"))
        assert "Watchdog timeout" in self.machine.says("journalctl", "-u", "polyflaked", "--no-pager")
        assert self.machine.show("NRestarts") == "1"

    def a_reload_ends_nothing(self) -> None:
        before = self.machine.show("MainPID")
        self.machine.must("systemctl", "reload", "polyflaked")
        assert self.status() == 200 and self.machine.show("MainPID") == before

    def with_a_socket_unit_no_client_is_refused(self) -> None:
        self.machine.must("systemctl", "stop", "polyflaked")
        self.configure("systemd:ids")
        self.machine.write(
            "/etc/systemd/system/polyflaked.socket.d/port.conf",
            f"[Socket]\nListenStream=\nListenStream=127.0.0.1:{self.resp.number}\n",
        )
        self.machine.must("systemctl", "daemon-reload")
        self.machine.must("systemctl", "enable", "--now", "polyflaked.socket")
        with self.load("resp") as (load,):  # its first client starts the server
            for _ in range(3):
                lost = load.lost
                self.machine.must("systemctl", "restart", "polyflaked")
                assert load.more()
                assert load.lost - lost <= 2  # each thread had to connect again, once

    def an_upgrade_goes_on_with_the_new_program(self) -> None:
        with self.load("resp", "http"):
            before = self.machine.show("MainPID")
            self.machine.must("dpkg", "-i", "/polyflaked.deb")
            assert self.machine.show("MainPID") not in (before, "0")
            assert self.status() == 200

    def its_units_are_right(self) -> None:
        done = self.machine.run("systemd-analyze", "verify", "--man=no", "polyflaked.service", "polyflaked.socket")
        assert (done.returncode, done.stdout + done.stderr) == (0, "")
        assert self.machine.run("systemd-analyze", "security", "--threshold=20", "polyflaked").returncode == 0

    def a_removal_stops_it_and_a_purge_leaves_node_ids(self) -> None:
        self.machine.must("apt-get", "remove", "-y", "polyflaked")
        assert self.status() == 0
        assert (self.machine.root / "etc/polyflake/server.toml").exists()
        self.machine.must("apt-get", "purge", "-y", "polyflaked")
        assert not (self.machine.root / "etc/polyflake/server.toml").exists()
        wants = self.machine.root / "etc/systemd/system"
        assert not any(wants.glob("*.wants/polyflaked.*"))
        assert any((self.machine.root / "var/lib/private/polyflake").iterdir())

    def steps(self) -> list[Callable[[], None]]:
        return [
            self.it_is_installed_and_not_started,
            self.it_does_not_start_without_a_worker,
            self.it_is_ready_when_systemctl_returns,
            self.it_runs_as_a_user_of_its_own_without_privileges,
            self.restarts_under_load_give_no_id_twice,
            self.a_killed_server_is_started_again,
            self.a_server_that_hangs_is_started_again,
            self.a_reload_ends_nothing,
            self.with_a_socket_unit_no_client_is_refused,
            self.an_upgrade_goes_on_with_the_new_program,
            self.its_units_are_right,
            self.a_removal_stops_it_and_a_purge_leaves_node_ids,
        ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=Path, help="a package instead of that of build/server-package")
    package = parser.parse_args().package or next((ROOT / "build/server-package").glob("polyflaked_*.deb"))
    if os.geteuid() != 0:
        parser.error("it boots a Debian by systemd-nspawn, so it runs as root")
    make_clean_debian()
    with machine() as clean:
        shutil.copy(package, clean.root / "polyflaked.deb")
        clean.before_boot("apt-get", "-q", "update")
        clean.before_boot("apt-get", "-qy", "install", "--no-install-recommends", "/polyflaked.deb")
        clean.boot()
        trial = Trial(clean)
        for step in trial.steps():
            begin = time.monotonic()
            try:
                step()
            except AssertionError:
                print(clean.says("journalctl", "-n", "30", "--no-pager"))
                raise
            print(f"{step.__name__.replace('_', ' ')}: {time.monotonic() - begin:.0f} s", flush=True)
        print(f"{sum(map(len, trial.ids))} ids, 0 twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
