"""Writes what fuzzing begins with:  python3 seeds.py VECTORS FOLDER

One folder a target, one file an input: every text that the vectors feed to the parser in question.
"""

import hashlib
import json
import shutil
import struct
import sys
from pathlib import Path

BASE = (0).to_bytes(8, "little")
HOST_NAMES = (
    "web-0",
    "web-7",
    "web-07",
    "web-",
    "-1",
    "ip-10-0-0-12",
    "db-18446744073709551615",
    "db-18446744073709551616",
)
SOURCES = ("host", "host:0", "host:7", "host:1023", "host:01", "host:18446744073709551616", "ordinal", "7", "")
FIELDS = (
    '{"worker": 7}',
    '{"datacenter":1,"worker":7}',
    '{ "datacenter" : 1 , "worker" : 31 }',
    '{"a":1,"a":2}',
    "{}",
    '{"a":01}',
)
RECORD = (
    "polyflake-node 2\ncount={}\nuntil_ms={}\nused={}\nwritten_ms=1795308130642\nnonce=0123456789abcdef0123456789abcdef\n"
    "identity=2049:131:1795308130000000000:0123456789abcdef\nowner=host-1/4711\nsum=0000000000000000\n"
)
NUMBERS = (
    (1, 1795308132642, 0),
    (2, 0, 7),
    (0, 1, 1),
    (18446744073709551615, 9223372036854775807, 1024),
    (3, 9223372036854775808, 0),
)

