"""The reference model of ticket servers: is an answer believed, and which server is asked next."""

AT_ONCE = ("deadlock", "lock_wait")
LONGEST_OUT_MS = 30_000


class Server:
    """Server k of m."""

    def __init__(self, k, m):
        self.k, self.m = k, m
        self.seen = 0
        self.used = 0  # a higher one was used later
        self.failures = 0
        self.out_until_ms = None
        self.wrong = False
        self.repeating = False

    def judge(self, answer):
        """The number as text, "again", or a code; a code takes the server out permanently."""
        if answer == 0 or answer % self.m != self.k % self.m:
            self.repeating, self.wrong = not self.repeating, self.repeating
            return "store_misconfigured" if self.wrong else "again"
        self.repeating = False
        if answer <= self.seen:
            self.wrong = True
            return "store_went_back"
        self.seen = answer
        return str(answer)

    def fails(self, now_ms):
        self.out_until_ms = now_ms + min(1000 * 2**self.failures, LONGEST_OUT_MS)
        self.failures += 1

    def is_up(self, now_ms):
        return not self.wrong and (self.out_until_ms is None or now_ms >= self.out_until_ms)


class Servers:
    def __init__(self, m):
        self.all = [Server(k, m) for k in range(1, m + 1)]
        self.calls = 0

    def next_up(self, now_ms):
        """The least recently used one that is up; of those never used the first."""
        return min(
            (server for server in self.all if server.is_up(now_ms)), key=lambda server: server.used, default=None
        )

    def next_id(self, now_ms, replies):
        """The calls that are made until there is a number or a code; `replies` are those of the servers, in order."""
        calls, replies = [], list(replies)
        while server := self.next_up(now_ms):
            result, made = self.ask(server, now_ms, replies)
            calls += made
            if result != "next":
                break
        else:
            result = "store_unavailable"
        assert not replies, f"nobody asks for {replies}"
        return calls, result

    def ask(self, server, now_ms, replies):
        self.calls += 1
        server.used = self.calls
        calls, result = [], "again"
        while result == "again":
            reply = replies.pop(0)
            calls.append({"server": server.k, "reply": str(reply), **({"set_again": True} if server.repeating else {})})
            if reply in AT_ONCE:
                continue
            if reply == "failed":
                server.fails(now_ms)
                server.repeating = False
                return "next", calls
            server.failures, server.out_until_ms = 0, None
            result = server.judge(reply)
        return result, calls
