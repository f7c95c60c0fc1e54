"""Runs the examples: four languages issue ids at the same time, then each reads what another issued.

Started by `./dev demo`, which builds them. The programs print an id and the value of each of its parts; here the
bits are drawn, compared with those values, and counted over all languages. The exit code is 1 if any id came
twice or any part differs from its bits.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

from polyflake import Layout

EXAMPLES = Path(__file__).resolve().parent
BUILD = EXAMPLES.parent / "build"
WORK = BUILD / "demo"
PUBLISHED = EXAMPLES.parent / "tests/vectors/published-ids.json"
LANGUAGES = ("C++", "Python", "Node", "Java")
WELL_KNOWN = {
    "tweet 42963561600909314": "twitter",
    "X API docs sample tweet": "twitter",
    "Discord docs diagram": "discord",
    "Discord lobby message": "discord",
}
COLOURS = {"timestamp": 36, "sequence": 33, "unused": 90}
NODE_COLOURS = (35, 32, 34)


def command(language: str, program: str, jar: str) -> list[str]:
    """How a program of the examples is started: "issue" or "decode"."""
    return {
        "C++": [str(BUILD / "examples" / program)],
        "Python": [sys.executable, str(EXAMPLES / "python" / f"{program}.py")],
        "Node": ["node", str(EXAMPLES / "node" / f"{program}.mjs")],
        "Java": ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{jar}:{BUILD / 'examples/java'}", program.capitalize()],
    }[language]


def run_all(program: str, jar: str, arguments: dict[str, list[str]], *, waits: bool = False) -> dict[str, list[str]]:
    """Starts a program in every language at once; the lines each printed.

    Where they wait for the end of their input, it comes when each has printed a line: that one is left out.
    """
    environment = {**os.environ, "POLYFLAKE_HOME": str(BUILD / "demo-home")}
    environment.pop("POLYFLAKE_WORKER", None)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = {
        language: subprocess.Popen(command(language, program, jar) + arguments[language], env=environment, **pipes)
        for language in LANGUAGES
    }
    ready = {language: process.stdout.readline() if waits else "" for language, process in running.items()}
    for process in running.values():
        process.stdin.close()  # this is what they wait for
        process.stdin = None
    lines = {language: process.communicate()[0].splitlines() for language, process in running.items()}
    for language, process in running.items():
        if waits and not ready[language].startswith("node id"):
            sys.exit(f"{language}: {program} opened no generator")
        if process.returncode != 0:
            sys.exit(f"{language}: {program} ended with exit code {process.returncode}")
    return lines


class Said:
    """A printed line: an id and its parts by name."""

    def __init__(self, line: str) -> None:
        id, *parts = line.split()
        self.id = int(id)
        self.parts = {name: int(value) for name, value in (part.split("=") for part in parts)}

    def time(self) -> str:
        instant = datetime.fromtimestamp(0, timezone.utc) + timedelta(milliseconds=self.parts["time_ms"])
        return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def paint(text: str, colour: int) -> str:
    return f"\033[{colour}m{text}\033[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text


def draw(said: Said, layout: Layout) -> bool:
    """Prints the id, its bits and below them its parts; whether the two agree."""
    fields = list(layout.fields)
    unused = 64 - sum(width for _, width in fields)
    bits = f"{said.id:064b}"
    drawn, at, agree = [], unused, int("0" + bits[:unused], 2) == 0
    if unused:
        drawn.append(paint(bits[:unused], COLOURS["unused"]))
    parts = [paint(said.time(), COLOURS["timestamp"])]
    node_colours = iter(NODE_COLOURS * 11)
    for name, width in fields:
        field_bits, at = bits[at : at + width], at + width
        value = said.parts["tick" if name == "timestamp" else name]
        agree = agree and int(field_bits, 2) == value
        colour = COLOURS.get(name) or next(node_colours)
        drawn.append(paint(field_bits, colour))
        if name != "timestamp":
            parts.append(paint(f"{name} {value}", colour))
    print(f"  {said.id:>19}  {' '.join(drawn)}")
    print(f"  {'':>19}  {', '.join(parts)}")
    return agree


def issue(jar: str) -> tuple[dict[str, list[Said]], list[int], bool]:
    arguments = {language: [str(WORK / f"{language}.txt")] for language in LANGUAGES}
    printed = run_all("issue", jar, arguments, waits=True)
    layout, samples, all_ids, agree = Layout("polyflake"), {}, [], True
    print(f"Four processes of this host issued at the same time. Layout, most significant bit first:\n  {layout}\n")
    for language in LANGUAGES:
        print(f"{language}")
        samples[language] = [Said(line) for line in printed[language]]
        for said in samples[language]:
            agree &= draw(said, layout)
        all_ids += map(int, (WORK / f"{language}.txt").read_text().split())
    return samples, all_ids, agree


def decode(jar: str, samples: dict[str, list[Said]]) -> bool:
    known = {vector["name"]: vector for vector in json.loads(PUBLISHED.read_text())["vectors"]}
    public = [pair for name, layout in WELL_KNOWN.items() for pair in (layout, known[name]["id"])]
    issuer = {language: LANGUAGES[i - 1] for i, language in enumerate(LANGUAGES)}
    arguments = {language: ["polyflake", str(samples[issuer[language]][-1].id), *public] for language in LANGUAGES}
    read = {language: [Said(line) for line in lines] for language, lines in run_all("decode", jar, arguments).items()}

    agree = True
    print("\nEach reads an id that another language issued:\n")
    for language in LANGUAGES:
        said, meant = read[language][0], samples[issuer[language]][-1]
        same = said.id == meant.id and said.parts == meant.parts
        agree &= same
        parts = ", ".join(f"{name} {value}" for name, value in said.parts.items() if name not in ("time_ms", "tick"))
        print(f"  {issuer[language]:>6} -> {language:<6}  {said.id}  {said.time()}  {parts}  {verdict(same)}")

    print("\nAll four read ids that Twitter and Discord published:\n")
    for i, (name, layout) in enumerate(WELL_KNOWN.items(), 1):
        expected = known[name]["expected"]
        answers = [read[language][i] for language in LANGUAGES]
        # Discord calls its sequence "increment".
        wanted = {
            {"unix_ms": "time_ms", "timestamp_ticks": "tick", "increment": "sequence"}.get(key, key): value
            for key, value in expected.items()
            if key != "utc"
        }
        same = all(answer.parts == wanted for answer in answers)
        agree &= same and answers[0].time() == expected["utc"]
        print(f"  {name} ({layout})  {verdict(same)}")
        agree &= draw(answers[0], Layout(layout))
    return agree


def verdict(same: bool) -> str:
    return paint("ok", 32) if same else paint("DIFFERENT", 31)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jar", required=True, help="the jar of the Java package")
    jar = parser.parse_args().jar
    WORK.mkdir(parents=True, exist_ok=True)

    samples, ids, agree = issue(jar)
    agree &= decode(jar, samples)

    print(f"\n  {'language':<10}{'ids':>8}  {'node id':>7}  {'first id':<19}  {'last id':<19}  issued (UTC)")
    for language in LANGUAGES:
        mine = (WORK / f"{language}.txt").read_text().split()
        node = samples[language][0].parts["worker"]
        begin, end = (samples[language][i].time()[11:-1] for i in (0, -1))
        print(f"  {language:<10}{len(mine):>8}  {node:>7}  {mine[0]:<19}  {mine[-1]:<19}  {begin} to {end}")
    duplicates = len(ids) - len(set(ids))
    if not agree:
        print("\nA part differs from its bits, or two languages disagree.")
    print(f"\n{len(ids)} ids issued by {len(LANGUAGES)} languages, {duplicates} duplicates")
    return 0 if agree and duplicates == 0 and ids else 1


if __name__ == "__main__":
    sys.exit(main())