STORE_URLS = (
    "redis://user:secret@h:6379/0?namespace=orders&window_ms=4000",
    "redis+sentinel://a:1,b:2/primary/0?namespace=n&auto_init=1&label=0",
    "zookeeper://h1,h2,h3/chroot?namespace=n&tolerance_ms=500",
    "etcds://h?namespace=n&uuid=0123456789abcdef0123456789abcdef&ca=x",
    "postgresql://u:p@h/d?sslmode=verify-full&namespace=n&acquire_timeout_ms=1&renew_wait_ms=0&schema=Sales-1",
    "mysql://u@h/d?namespace=n&auto_init=1",
)
REDIS_URLS = (
    "redis://",
    "redis://user:s%40cret@h:6379/3",
    "redis://:secret@[::1]:1",
    "redis://[fe80::1]/0",
    "rediss://h",
)
POSTGRESQL_URLS = (
    "postgresql://",
    "postgresql://user:s%40cret@h:5432,[::1]:1,/d?sslmode=verify-full&connect_timeout=3",
    "postgresql:///d?host=/run/a,b&port=1,2&hostaddr=::1,127.0.0.1",
    "postgresql://user@/d?password=secret",
)
SERVER_URLS = (
    "etcd://user:s%40cret@h:2379,[::1],i:1/",
    "zookeeper://h1,h2:2,h3/services/ids",
    "etcd://:@,",
)
ETCD_ANSWERS = (
    '{"header":{"cluster_id":"1","revision":"7"},"succeeded":true,"responses":[{"response_put":{}},{"response_range":{}},{"response_range":{}}]}',
    '{"header":{"cluster_id":"1","revision":"7"},"responses":[{"response_range":{"kvs":[{"create_revision":"5"}]}},{}]}',
    '{"header":{"cluster_id":"1","revision":"7"},"responses":[{"response_range":{}},{"response_range":{}}]}',
    '{"header":{},"token":"abc.7"}',
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Zm9vYg==",
)
RESP = (
    "+OK\r\n",
    "-NOAUTH Authentication required.\r\n",
    ":-17\r\n",
    "$4\r\na\r\nb\r\n",
    "$-1\r\n",
    "*-1\r\n",
    "*3\r\n$2\r\nok\r\n:18446744073709551615\r\n$-1\r\n",
    "*2\r\n+a\r\n*0\r\n",
)
COMMANDS = (
    "*2\r\n$4\r\nINCR\r\n$6\r\norders\r\n*2\r\n$4\r\nincr\r\n$1\r\nn\r\n",
    "POLYFLAKE.NEXT orders 3 AFTER 17\r\nPOLYFLAKE.INFO\r\n\r\nPING\r\n",
    "*4\r\n$14\r\nPOLYFLAKE.NEXT\r\n$6\r\norders\r\n$1\r\n9\r\n*0\r\n*-1\r\n",
    "HELLO 3 SETNAME a\r\nCLIENT GETNAME\r\nPOLYFLAKE.DECODE 914518265051480065 twitter\r\nRESET\r\nQUIT\r\n",
    "*3\r\n$6\r\nCONFIG\r\n$3\r\nGET\r\n$4\r\nsave\r\n*1\r\n$65537\r\n",
    # The first byte chooses a listener with tokens: server_tokens.hpp.
    "\1INCR orders\r\nAUTH open-sesame\r\nINCR orders\r\nINCR n\r\nPOLYFLAKE.INFO\r\nRESET\r\nPING\r\nQUIT\r\n",
    "\1HELLO 3 AUTH viewer look-inside SETNAME a\r\nPOLYFLAKE.INFO\r\nAUTH a b\r\nINCR n\r\nHELLO 2\r\nHELLO\r\n",
    "\1POLYFLAKE.DECODE 7 leaf\r\n*3\r\n$4\r\nAUTH\r\n$7\r\ndefault\r\n$11\r\nopen-sesame\r\nPOLYFLAKE.DECODE 7 leaf\r\n",
)
HTTP = (
    (
        "\1POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\nAuthorization: Bearer open-sesame\r\n\r\n"
        "GET /v1/generators HTTP/1.1\r\nHost: ids\r\nAuthorization: bearer look-inside\r\n\r\n"
        "GET /decodeSnowflakeId?snowflakeId=7 HTTP/1.1\r\nHost: ids\r\nAuthorization: Basic look-inside\r\n\r\n"
    ),
    "\1GET /readyz HTTP/1.1\r\nHost: ids\r\n\r\nGET /v1/decode/7 HTTP/1.1\r\nHost: ids\r\nAuthorization: Bearer a\r\n\r\n",
    (
        "POST /v1/ids/orders?n=3 HTTP/1.1\r\nHost: ids\r\nAccept: text/plain;q=0.5, */*;q=0.1\r\n\r\n"
        "POST /v1/ids/%6Frders?after=912101662074630425&n=2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        "\r\nPOST /v1/ids/tickets HTTP/1.1\r\nHost: ids\r\nAccept: application/octet-stream\r\nConnection: close\r\n\r\n"
    ),
    (
        "GET /v1/decode/912101662074630426?layout=twitter HTTP/1.1\r\nHost: ids\r\n\r\n"
        "GET http://ids/v1/generators HTTP/1.1\r\nHost: ids\r\n\r\nHEAD /readyz HTTP/1.1\r\nHost: ids\r\n\r\n"
    ),
    (
        "PUT /api/snowflake/get/orders HTTP/1.1\r\nHost: ids\r\nContent-Length: 3\r\n\r\nabc"
        "GET /api/segment/get/tickets HTTP/1.1\r\nHost: ids\r\nTransfer-Encoding: chunked\r\n\r\n"
        "3;a=b\r\nabc\r\n0\r\nAccept: text/plain\r\n\r\n"
        "GET /decodeSnowflakeId?snowflakeId=912101662074630426 HTTP/1.1\r\nHost: ids\r\n\r\n"
    ),
    "POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    "POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
)
W = "0123456789abcdef" * 2
NAMES = {
    "format": "polyflake 1", "uuid": W, "nonce": W, "term": W, "layout": "0123456789abcdef", "window_ms": "10000",
    "tolerance_ms": "500", "settled": "1", "incarnation": "a:1", "floor_ms": "1795308132642", "used": "8",
}  # fmt: skip
NODE = {
    "format": "polyflake 1", "nonce": W, "owner": W, "layout": "0123456789abcdef", "until_ms": "1795308132642",
    "label": "host-1/4711",
}  # fmt: skip


def as_text(record):
    return "".join(f"{name}={value}\n" for name, value in record.items())


def word(high, low):
    return f"{high:016x}{low:016x}"


def replies(kind, *of):
    """What tests/fuzz/store_reply.cpp takes apart: replies, of rows, of fields."""
    ends = ("".join("".join(f"{field}\x1f" for field in row) + "\x1e" for row in rows) for rows in of)
    return bytes([kind]) + "\x1d".join(ends).encode()


