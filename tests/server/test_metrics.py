"""The page /metrics, read by Prometheus' own parser and compared with what was asked."""

from __future__ import annotations

import contextlib
import re
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from polyflaked import Polyflaked
from prometheus_client.parser import text_string_to_metric_families
from servers import Redis
from servers.waiting import within
from wire_clients import Refused, RespClient, request_of

import polyflake
from polyflake.stores import init_counter, init_namespace

ROOT = Path(__file__).resolve().parents[2]


class Metrics:
    """The values of one reading."""

    def __init__(self, server: Polyflaked) -> None:
        status, self.text = server.http("/metrics")
        assert status == 200
        self.families = {family.name: family for family in text_string_to_metric_families(self.text)}
        self.values = {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in self.families.values()
            for sample in family.samples
        }

    def __call__(self, name: str, **labels: str) -> float:
        return self.values[f"polyflaked_{name}", tuple(sorted(labels.items()))]

    def buckets(self, name: str) -> dict[float, float]:
        found = re.findall(rf'^polyflaked_{name}_bucket{{le="(.*?)"}} (\S+)$', self.text, re.M)
        return {float(bound): float(count) for bound, count in found}


def requests(read: Metrics, protocol: str) -> tuple[float, float, float]:
    given, answered, refused = (
        read("requests_total", protocol=protocol, result=result) for result in ("given", "answered", "refused")
    )
    return given, answered, refused


@pytest.fixture
def fresh():
    """A server whose first window has begun, since a request that came too early is counted, too."""
    with Polyflaked(head="max_batch = 5000") as server:
        assert within(60, lambda: server.ready()[0] == 200)
        yield server


def test_it_says_that_it_is_text_of_prometheus(fresh: Polyflaked) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{fresh.ports['http'].number}/metrics", timeout=60) as answer:
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        assert answer.headers["Cache-Control"] == "no-store"
    assert fresh.http("/metrics", "POST")[0] == 405


def test_ids_and_requests_are_counted_as_they_were_asked(fresh: Polyflaked) -> None:
    before = Metrics(fresh)
    with fresh.client("resp") as resp, fresh.client("thrift") as thrift, fresh.client("http") as http:
        assert isinstance(resp, RespClient)
        for _ in range(5):
            resp.take()
        resp.take(1000)
        resp.send(request_of("INCR", "orders") * 700)  # more than one run
        assert len({resp.reply() for _ in range(700)}) == 700
        assert resp.ask("PING") == "PONG"
        thrift.take(3)
        http.take(20)
        after = Metrics(fresh)
        assert after("connections") == 4  # and the one that asks
    assert requests(after, "resp") == (706, 1, 0)
    assert requests(after, "thrift") == (1, 0, 0)
    http_before, http_after = requests(before, "http"), requests(after, "http")
    assert [now - then for now, then in zip(http_after, http_before, strict=True)] == [1, 1, 0]
    given = 5 + 1000 + 700 + 3 + 20
    assert after("ids_total", generator="orders") - before("ids_total", generator="orders") == given
    assert after("batch_ids_sum") - before("batch_ids_sum") == given
    assert after("batch_ids_count") == after("request_seconds_count") == 708
    assert {
        bound: count for bound, count in after.buckets("batch_ids").items() if bound in (1, 3, 10, 30, 300, 1000)
    } == {
        1: 705,
        3: 706,
        10: 706,
        30: 707,
        300: 707,
        1000: 708,
    }
    assert after.buckets("request_seconds")[float("inf")] == 708
    assert 0 < after("request_seconds_sum") < 708 * 60


