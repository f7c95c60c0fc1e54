"""`tests/servers/run`: what the command finds in its environment, what becomes of its status, and the lines of control."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from .processes import nothing_is_left, start_by_another
from .waiting import within

RUN = Path(__file__).with_name("run")
TALKING = r"""
import os, re, socket, sys

def endpoint(url):
    return re.search(r"[\w.]+:\d+", url)[0].rsplit(":", 1)

def ask(address, line):
    with socket.create_connection(address, 5) as connection, connection.makefile("rb") as replies:
        connection.sendall(line.encode() + b"\r\n")
        return replies.readline().decode().strip()

def control(line):
    answer = ask(endpoint(os.environ["POLYFLAKE_TEST_CONTROL"]), line)
    assert answer.startswith("ok"), answer
    return answer[3:]

redis = endpoint(os.environ["POLYFLAKE_TEST_REDIS"])
"""
KILLING = """
assert ask(redis, "SET key value") == "+OK"
control("kill redis")
try:
    ask(redis, "PING")
    sys.exit("killed and alive")
except ConnectionRefusedError:
    pass
control("restart redis")
assert ask(redis, "STRLEN key") == ":5"
"""
BREAKING = """
url = control("proxy redis")
assert ask(endpoint(url), "PING") == "+PONG"
control(f"fault {url} refuse")
try:
    ask(endpoint(url), "PING")
    sys.exit("refused and answered")
except ConnectionRefusedError:
    pass
control(f"fault {url} pass")
control(f"fault {url} delay 10 replies")
assert ask(endpoint(url), "PING") == "+PONG"
"""
REPLICATING = """
control("replicate redis2 redis")
second = endpoint(os.environ["POLYFLAKE_TEST_REDIS2"])
assert ask(second, "SET key value").startswith("-READONLY")
control("promote redis2")
assert ask(second, "SET key value") == "+OK"
"""
PORTS = """
mine = int(control("port"))
assert 0 < mine != int(control("port"))
with socket.socket() as listener:
    listener.bind(("127.0.0.1", mine))
"""
WRONG = """
for line in ("", "kill", "kill etcd", "promote", "melt redis", "fault redis drop", "start redis"):
    answer = ask(endpoint(os.environ["POLYFLAKE_TEST_CONTROL"]), line)
    assert answer.startswith("error "), (line, answer)
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([RUN, *words], capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize(
    "script", [KILLING, BREAKING, REPLICATING, PORTS, WRONG], ids=["kill", "fault", "promote", "port", "wrong"]
)
def test_a_command_controls_its_servers(script):
    done = run("redis", "redis", "--", "python3", "-c", TALKING + script)
    assert done.returncode == 0, done.stderr


def test_a_command_finds_the_urls_of_all():
    done = run("redis", "zookeeper", "etcd", "postgresql", "mariadb", "--", "env")
    found = dict(line.split("=", 1) for line in done.stdout.splitlines() if line.startswith("POLYFLAKE_TEST_"))
    schemes = {name.removeprefix("POLYFLAKE_TEST_"): url.partition("://")[0] for name, url in found.items()}
    assert schemes.pop("CONTROL")
    assert all(scheme == name.lower() for name, scheme in schemes.items())
    assert list(schemes) == ["REDIS", "ZOOKEEPER", "ETCD", "POSTGRESQL", "MYSQL"]


@pytest.mark.parametrize(("script", "status"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137)])
def test_its_status_is_that_of_the_command(script, status):
    assert run("redis", "--", "sh", "-c", script).returncode == status


@pytest.mark.parametrize("words", [[], ["oracle"], ["--", "true"], ["redis", "true"]])
def test_a_wrong_use_is_explained(words):
    done = run(*words)
    assert done.returncode == 2
    assert "COMMAND" in done.stderr and "postgresql" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, None])
def test_a_signal_or_the_end_of_its_input_ends_everything(number):
    starter, processes, folders = start_by_another("redis", "etcd")
    if number is not None:
        starter.send_signal(number)
    starter.communicate(timeout=60)
    assert nothing_is_left(processes, folders)


def test_a_kill_ends_the_command_as_well(tmp_path):
    script = f"echo $$ >{tmp_path}/pid.new; mv {tmp_path}/pid.new {tmp_path}/pid; sleep 60 & wait"
    starter = subprocess.Popen([RUN, "redis", "--", "sh", "-c", script])
    assert within(60, (tmp_path / "pid").exists)
    starter.kill()
    starter.wait()
    pid = int((tmp_path / "pid").read_text())
    assert within(60, lambda: nothing_is_left([pid], []))
