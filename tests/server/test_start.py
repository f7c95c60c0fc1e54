"""The start of polyflaked. If it fails, the exit code says whose business it is, and the log what to do."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from polyflaked import PROGRAM, Polyflaked, run_polyflaked
from servers import Redis
from servers.port import Port
from servers.waiting import within
from stepped_clock import Clock

from polyflake.stores import init_namespace

TWO_NODES = "timestamp:41 worker:1 sequence:21 tick=1ms epoch=2020-01-01T00:00:00.000Z"
CONFIGURATION, NO_NODE_ID, CLOCK_OR_REGISTRY = 2, 3, 4
GENERATOR = "[generator.orders]\nworker = 7\n"
LISTENER = '[[listener]]\nprotocol = "resp"\naddress = "127.0.0.1:0"\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "server.toml"


def refusal(file: Path, text: str, **options: object) -> tuple[int, str]:
    """The exit code and the log of a server that does not start."""
    file.write_text(text)
    done = run_polyflaked("--config", file, **options)
    assert done.stdout == ""
    assert "event=refused" in done.stderr and "event=serving" not in done.stderr
    return done.returncode, done.stderr


# --- configuration: 2 ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, words",
    [
        ("[generator.orders]\n" + LISTENER, ("worker", "no default")),
        ('[generator.orders]\nworker = "host"\n' + LISTENER, ("registry", "folder")),
        (
            'registry = "/no/such/folder"\n[generator.orders]\nworker = "host"\n' + LISTENER,
            ("/no/such/folder", "Is its volume mounted?"),
        ),
        (GENERATOR + LISTENER.replace("127.0.0.1", "0.0.0.0"), ("0.0.0.0", "insecure = true")),
        (GENERATOR + LISTENER.replace("127.0.0.1", "[::]"), ("::", "insecure = true")),
        (GENERATOR + LISTENER.replace("127.0.0.1", "192.0.2.1"), ("192.0.2.1", "insecure = true")),
        (GENERATOR + LISTENER.replace('"resp"', '"resp'), ("server.toml:4",)),
        ("max_bach = 5\n" + GENERATOR + LISTENER, ("max_bach", "max_batch")),
        (GENERATOR + "wroker = 7\n" + LISTENER, ("wroker", "worker")),
        (GENERATOR + LISTENER + "port = 7\n", ("port",)),
        (GENERATOR + "[listner]\n" + LISTENER, ("listner",)),
        (GENERATOR, ("[[listener]]",)),
        (LISTENER, ("[generator.NAME]",)),
        ("", ("server.toml",)),
        (GENERATOR.replace("7", "99999") + LISTENER, ("99999", "0 to")),
        (GENERATOR.replace("7", '"redis://127.0.0.1/0"') + LISTENER, ("namespace",)),
        (GENERATOR.replace("7", '"mysql://h/d?namespace=orders"') + LISTENER, ("mysql", "redis, postgresql")),
    ],
)
def test_a_wrong_configuration_is_refused(file: Path, text: str, words: tuple[str, ...]) -> None:
    status, log = refusal(file, text)
    assert status == CONFIGURATION
    for word in words:
        assert word in log, log


def test_no_file_is_no_configuration(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        done = run_polyflaked("--config", path)
        assert done.returncode == CONFIGURATION
        assert str(path) in done.stderr


def test_a_password_is_not_logged(file: Path) -> None:
    status, log = refusal(
        file, GENERATOR.replace("7", '"redis://user:secretly@h/0?namespace=orders&windows=3"') + LISTENER
    )
    assert status == CONFIGURATION
    assert "redis://h/0" in log and "secretly" not in log


@pytest.mark.parametrize("words", [["--confg", "a"], ["more"], ["--config"]])
def test_wrong_arguments(words: list[str]) -> None:
    done = run_polyflaked(*words)
    assert (done.returncode, done.stdout) == (CONFIGURATION, "")
    assert words[-1] in done.stderr


def test_an_address_in_use_is_refused(file: Path) -> None:
    with Polyflaked() as first:
        status, log = refusal(file, GENERATOR + LISTENER.replace(":0", f":{first.ports['resp'].number}"))
        assert status == CONFIGURATION
        assert f"127.0.0.1:{first.ports['resp'].number}: Address already in use" in log
        assert first.ids(3)


# --- what it says of itself ----------------------------------------------------------------------


def test_a_configuration_is_checked_and_nothing_else(file: Path) -> None:
    file.write_text(GENERATOR.replace("7", '"redis://127.0.0.1:1/0?namespace=orders"') + LISTENER)
    done = run_polyflaked("--config", file, "--check-config")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{file}: ok\n", "")
    file.write_text("[generator.orders]\n" + LISTENER)
    done = run_polyflaked("--config", file, "--check-config")
    assert (done.returncode, done.stdout) == (CONFIGURATION, "")


def test_all_keys_are_listed() -> None:
    done = run_polyflaked("--config-help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("| section | key |")
    for key in ("registry", "worker", "drain_ms", "address", "insecure"):
        assert f"| `{key}` |" in done.stdout


def test_version_and_help() -> None:
    done = run_polyflaked("--version")
    source = (Path(__file__).parents[2] / "CMakeLists.txt").read_text()
    assert (done.returncode, done.stderr) == (0, "")
    assert f"project(polyflake VERSION {done.stdout.strip()}" in source
    done = run_polyflaked("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--config-help" in done.stdout
    assert "built with: redis, postgresql, etcd, zookeeper" in done.stdout


# --- no node id: 3 -------------------------------------------------------------------------------


def test_a_node_id_of_another_server_is_not_taken(file: Path, registry: Path) -> None:
    text = f'registry = "{registry}"\n' + GENERATOR.replace("7", '"host:7"') + LISTENER
    with Polyflaked('"host:7"', head=f'registry = "{registry}"') as first:
        status, log = refusal(file, text)
        assert status == NO_NODE_ID
        assert "code=worker_in_use" in log and f"/{first.pid} " in log
        assert first.ids(3)


def test_any_node_id_of_this_host_is_another_one(registry: Path) -> None:
    with (
        Polyflaked('"host:0"', head=f'registry = "{registry}"') as first,
        Polyflaked('"host"', head=f'registry = "{registry}"') as second,
    ):
        assert not set(first.ids(100)) & set(second.ids(100))


def test_a_namespace_must_exist(file: Path, redis: Redis) -> None:
    status, log = refusal(file, GENERATOR.replace("7", f'"{redis.url}/0?namespace=none"') + LISTENER)
    assert status == NO_NODE_ID
    assert "code=namespace_not_initialised" in log


def test_a_store_that_does_not_answer(file: Path) -> None:
    port = Port()  # the port is free
    url = f"redis://127.0.0.1:{port.number}/0?namespace=orders&acquire_timeout_ms=100"
    status, log = refusal(file, GENERATOR.replace("7", f'"{url}"') + LISTENER)
    assert status == NO_NODE_ID
    assert "code=store_unavailable" in log
    port.close()


def test_a_namespace_that_is_full(file: Path, redis: Redis) -> None:
    url = f"{redis.url}/0?namespace=full"
    init_namespace(f"{url}&window_ms=600000", layout=TWO_NODES, fresh=True)
    worker = f'"{url}&acquire_timeout_ms=60000"'
    with (
        Polyflaked(worker, layout=TWO_NODES),
        Polyflaked(worker, layout=TWO_NODES),
    ):
        text = f'[generator.orders]\nworker = "{url}&acquire_timeout_ms=3000"\nlayout = "{TWO_NODES}"\n' + LISTENER
        status, log = refusal(file, text)
        assert status == NO_NODE_ID
        assert "code=no_worker_free" in log


# --- the registry and the clock: 4 ---------------------------------------------------------------


def test_a_registry_that_cannot_be_used(file: Path, registry: Path) -> None:
    with Polyflaked('"host"', head=f'registry = "{registry}"') as running:
        running.ids()
    (folder,) = registry.iterdir()
    shutil.rmtree(folder)
    folder.write_text("a file in its place")
    status, log = refusal(file, f'registry = "{registry}"\n' + GENERATOR.replace("7", '"host"') + LISTENER)
    assert status == CLOCK_OR_REGISTRY
    assert "code=registry_unusable" in log and str(folder) in log


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to have a folder of another user")
def test_a_registry_of_another_user(registry: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    registry.chmod(0o755)
    program = shutil.copy2(PROGRAM, registry)  # this clone may be in root's home, which others may not enter
    text = f'registry = "{registry}"\n' + GENERATOR.replace("7", '"host"') + LISTENER
    status, log = refusal(
        registry / "server.toml", text, executable=program, user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=()
    )
    assert status == CLOCK_OR_REGISTRY
    assert "code=registry_unusable" in log and str(registry) in log


def test_a_clock_before_the_epoch(file: Path, clock: Clock) -> None:
    clock.set(-20 * 365 * 86400)
    status, log = refusal(file, GENERATOR + LISTENER, env={**os.environ, **clock.environment})
    assert status == CLOCK_OR_REGISTRY
    assert "code=clock_before_epoch" in log


# --- Unix sockets --------------------------------------------------------------------------------


@contextlib.contextmanager
def at_a_socket(file: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A server with a Unix socket alone, which ends with the test."""
    path = file.parent / "ids.sock"
    file.write_text("drain_ms = 0\n" + GENERATOR + f'[[listener]]\nprotocol = "resp"\naddress = "unix:{path}"\n')
    running = subprocess.Popen([PROGRAM, "--config", file], stderr=subprocess.DEVNULL)
    try:
        assert within(60, lambda: answers_at(path))
        yield running, path
    finally:
        running.kill()
        running.wait()


