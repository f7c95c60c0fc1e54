"""The programs of docs/server-clients.md: each takes ids, exact ones, from a good server after it met one that is not."""

from __future__ import annotations

import random
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from chosen_ids import ChosenIds
from client_programs import KINDS
from nginx import LUA, Nginx
from odd_servers import ANSWERS, OddServer
from pages import block_with, page, with_ports
from servers.proxy import Proxy

PAGE = page("server-clients.md")
PROGRAMS = {
    "ids.sh": ("sh", "ids.sh"),
    "ids.php": ("php", "ids.php"),
    "http.php": ("php", "http.php"),
    "ids.rb": ("ruby", "ids.rb"),
    "redis.rb": ("ruby", "redis.rb"),
    "ids.go": ("./go-ids",),
    "ids.rs": ("./ids",),
    "ids.pl": ("perl", "ids.pl"),
}
COMPILERS = {"ids.go": ("go", "build", "-o", "go-ids", "ids.go"), "ids.rs": ("rustc", "ids.rs")}
PORTS = {
    "8001": "http",
    "8002": "resp",
    "8003": "http",
    "8004": "resp",
}  # of the page: those of the first server, then the second
GREATEST = 2**63 - 1
COUNT = 250  # more than two batches


def texts_of_the_page() -> dict[str, str]:
    found = dict(re.findall(r'^```\w+ title="(\S+)"\n(.*?)^```$', PAGE, re.M | re.S))
    return {name: text for name, text in found.items() if not name.endswith(".toml")}


@pytest.fixture(scope="module")
def chosen() -> Iterator[ChosenIds]:
    numbers = random.Random(64)
    with ChosenIds([GREATEST, *(numbers.getrandbits(63) for _ in range(5000))]) as server:
        yield server


@pytest.fixture(scope="module")
def ways() -> Iterator[tuple[Proxy, Proxy]]:
    """The two servers that the programs ask: each leads to where a test wants it."""
    nowhere = 9
    with Proxy(nowhere) as first, Proxy(nowhere) as second:
        yield first, second


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, ways: tuple[Proxy, Proxy]) -> Path:
    """The programs, with the addresses of these servers and a key of the chosen ids."""
    folder = tmp_path_factory.mktemp("programs")
    ports = {port: ways[number > 1].port for number, port in enumerate(PORTS)}
    for name, text in texts_of_the_page().items():
        (folder / name).write_text(re.sub(r"\borders\b", "0", with_ports(text, ports)))
    for command in COMPILERS.values():
        subprocess.run(command, cwd=folder, check=True, timeout=600)
    return folder


def protocol_of(name: str) -> str:
    (protocol,) = {protocol for port, protocol in PORTS.items() if port in texts_of_the_page()[name]}
    return protocol


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest, folder: Path, ways: tuple[Proxy, Proxy], chosen: ChosenIds) -> Program:
    """The second server that it asks is good, and so is the first until a test says otherwise."""
    program = Program(request.param, folder, *ways)
    for way in ways:
        way.heal()
        way.lead_to(chosen.ports[program.protocol].number)
    return program


class Program:
    def __init__(self, name: str, folder: Path, first: Proxy, second: Proxy) -> None:
        self.name, self.first, self.second = name, first, second
        self.protocol = protocol_of(name)
        self._folder = folder

    def run(self) -> subprocess.CompletedProcess[str]:
        command = [*PROGRAMS[self.name], str(COUNT)]
        return subprocess.run(command, cwd=self._folder, capture_output=True, text=True, timeout=120, check=False)

    def expect_ids(self, chosen: ChosenIds) -> None:
        """It prints so many ids, which follow each other in the list of the server."""
        done = self.run()
        assert done.returncode == 0, done.stdout + done.stderr
        ids = [int(line) for line in done.stdout.splitlines()]
        assert len(ids) == COUNT
        begin = chosen.ids.index(ids[0])
        assert ids == (chosen.ids * 2)[begin : begin + COUNT]


def test_all_programs_of_the_page_are_run() -> None:
    assert set(texts_of_the_page()) == set(PROGRAMS)


def test_ids_are_exact_and_the_connection_is_kept(program: Program, chosen: ChosenIds) -> None:
    before = program.first.connections
    program.expect_ids(chosen)
    assert program.first.connections == before + 1


def test_nothing_listens(program: Program, chosen: ChosenIds) -> None:
    program.first.refuse()
    program.expect_ids(chosen)