@pytest.mark.parametrize(
    "ask, protocol, reason",
    [
        (lambda server: server.http("/v1/ids/other", "POST"), "http", "unknown_key"),
        (lambda server: server.http("/v1/ids/orders?n=x", "POST"), "http", "option_invalid"),
        (lambda server: server.http("/v1/ids/orders?n=5001", "POST"), "http", "batch_too_large"),
        (lambda server: server.http("/v1/ids/orders?after=9000000000000000000", "POST"), "http", "clock_behind"),
        (lambda server: server.http("/v1/decode/1?layout=x"), "http", "unknown_preset"),
        (lambda server: server.http("/other"), "http", "not_found"),
        (lambda server: server.http("/livez", "POST"), "http", "method_not_allowed"),
        (lambda server: server.client("resp").take(5001), "resp", "batch_too_large"),
        (lambda server: server.client("resp").take_of("other"), "resp", "unknown_key"),
        (lambda server: server.client("resp").ask("POLYFLAKE.DECODE", "x"), "resp", "text_invalid"),
        (lambda server: server.client("resp").ask("EVIL{}"), "resp", "bad_request"),
        (lambda server: server.client("thrift").take(5001), "thrift", "batch_too_large"),
    ],
)
def test_a_refusal_is_counted_by_its_code(
    fresh: Polyflaked, ask: Callable[[Polyflaked], object], protocol: str, reason: str
) -> None:
    before = Metrics(fresh)
    with contextlib.suppress(Refused):
        ask(fresh)
    after = Metrics(fresh)
    assert after("refusals_total", reason=reason) - before("refusals_total", reason=reason) == 1
    assert requests(after, protocol)[2] - requests(before, protocol)[2] == 1
    refusals = sum(value for (name, _), value in after.values.items() if name == "polyflaked_refusals_total")
    assert refusals == sum(requests(after, one)[2] for one in ("http", "resp", "thrift"))


def code_of_reply(client: RespClient) -> str:
    try:
        client.reply()
    except Refused as refusal:
        return refusal.code
    return ""


def test_a_run_that_is_refused_is_counted_whole() -> None:
    """A tick of this layout has 256 ids, and no request may wait for the next one."""
    with Polyflaked(head="max_wait_ms = 0", layout="sonyflake") as server, server.client("resp") as client:
        assert isinstance(client, RespClient)
        assert within(60, lambda: server.ready()[0] == 200)
        client.send(request_of("INCR", "orders") * 3000)
        refused = Counter(filter(None, (code_of_reply(client) for _ in range(3000))))
        read = Metrics(server)
        assert refused.total() > 256
        assert requests(read, "resp") == (3000 - refused.total(), 0, refused.total())
        assert {code: read("refusals_total", reason=code) for code in refused} == refused
        assert read("ids_total", generator="orders") == 3000 - refused.total()


def test_no_text_of_a_client_is_in_it(fresh: Polyflaked) -> None:
    words = ("secretword", "INCR2")
    fresh.http(f"/v1/ids/{words[0]}", "POST")
    fresh.http("/metrics", **{"User-Agent": words[0]})
    with fresh.client("resp") as client:
        assert isinstance(client, RespClient)
        for command in ((words[1],), ("INCR", words[0]), ("CLIENT", "SETNAME", words[0])):
            with contextlib.suppress(Refused):
                client.ask(*command)
    text = Metrics(fresh).text
    assert not any(word in text for word in words)
    with Polyflaked() as untouched:
        names = set(Metrics(untouched).values)
    assert set(Metrics(fresh).values) == names  # what clients did made no line


def test_readiness_version_and_connections() -> None:
    head = "drain_ms = 60000\nmax_connections = 3"
    with Polyflaked(head=head) as server:
        assert within(60, lambda: server.ready()[0] == 200)
        read = Metrics(server)
        assert read("ready") == 1
        assert read("build_info", version=polyflake.__version__) == 1
        with server.client("resp") as one, server.client("resp") as two:
            one.take()
            two.take()
            assert Metrics(server)("connections") == 3
            with server.client("resp") as kept:
                kept.take()
                with pytest.raises((Refused, OSError)), server.client("resp") as many:
                    many.take()
        assert within(60, lambda: Metrics(server)("connections") == 1)
        assert Metrics(server)("connections_refused_total") == 1
        server.terminate()
        assert within(60, lambda: server.said("draining"))
        assert Metrics(server)("ready") == 0
        server.terminate()
        assert server.ended() == 0


