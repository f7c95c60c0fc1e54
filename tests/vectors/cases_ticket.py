"""Group `ticket`: which answers of a server are numbers, and which server is asked next."""

from model import case
from model_tickets import Server, Servers


def replies(comment, m, k, given, meant):
    server = Server(k, m)
    results = [server.judge(answer) for answer in given]
    assert results == [str(result) for result in meant], f"meant {meant}, the model says {results}"
    assert not any(result.startswith("store_") for result in results[:-1])
    return case("ticket", comment, "", {"op": "replies", "servers": m, "server": k, "replies": [str(answer) for answer in given],
                                        "results": results})


def calls(comment, m, *script, meant=None):
    """`script`: (time, replies) of each call for a number; `meant` are the servers that are asked, and what comes of it."""
    servers, made, said = Servers(m), [], []
    for now_ms, given in script:
        asked, result = servers.next_id(now_ms, given)
        said.append(("".join(str(call["server"]) for call in asked), result))
        made.append({"now_ms": str(now_ms), "asks": asked, **({"number": result} if result.isdecimal() else {"error": result})})
    assert meant is None or said == meant, f"meant {meant}, the model says {said}"
    return case("ticket", comment, "", {"op": "calls", "servers": m, "calls": made})


def answers():
    went_back, wrong, again = "store_went_back", "store_misconfigured", "again"
    yield replies("answers of the first of two", 2, 1, [5, 7, 9, 11], [5, 7, 9, 11])
    yield replies("answers of the second of two", 2, 2, [4, 6, 10], [4, 6, 10])
    yield replies("a wrong one twice", 2, 1, [16, 18], [again, wrong])
    yield replies("a wrong one, and a right one", 2, 1, [16, 17], [again, 17])
    yield replies("a number below the last one", 2, 1, [11, 5], [11, went_back])
    yield replies("a number that was given already", 2, 1, [11, 11], [11, went_back])
    yield replies("0 twice", 2, 1, [0, 0], [again, wrong])
    yield replies("0 is no number of the last server, either", 2, 2, [0, 0], [again, wrong])
    yield replies("0 is no number of a single server", 1, 1, [0, 0], [again, wrong])
    yield replies("each call may repeat once", 2, 1, [16, 17, 18, 19, 20, 22], [again, 17, again, 19, again, wrong])
    yield replies("repeated, and below the last one", 2, 1, [21, 22, 5], [21, again, went_back])
    yield replies("a single server: every number is right", 1, 1, [1, 2, 3, 10], [1, 2, 3, 10])
    yield replies("a single server goes back", 1, 1, [3, 2], [3, went_back])
    yield replies("the last of three has the multiples", 3, 3, [3, 6, 9, 10, 11], [3, 6, 9, again, wrong])
    yield replies("the second of three", 3, 2, [2, 5, 9, 11], [2, 5, again, 11])
    yield replies("the first of sixteen", 16, 1, [1, 17, 33, 32, 49], [1, 17, 33, again, 49])
    yield replies("numbers beyond 2^53", 2, 1, [2**53 + 1, 2**53 + 3, 2**53 + 4, 2**53 + 5], [2**53 + 1, 2**53 + 3, again, 2**53 + 5])
    yield replies("numbers beyond 2^53 go back by the last digit", 2, 1, [2**53 + 3, 2**53 + 1], [2**53 + 3, went_back])
    yield replies("up to 2^63 - 1", 2, 1, [2**63 - 3, 2**63 - 1], [2**63 - 3, 2**63 - 1])
    yield replies("another number of servers at the server", 3, 1, [4, 8, 12], [4, again, wrong])