NOW = "1795308130000"
ECHO = "0" * 15 + "1" + "0" * 15 + "2"
# Redis tells this of itself with each reply.
REPLICATION = (
    "role:master\r\nconnected_slaves:1\r\nslave0:ip=10.0.0.2,port=6379,state=online,offset=90,lag=0\r\n"
    "master_repl_offset:90\r\nsecond_repl_offset:-1\r\n"
)
SIGHT = ["a:1", NOW, "10.0.0.1:6379,10.0.0.2:6379", "named", REPLICATION]
ANNOUNCED = ["replica-announce-ip", "", "replica-announce-port", "0"]
CLIENT = ["id=3 addr=10.0.0.9:5000 laddr=10.0.0.1:6379 fd=8"]
HELD = [*NAMES.values(), *NODE.values(), *NODE.values()]
ROW = ["0", ECHO, "a:1", NOW, "2 ANY 1 (a)", "1", *NAMES.values(), "7", "1", *NODE.values()]
# A counter, and the same as tests/fuzz/store_reply.cpp asks for it.
HEAD = (
    f"format=polyflake 1;nonce={word(9, 10)};kind=segment;period=;digits=0;zone=;base=-5;rate=1000000;burst=50;"
    "top=1000000;failover=jump;topped_up_ms=0;period_label=0;period_start_ms=0;"
)
COUNTER = {
    "head": HEAD,
    "next": "21",
    "room": "100",
    "until_ms": str(2**53),
    "nonce": word(7, 8),
    "term": word(5, 6),
    "incarnation": "a:1",
    "label": "host/1",
}
SPACE = {**NAMES, "uuid": word(3, 4)}
COUNTED = [*SPACE.values(), *COUNTER.values()]
COUNTER_ROW = ["0", ECHO, "a:1", NOW, "on", "1", *SPACE.values(), "1", *COUNTER.values()]
REPLIES = (
    replies(0, [[*SIGHT, *HELD]], [ANNOUNCED], [CLIENT], [["ok", ECHO, *SIGHT]], [SIGHT], [[*SIGHT, *NAMES.values()]]),
    replies(0, [[*SIGHT, *HELD]], [ANNOUNCED], [CLIENT], [["busy", ECHO, *SIGHT]]),
    replies(
        0,
        [["a:1", NOW, "", "fenced", REPLICATION, *HELD]],
        [["ok", ECHO, *SIGHT[:2], "", "fenced", REPLICATION]],
        [["1"]],
    ),
    replies(1, [ROW], [["1", *ROW[1:]]], [ROW]),
    replies(2, [ROW], [ROW], [["x"]]),
    replies(3, [["ok"]], [[as_text(NAMES), "3", NOW, "3"], [as_text(NODE), "1", NOW, "1"], []], [["refused"]]),
    replies(
        4,
        [["refused", "1", "9", NOW], [as_text(NAMES), "1", "2"], [as_text(NODE), "3", "4"], []],
        [["ok", "1", "9", NOW]],
    ),
    replies(5, [[*SIGHT, *COUNTED]], [ANNOUNCED], [CLIENT], [["ok", ECHO, "21", "90", *SIGHT]], [SIGHT]),
    replies(5, [[*SIGHT, *COUNTED]], [ANNOUNCED], [CLIENT], [["room", ECHO, "0", "0", *SIGHT]], [[*SIGHT, *COUNTED]]),
    replies(6, [COUNTER_ROW], [["1", *COUNTER_ROW[1:], "21", "90"]], [COUNTER_ROW], [[*COUNTER_ROW, "21", "90"]]),
    replies(7, [[*COUNTER_ROW[:4], "1 MIXED ", *COUNTER_ROW[5:]]], [COUNTER_ROW], [["x"]], [COUNTER_ROW]),
    replies(8, [[as_text(SPACE), "3", NOW, "3"], ["", "0", NOW, "1"], [as_text(COUNTER), "1", NOW, "1"]], [["ok"]]),
    replies(
        9,
        [["ok", "a:1", "9", NOW], [as_text(SPACE), "1"], [as_text(COUNTER), "3"]],
        [["ok", "a:1", "9", NOW], [as_text(SPACE), "1"], [as_text({**COUNTER, "next": "31", "room": "90"}), "3"]],
    ),
)


