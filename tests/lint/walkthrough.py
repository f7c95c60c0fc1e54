"""Runs a page that is one session at a terminal: its blocks go on from each other, in a folder that begins empty.

Such a page has the line `<!-- one session -->`. Its blocks are run like this:

    LANGUAGE title="NAME"   the file NAME is written; the paragraph before names it, too
    sh                      typed into one shell: a folder, a variable or a program in the background stays. A command that
                            fails ends the session
    the others              not of the session

A folder `polyflake` is there, like a clone after `./dev package`. Programs of the session that still run at its end are ended.
Ports 8000 to 8009 become free ones. The database is a new one of its own. pip takes versions from tests/lint/constraints.txt, and npm
packages of before a day.

Files of containers and Kubernetes have no engine here: check_file() compares what can be compared.
"""

from __future__ import annotations

import os
import pwd
import re
import secrets
import signal
import socket
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path

import containers

ROOT = Path(__file__).resolve().parents[2]
MARK = "<!-- one session -->"
CLONE = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "NOTICE", "README.md", "pyproject.toml")
CLONED_FOLDERS = ("cmake", "core", "cli", "bindings", "python", "java", "third_party")
NPM_BEFORE = "2026-11-20"  # later versions of packages are not there
TIMEOUT_S = 300


def is_session(page: str) -> bool:
    return MARK in (ROOT / page).read_text("ascii")


def is_of_the_session(block) -> bool:
    return block.title is not None or block.language == "sh"


def with_free_ports(script: str) -> str:
    with ExitStack() as bound:
        ports = {}
        for written in sorted(set(re.findall(r"\b800\d\b", script))):
            found = bound.enter_context(socket.socket())
            found.bind(("127.0.0.1", 0))
            ports[written] = str(found.getsockname()[1])
    return re.sub(r"\b800\d\b", lambda port: ports[port[0]], script)


def put_clone(folder: Path, jar: Path) -> None:
    """Puts the sources of the packages there, and the packages."""
    dist = folder / "dist"
    dist.mkdir(parents=True)
    for name in (*CLONE, *CLONED_FOLDERS):
        (folder / name).symlink_to(ROOT / name)
    for package in (*ROOT.glob("build/wheel/*.whl"), jar.resolve()):
        (dist / package.name).symlink_to(package)
    packed = ["npm", "pack", "--silent", "--pack-destination", str(dist)]
    subprocess.run(packed, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, timeout=TIMEOUT_S)


def put_maven_repository(folder: Path) -> Path:
    """A local repository that has what the usual one has, and keeps what the session installs to itself."""
    usual = Path(pwd.getpwuid(os.getuid()).pw_dir) / ".m2/repository"  # Java does not ask HOME
    usual.mkdir(parents=True, exist_ok=True)
    for inner, own in (("", "io"), ("io", "github"), ("io/github", "polyflake")):
        (folder / inner).mkdir(parents=True, exist_ok=True)
        (usual / inner).mkdir(parents=True, exist_ok=True)
        for known in (usual / inner).iterdir():
            if known.name != own:
                (folder / inner / known.name).symlink_to(known)
    return folder


def own_database(url: str) -> str:
    """The address of a new database at this server. It lives as long as the server, which is of one run of the tests."""
    import psycopg

    name = f"session_{secrets.token_hex(8)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return re.sub(r"/[^/?]*(\?|$)", rf"/{name}\1", url)


def script_of(blocks) -> str:
    """Each block begins with a line on descriptor 3, so that the one that failed is known."""
    lines = ["set -eu"]
    for number, block in enumerate(blocks):
        lines.append(f"echo {number} >&3")
        if block.title is None:
            lines.append(block.code)
            continue
        if "/" in block.title:
            lines.append(f"mkdir -p {os.path.dirname(block.title)}")
        end = f"END_{secrets.token_hex(8)}"
        lines.append(f"cat >{block.title} <<'{end}'\n{block.code}{end}")
    lines.append(f"echo {len(blocks)} >&3")
    return "\n".join(lines) + "\n"


def environment_of(work: Path, before: dict[str, str]) -> dict[str, str]:
    repository = put_maven_repository(work / "maven")
    return {
        **before,
        "POLYFLAKE_HOME": str(work / "home"),
        "PIP_CONSTRAINT": str(ROOT / "tests/lint/constraints.txt"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "npm_config_audit": "false",
        "npm_config_fund": "false",
        "npm_config_prefer_offline": "true",
        "npm_config_before": NPM_BEFORE,
        "MAVEN_OPTS": f"-Dmaven.repo.local={repository} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }


def complaints(blocks, work: Path, jar: Path, environment: dict[str, str], with_servers) -> dict[int, str]:
    """Runs the session; returns the faults by the number of the block."""
    found = {}
    for number, block in enumerate(blocks):
        if wrong := containers.check_file(block.title, block.code) if block.title else None:
            found[number] = wrong
        if block.title and f"`{block.title}`" not in block.before:
            found[number] = f"the paragraph before it does not name `{block.title}`"
    folder = work / "session"
    put_clone(folder / "polyflake", jar)
    script = with_free_ports(with_servers(script_of(blocks), own_database))
    (work / "session.sh").write_text(script, "ascii")
    begun, output = work / "begun", work / "output"
    with begun.open("w") as marks, output.open("w") as said:
        shell = subprocess.Popen(
            ["sh", "-c", f"exec sh {work / 'session.sh'} 3>&{marks.fileno()}"],
            cwd=folder,
            env=environment_of(work, environment),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            pass_fds=(marks.fileno(),),
            start_new_session=True,
        )
        try:
            status = str(shell.wait(TIMEOUT_S))
        except subprocess.TimeoutExpired:
            status = f"none within {TIMEOUT_S} s"
        with suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)
        shell.wait()
    reached = int(begun.read_text().split()[-1])
    if reached < len(blocks) or status != "0":
        text = output.read_text(errors="replace")
        found[min(reached, len(blocks) - 1)] = f"exit code {status}\n{text[-6000:]}"
        found.update(dict.fromkeys(range(reached + 1, len(blocks)), "the session ended before it"))
    return found