def turns():
    yield calls("two servers by turns", 2, (0, [1]), (0, [2]), (1, [3]), (2, [4]), meant=[("1", "1"), ("2", "2"), ("1", "3"), ("2", "4")])
    yield calls("three servers by turns", 3, (0, [1]), (0, [2]), (0, [3]), (0, [4]), meant=[("1", "1"), ("2", "2"), ("3", "3"), ("1", "4")])
    yield calls("a single server", 1, (0, [1]), (0, [2]), meant=[("1", "1"), ("1", "2")])
    yield calls("a dead server costs one failed call, inside the same call for a number", 2, (0, ["failed", 2]), (1, [4]), (2, [6]),
                meant=[("12", "2"), ("2", "4"), ("2", "6")])
    yield calls("after a second it is asked again", 2, (0, ["failed", 2]), (999, [4]), (1000, [1]), (1000, [6]), (1001, [3]),
                meant=[("12", "2"), ("2", "4"), ("1", "1"), ("2", "6"), ("1", "3")])
    out, at, meant = [(0, ["failed"])], 0, [("1", "store_unavailable")]
    for seconds in (1, 2, 4, 8, 16, 30, 30):
        out += [(at + 1000 * seconds - 1, []), (at + 1000 * seconds, ["failed"])]
        meant += [("", "store_unavailable"), ("1", "store_unavailable")]
        at += 1000 * seconds
    yield calls("out for 1, 2, 4, 8, 16, 30 and 30 s", 1, *out, meant=meant)
    yield calls("an answer ends the doubling", 1, (0, ["failed"]), (1000, ["failed"]), (3000, [1]), (3001, ["failed"]), (4000, []), (4001, [2]),
                meant=[("1", "store_unavailable"), ("1", "store_unavailable"), ("1", "1"), ("1", "store_unavailable"), ("", "store_unavailable"),
                       ("1", "2")])
    yield calls("all are out", 3, (0, ["failed", "failed", "failed"]), (500, []), (1000, [1]), (1000, [2]),
                meant=[("123", "store_unavailable"), ("", "store_unavailable"), ("1", "1"), ("2", "2")])
    yield calls("the least recently used of those that are up", 3, (0, [1]), (0, [2]), (0, ["failed", 4]), (10, [5]), (1000, [3]), (1000, [7]),
                meant=[("1", "1"), ("2", "2"), ("31", "4"), ("2", "5"), ("3", "3"), ("1", "7")])
    yield calls("a deadlock is no failure: the same server again, at once", 2, (0, ["deadlock", 1]), (0, [2]), (0, [3]),
                meant=[("11", "1"), ("2", "2"), ("1", "3")])
    yield calls("nor is waiting for a lock", 2, (0, ["lock_wait", "lock_wait", "deadlock", 1]), (0, [2]), meant=[("1111", "1"), ("2", "2")])
    yield calls("a deadlock, then a failure", 2, (0, ["deadlock", "failed", 2]), (0, [4]), meant=[("112", "2"), ("2", "4")])
    yield calls("a wrong answer: the session is set again, and the call repeated once", 2, (0, [16, 17]), (0, [18]), (0, [19]),
                meant=[("11", "17"), ("2", "18"), ("1", "19")])
    yield calls("a wrong server is out for good", 2, (0, [16, 18]), (0, [20]), (0, [22]), (10**6, [24]),
                meant=[("11", "store_misconfigured"), ("2", "20"), ("2", "22"), ("2", "24")])
    yield calls("a server that went back is out for good", 2, (0, [11]), (0, [2]), (0, [5]), (0, [4]), (10**6, [6]),
                meant=[("1", "11"), ("2", "2"), ("1", "store_went_back"), ("2", "4"), ("2", "6")])
    yield calls("all are wrong", 2, (0, [16, 18]), (0, [1, 3]), (0, []), (10**6, []),
                meant=[("11", "store_misconfigured"), ("22", "store_misconfigured"), ("", "store_unavailable"), ("", "store_unavailable")])
    yield calls("one is wrong, the other out", 2, (0, [16, 18]), (0, ["failed"]), (999, []), (1000, [2]),
                meant=[("11", "store_misconfigured"), ("2", "store_unavailable"), ("", "store_unavailable"), ("2", "2")])
    yield calls("what a server gave before it was out still counts", 1, (0, [5]), (0, ["failed"]), (1000, [5]),
                meant=[("1", "5"), ("1", "store_unavailable"), ("1", "store_went_back")])
    yield calls("each server has a largest number of its own", 2, (0, [101]), (0, [2]), (0, [103]), (0, [4]),
                meant=[("1", "101"), ("2", "2"), ("1", "103"), ("2", "4")])
    yield calls("a failure while a call is repeated", 2, (0, [16, "failed", 2]), (1000, [18, 19]),
                meant=[("112", "2"), ("11", "19")])


def ticket_cases():
    yield from answers()
    yield from turns()