def answers_at(path: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
            connection.sendall(b"INCR orders\r\n")
            return connection.recv(100).startswith(b":")
    except OSError:
        return False


def test_a_socket_file_is_for_its_owner_and_group(file: Path) -> None:
    with at_a_socket(file) as (running, path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        running.terminate()
        assert running.wait(60) == 0
        assert not path.exists()


def test_the_socket_file_of_a_server_that_was_killed_is_replaced(file: Path) -> None:
    with at_a_socket(file) as (killed, path):
        killed.kill()
        killed.wait()
        left = path.stat().st_ino
    with at_a_socket(file):
        assert path.stat().st_ino != left or answers_at(path)


def test_the_socket_file_of_another_server_stays(file: Path) -> None:
    with at_a_socket(file) as (_, path):
        status, log = refusal(file, file.read_text())
        assert status == CONFIGURATION
        assert f"unix:{path}: Address already in use" in log
        assert answers_at(path)


def test_a_file_that_is_no_socket_stays(file: Path) -> None:
    path = file.parent / "ids.sock"
    path.write_text("precious")
    status, log = refusal(file, GENERATOR + f'[[listener]]\nprotocol = "resp"\naddress = "unix:{path}"\n')
    assert status == CONFIGURATION
    assert str(path) in log
    assert path.read_text() == "precious"


# --- a signal while it opens ---------------------------------------------------------------------


def test_a_signal_ends_it_while_it_waits_for_a_node_id(file: Path, redis: Redis) -> None:
    """And what it has by then is given back."""
    first = f"{redis.url}/0?namespace=first"
    init_namespace(f"{first}&window_ms=600000", fresh=True, layout=TWO_NODES)  # a lease that is not given back stays
    with redis.proxy() as proxy:
        second = f"{redis.url_at(proxy.port)}/0?namespace=second&acquire_timeout_ms=600000"
        proxy.drop()
        file.write_text(
            f'[generator.first]\nworker = "{first}"\nlayout = "{TWO_NODES}"\n'
            f'[generator.second]\nworker = "{second}"\n{LISTENER}'
        )
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
            running = subprocess.Popen([PROGRAM, "--config", file], stderr=subprocess.PIPE, text=True)
            try:
                seen = proxy.connections
                assert within(60, lambda: proxy.connections > seen)
                running.send_signal(number)
                log = running.communicate(timeout=30)[1]
            finally:
                running.kill()
            assert running.returncode == 0
            assert "event=ended" in log and "event=serving" not in log
    with Polyflaked(f'"{first}&acquire_timeout_ms=60000"', layout=TWO_NODES) as server:
        assert server.ids()


def test_a_log_that_nobody_reads_does_not_stop_it(file: Path) -> None:
    """Lines are left out while the pipe is full, and the next one says how many."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    filled = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            filled += os.write(write, b"x" * 4096)
    os.set_blocking(write, True)
    file.write_text("drain_ms = 0\n" + GENERATOR + LISTENER.replace("127.0.0.1:0", f"unix:{file.parent}/ids"))
    with subprocess.Popen([PROGRAM, "--config", file], stderr=write) as server:
        os.close(write)
        assert within(60, lambda: (file.parent / "ids").is_socket())
        os.read(read, filled)
        server.send_signal(signal.SIGTERM)
        with os.fdopen(read, errors="replace") as log:
            assert " left_out=" in log.read()
        assert server.wait(60) == 0


def test_of_servers_that_start_at_one_path_one_serves_there(file: Path) -> None:
    """Each finds the socket of a server that was killed."""
    path = file.parent / "ids"
    file.write_text("drain_ms = 0\n" + GENERATOR + LISTENER.replace("127.0.0.1:0", f"unix:{path}"))
    for _ in range(20):
        with socket.socket(socket.AF_UNIX) as left_behind:
            left_behind.bind(str(path))
        servers = [subprocess.Popen([PROGRAM, "--config", file], stderr=subprocess.PIPE, text=True) for _ in range(3)]
        assert within(60, lambda servers=servers: sum(one.poll() is None for one in servers) == 1)
        (serving,) = (one for one in servers if one.poll() is None)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
            client.sendall(b"INCR orders\r\n")
            assert client.recv(1) == b":"
        serving.terminate()
        for one in servers:
            _, log = one.communicate(timeout=60)
            assert one.returncode == (0 if one is serving else CONFIGURATION), log
        assert not path.exists()


def test_a_socket_is_replaced_by_one_server_at_a_time(file: Path) -> None:
    """The lock of its folder is that of the server that does."""
    path = file.parent / "ids"
    file.write_text("drain_ms = 0\n" + GENERATOR + LISTENER.replace("127.0.0.1:0", f"unix:{path}"))
    folder = os.open(file.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with subprocess.Popen([PROGRAM, "--config", file], stderr=subprocess.DEVNULL) as server:
        assert not within(0.5, path.exists)
        os.close(folder)
        assert within(60, path.exists)
        server.terminate()
        assert server.wait(60) == 0