@pytest.mark.parametrize("answer", [answer for answer in ANSWERS if answer != "unknown_key"])
def test_another_server_is_asked(program: Program, chosen: ChosenIds, answer: str) -> None:
    with OddServer(answer) as odd:
        program.first.lead_to(odd.port)
        program.expect_ids(chosen)
    assert odd.requests == 1


def run_all(names: list[str], folder: Path, ways: tuple[Proxy, Proxy]) -> list[subprocess.CompletedProcess[str]]:
    """At once, since each tries for some seconds."""
    with ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(lambda name: Program(name, folder, *ways).run(), names))


def test_without_a_server_programs_give_up(folder: Path, ways: tuple[Proxy, Proxy]) -> None:
    for way in ways:
        way.refuse()
    for done in run_all(list(PROGRAMS), folder, ways):
        assert done.returncode > 0 and done.stdout == "" and done.stderr


@pytest.mark.parametrize("protocol", ["http", "resp"])
def test_a_request_that_is_wrong_ends_with_an_error(folder: Path, ways: tuple[Proxy, Proxy], protocol: str) -> None:
    """Over HTTP it is not repeated, but by the shell."""
    names = [name for name in PROGRAMS if protocol_of(name) == protocol and name != "ids.sh"]
    with OddServer("unknown_key") as odd:
        for way in ways:
            way.heal()
            way.lead_to(odd.port)
        for done in run_all(names, folder, ways):
            assert done.returncode > 0 and done.stdout == "" and "unknown_key" in done.stderr
    assert odd.requests == len(names) * (1 if protocol == "http" else 10)


def test_a_fork_takes_ids_of_its_own(folder: Path, ways: tuple[Proxy, Proxy], chosen: ChosenIds) -> None:
    """The program for Ruby, which holds a batch when it forks."""
    for way in ways:
        way.heal()
        way.lead_to(chosen.ports["http"].number)
    script = "ids = Ids.new; puts ids.next_id; $stdout.flush; fork { 3.times { puts ids.next_id } }; Process.wait; 3.times { puts ids.next_id }"
    command = ["ruby", "-e", f'ARGV[0] = "0"; load "./ids.rb"; {script}']
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True)
    ids = done.stdout.split()
    assert len(set(ids)) == len(ids) == 7


# --- nginx -----------------------------------------------------------------------------------------


def get(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_lua_in_nginx(ways: tuple[Proxy, Proxy], chosen: ChosenIds) -> None:
    """Ids are exact, the other server is asked, and an answer that was cut off is an error."""
    first, second = ways
    for way in ways:
        way.heal()
        way.lead_to(chosen.ports["http"].number)
    text = re.sub(r"\borders\b", "1", block_with("server-clients.md", "content_by_lua_block"))
    places = {"127.0.0.1:8001": first.port, "127.0.0.1:8003": second.port}
    with Nginx(text, "8005", places, LUA) as nginx:
        taken = "".join(get(nginx.port, "/order")[1] for _ in range(100))
        first.refuse()
        taken += get(nginx.port, "/order")[1]
        first.heal()
        for answer in ("unready", "busy", "closes"):
            with OddServer(answer) as odd:
                first.lead_to(odd.port)
                taken += get(nginx.port, "/order")[1] + get(nginx.port, "/order")[1]
            assert odd.requests == 1
        assert [int(line) for line in taken.splitlines()] == chosen.ids[: 3 * 107]
        with OddServer("breaks off") as odd:
            first.lead_to(odd.port)
            second.lead_to(odd.port)
            status, body = get(nginx.port, "/order")
            assert status == 503 and "1234" not in body
        assert get(nginx.port, "/ids")[0] == 404


# --- clients of Redis ------------------------------------------------------------------------------


def test_the_table_of_clients_says_what_their_tests_show() -> None:
    """tests/server/test_clients.py fails if a client rounds that should not, or does not that should."""
    rows = re.findall(r"^\| ([\w -]+) \| ([\w ]*)\| ([23, ]+) \| \W*(exact|rounded)\W* \| (.+) \|$", PAGE, re.M)
    shown = [
        (*(word.strip() for word in kind.name.partition(",")[::2]), ", ".join(map(str, kind.resp)), kind.rounds)
        for kind in KINDS
        if kind.protocol == "resp"
    ]
    assert [(name, option.strip(), resp, how == "rounded") for name, option, resp, how, _ in rows] == shown