def test_windows_and_renewals_of_a_host(registry: Path) -> None:
    with Polyflaked('"host"', head=f'registry = "{registry}"') as server:
        assert within(60, lambda: server.ready()[0] == 200)
        assert within(60, lambda: Metrics(server)("renewal_seconds_count", generator="orders") >= 2)
        read = Metrics(server)
        assert 0 < read("window_remaining_seconds", generator="orders") < 60
        assert read("renewal_seconds_sum", generator="orders") > 0
        assert read("lease_renewals_total", generator="orders") == 0


def test_windows_and_renewals_of_a_lease_and_numbers_of_a_counter(redis: Redis) -> None:
    url = f"{redis.url}/0?namespace=metrics"
    init_namespace(f"{url}&window_ms=5000", fresh=True)
    init_counter(url, "invoices", after=41)
    with Polyflaked(f'"{url}"', tail=f'[counter.invoices]\nstore = "{url}"') as server:
        assert within(60, lambda: server.ready()[0] == 200)
        assert server.http("/v1/ids/invoices?n=7", "POST")[0] == 200
        assert within(60, lambda: Metrics(server)("lease_renewals_total", generator="orders") >= 1)
        read = Metrics(server)
        assert 0 < read("window_remaining_seconds", generator="orders") <= 5
        assert read("renewal_seconds_count", generator="orders") == 0
        assert read("numbers_total", counter="invoices") == 7
        redis.pause()
        assert within(60, lambda: Metrics(server)("window_remaining_seconds", generator="orders") == 0)
        assert within(60, lambda: Metrics(server)("store_failures_total", generator="orders") >= 1)
        assert Metrics(server)("ready") == 0
        redis.resume()


def test_the_page_lists_all_of_them(redis: Redis) -> None:
    url = f"{redis.url}/0?namespace=listed"
    init_namespace(url, fresh=True)
    init_counter(url, "invoices", after=0)
    with Polyflaked(f'"{url}"', tail=f'[counter.invoices]\nstore = "{url}"') as server:
        assert within(60, lambda: server.ready()[0] == 200)
        read = Metrics(server)
    names = re.findall(r"^# TYPE (\S+) (\S+)$", read.text, re.M)
    helps = dict(re.findall(r"^# HELP (\S+) (.+)$", read.text, re.M))
    rows = []
    for name, kind in names:
        line = re.search(rf"^{name}(?:_sum)?({{.*}})? ", read.text, re.M)
        assert line is not None
        labels = ",".join(re.findall(r'(\w+)="', line[1] or ""))
        rows.append(f"| `{name}{f'{{{labels}}}' if labels else ''}` | {kind} | {helps[name]} |")
    page = (ROOT / "docs/server.md").read_text("ascii")
    table = page.split("| metric | type | meaning |\n| --- | --- | --- |\n", 1)[1].split("\n\n", 1)[0]
    assert table.splitlines() == rows


def test_each_family_has_a_type_and_a_help(fresh: Polyflaked) -> None:
    read = Metrics(fresh)
    assert read.text.count("# TYPE ") == read.text.count("# HELP ") == len(read.families)
    assert all(family.type != "unknown" and family.documentation for family in read.families.values())
    assert all(name.startswith("polyflaked_") for name in read.families)


def test_the_codes_of_the_page_are_known(fresh: Polyflaked) -> None:
    page = (ROOT / "docs/server.md").read_text("ascii")
    rows = page.split("| code | HTTP | meaning |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    codes = {code for row in rows for code in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert len(codes) > 10
    known = {dict(labels)["reason"] for name, labels in Metrics(fresh).values if name == "polyflaked_refusals_total"}
    assert codes <= known
