"""Group `step`: how many numbers a segment takes at once, after each fetch."""

from model import case, outcome
from model_counters import steps


def s(comment, fetches, error=None, meant=None, flags="", **options):
    answer = outcome(error, lambda: {"steps": steps(fetches, **options)})
    assert meant is None or answer["expect"]["steps"][1:] == meant, f"meant {meant}, the model says {answer}"
    return case("step", comment, flags, {**({"options": options} if options else {}), "fetches": [list(f) for f in fetches], **answer})


def adaptive():
    yield s("up with use, and down again", [(100, 1000), (800, 800), (6400, 6400), (48000, 48000), (60000, 60000), (60000, 600000),
                                            (30000, 3000000), (15000, 10000000)],
            meant=[800, 6400, 51200, 60000, 60000, 30000, 15000, 7500])
    yield s("before the first fetch it is the least", [], meant=[])
    yield s("a steady use of one number a ms", [(100, 100), (800, 800), (6400, 6400), (51200, 51200), (60000, 60000)],
            meant=[800, 6400, 51200, 60000, 60000])
    yield s("never below the least", [(1, 10**6), (0, 10**6), (0, 1)], meant=[100, 100, 100])
    yield s("never above the most", [(10**6, 1)] * 7, meant=[800, 6400, 51200, 409600, 10**6, 10**6, 10**6])
    yield s("at most eight times the step before", [(10**6, 1), (10**6, 1)], meant=[800, 6400])
    yield s("at least half of the step before, rounded down", [(10**6, 1), (10**6, 1), (10**6, 1), *[(0, 1000)] * 11],
            meant=[800, 6400, 51200, 25600, 12800, 6400, 3200, 1600, 800, 400, 200, 100, 100, 100])
    yield s("half of an odd step", [(16, 1000), (0, 1000), (0, 1000), (0, 1000)], meant=[112, 56, 28, 14],
            min_step=14, hold_ms=3500)
    yield s("half of an odd step is rounded down", [(15, 1000), (0, 1000), (0, 1000)], meant=[105, 52, 26], min_step=14, hold_ms=3500)
    yield s("the quotient is rounded down", [(100, 7001), (100, 6999), (1, 59999), (7, 1000)], meant=[800, 857, 428, 420])
    yield s("no time has passed", [(100, 0), (800, 0)], meant=[800, 6400])
    yield s("no number was used", [(0, 1000)], meant=[100])
    yield s("no number was used in no time", [(10**6, 1), (0, 0)], meant=[800, 400])
    yield s("a very long time", [(10**6, 1), (1, 2**53 - 1)], meant=[800, 400])
    yield s("a product beyond 64 bits", [(2**52, 1), (2**52, 10**9)], meant=[800, 6400], flags="wraparound")
    yield s("a product beyond 64 bits with a quotient that counts", [(10**6, 1)] * 5 + [(4 * 10**14, 2**45)],
            meant=[800, 6400, 51200, 409600, 10**6, 682121], flags="wraparound")


def bounds():
    yield s("a least and a most of one's own", [(1000, 1), (1000, 1), (0, 1)], meant=[80, 500, 250], min_step=10, max_step=500)
    yield s("the least and the most are one", [(10**6, 1), (0, 10**6)], meant=[7, 7], min_step=7, max_step=7)
    yield s("steps from 1", [(1, 1), (8, 1), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1)], meant=[8, 64, 32, 16, 8, 4, 2, 1], min_step=1)
    yield s("half of 1 is not 0", [(0, 1000), (0, 1000)], meant=[1, 1], min_step=1)
    yield s("a longer time to hold", [(100, 1000), (800, 1000), (6400, 60000)], meant=[800, 6400, 51200], hold_ms=600_000)
    yield s("a time to hold of 1 ms", [(100, 1), (200, 1)], meant=[200, 400], hold_ms=1)
    yield s("a step that is given stays", [(1000, 1), (0, 10**6)], meant=[5000, 5000], step=5000)
    yield s("a step of 1", [(1, 1), (1, 0)], meant=[1, 1], step=1)
    for what, options in (("a step of 0", {"step": 0}), ("a negative step", {"step": -1}), ("a least of 0", {"min_step": 0}),
                          ("a negative least", {"min_step": -100}), ("a most below the least", {"min_step": 101, "max_step": 100}),
                          ("a most of 0", {"min_step": 1, "max_step": 0}), ("no time to hold", {"hold_ms": 0}),
                          ("a negative time to hold", {"hold_ms": -1})):
        yield s(f"{what} is refused", [], "option_invalid", **options)


def step_cases():
    yield from adaptive()
    yield from bounds()