COUNTED_TEXTS = (
    b"\0kind=date\nperiod=yyyyMM\ndigits=8\nzone=+08:00\nfailover=stop\nafter=1",
    b"\0rate=1000\nburst=50000\ntop=9223372036854775806\nfailover=jump\nafter=12345678",
    b"\1yyyyMMdd\nORD\nORD202304140001",
    b"\1yyyy\n\n20231",
    b"\2flickr.Tickets64\n10.11.6-MariaDB\x1f3\x1f2\x1f\n5\x1f\n8\x1f",
    b"\2Tickets64\n8.0.36\x1f1\x1f1\x1f\n4\x1f\n5\x1f\nx\x1f\n5.5.5-10.4.1-MariaDB\x1f3\x1f2\x1f",
)

LISTENER = '[[listener]]\nprotocol = "{}"\naddress = "{}"\n'
SERVER_CONFIGURATIONS = (
    '\1[token.a]\nsecret = "0123456789abcdef"\nkeys = "orders, invoices"\nrate = 7\ninspect = true\n',
    '\1[token.a]\nsecret = "0123456789abcdef"\n[token.b]\nsecret = "0123456789abcdef"\n',
    "[generator.a]\nworker = 7\n" + LISTENER.format("http", "[::1]:0") + 'tokens = "/etc/tokens.toml"\n',
    "[generator.a]\nworker = 7\n" + LISTENER.format("resp", "127.0.0.1:6400"),
    'registry = "/tmp"\nunknown_keys = "a"\nmax_batch = 5\nmax_wait_ms = 0\n[generator]\na = {worker = "host:7"}\n',
    "[generator.a]\nworker = 7\n" + LISTENER.format("http", "[::]:0") + "insecure = true\nleaf = true\n",
    '[generator.a]\nlayout = "twitter"\nworker = {datacenter = 1, worker = 7}\n'
    + LISTENER.format("thrift", "unix:/tmp/ids"),
    '[generator.a]\nworker = "redis://u:s@h:1/0?namespace=n&window_ms=4000"\n' + LISTENER.format("resp", "localhost:0"),
    '[counter.b]\nstore = "redis://h?namespace=n"\ncounter = "c"\nstep = 1\nhold_ms = 5\ntimeout_ms = 5\n',
    'drain_ms = 1\nmax_connections = 1\nmax_pending_bytes = 1048576\n[generator.a]\nworker = "ordinal"\n',
)


def thrift_call(method, fields=b"", kind=1):
    """A message of Thrift's strict binary protocol."""
    return struct.pack(">HHi", 0x8001, kind, len(method)) + method + struct.pack(">i", 7) + fields + b"\0"


def thrift_field(kind, number, value):
    return struct.pack(">bh", kind, number) + value


AGENT = thrift_field(11, 1, b"\0\0\0\1a")
NEWER = (
    AGENT,
    thrift_field(12, 3, thrift_field(2, 1, b"\1") + b"\0"),
    thrift_field(13, 4, b"\x0b\x08\0\0\0\1\0\0\0\1k\0\0\0\1"),
    thrift_field(15, 5, b"\x0c\0\0\0\2\0\0"),
    thrift_field(14, 6, b"\x0a\0\0\0\1" + bytes(8)),
    thrift_field(6, 7, bytes(2)) + thrift_field(4, 8, bytes(8)) + thrift_field(3, 9, b"x"),
)
THRIFT = (
    thrift_call(b"get_id", AGENT),
    thrift_call(b"get_ids", AGENT + thrift_field(8, 2, b"\0\0\0\3")),
    thrift_call(b"get_ids", AGENT + thrift_field(10, 2, bytes(8))),
    thrift_call(b"get_id", thrift_field(8, 1, bytes(4))),
    thrift_call(b"get_id", b"".join(NEWER)),
    thrift_call(b"get_id", AGENT, kind=4),
    thrift_call(b"get_id", AGENT, kind=2),
    *map(thrift_call, (b"get_worker_id", b"get_datacenter_id", b"get_timestamp", b"get_name")),
)


def framed(message):
    return struct.pack(">i", len(message)) + message


def texts(tests, *keys):
    return [test[key] for test in tests for key in keys if isinstance(test.get(key), str)]


CODECS = ("decimal", "hex", "crockford32", "base36", "base58", "base62", "zbase32", "base58-flickr")


def text_of(test):
    return test.get("text") or test.get("expect", {}).get("text")


def of_codec(test):
    """What tests/fuzz/codec.cpp takes apart."""
    options = test.get("options", {})
    choice = 2 * (options["width"] + 1) if "width" in options else 0
    return bytes([CODECS.index(test["codec"]), choice + options.get("check", False)]) + text_of(test).encode()


def of_friendly(test, presets):
    """What tests/fuzz/friendly.cpp takes apart, at UTC."""
    return bytes([presets.index(test["layout"]), 120]) + text_of(test).encode()


def lists(tests, choices):
    """What tests/fuzz/sqids.cpp and hashids.cpp take apart: each text with some choices of options."""
    texts = sorted({text_of(test) for test in tests if isinstance(text_of(test), str) and len(text_of(test)) < 200})
    return [bytes([choice]) + text.encode() for text in texts for choice in choices]


def of_seals(tests):
    """What tests/fuzz/seal.cpp takes apart: texts by each of its seals, and keys."""
    for test in tests:
        codec = test.get("codec", "base62")
        if isinstance(text_of(test), str) and codec in CODECS:
            for choice in (1, 2, 3):
                yield bytes([4 * CODECS.index(codec) + choice]) + text_of(test).encode()
    for digits in (32, 48, 64):
        for end in ("", "\n", "\r\n", " "):
            yield b"\0" + ("0f" * digits)[:digits].encode() + end.encode()


def inputs(groups):
    layouts = texts(groups["layout_text"], "text", "layout") + texts(groups["layout"], "layout")
    codecs = groups["codec"]
    presets = [test["name"] for test in groups["layout_text"] if test["op"] == "preset" and "expect" in test]
    friendly = [test for test in groups["friendly"] if test["layout"] in presets and text_of(test)]
    workers = texts(groups["options"], "worker", "environment", "worker_env") + list(SOURCES)
    return {
        "layout_text": layouts,
        "worker_source": workers,
        "worker_environment": workers + list(FIELDS),
        "kind_text": texts(groups["kind_text"], "text"),
        "uuid": texts(groups["uuid"] + groups["objectid"], "text"),
        "codec": [of_codec(test) for test in codecs if isinstance(text_of(test), str)],
        "friendly": [of_friendly(test, presets) for test in friendly],
        "sqids": lists(groups["sqids"], (0, 3, 12, 24)),
        "hashids": lists(groups["hashids"], (0, 6)),
        "seal": list(of_seals(groups["seal"])),
        "node_file": [RECORD.format(*numbers).ljust(512) for numbers in NUMBERS],
        "store_url": STORE_URLS,
        "lease_record": [as_text(NAMES), as_text(NODE)],
        "store_reply": REPLIES,
        "counted": COUNTED_TEXTS,
        "redis_server": REDIS_URLS,
        "postgresql_server": POSTGRESQL_URLS,
        "server_address": SERVER_URLS,
        "etcd_answer": ETCD_ANSWERS,
        "resp": RESP,
        "server_resp": COMMANDS,
        "server_configuration": SERVER_CONFIGURATIONS,
        "server_thrift": [*THRIFT, *map(framed, THRIFT), b"".join(THRIFT), b"".join(map(framed, THRIFT))],
        "server_http": HTTP,
        "ordinal": [BASE + name.encode() for name in HOST_NAMES],
    }


def main(vectors, folder):
    groups = {group["name"]: group["tests"] for group in json.loads(vectors.read_text(encoding="utf-8"))["groups"]}
    shutil.rmtree(folder, ignore_errors=True)
    for target, found in inputs(groups).items():
        (folder / target).mkdir(parents=True)
        for each in found:
            data = each if isinstance(each, bytes) else each.encode("utf-8", "surrogatepass")
            (folder / target / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    (folder / "written").write_text("")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
