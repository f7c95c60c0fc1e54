"""Comments, docstrings and pages say things as an engineer says them aloud: subject, verb, object.

    python speech.py [PATH ...]     every sentence that one of the rules finds, by file and line

Headers and docstrings (JSDoc, Javadoc) of each language, and the pages, have limits of their own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

import project


class Limits(NamedTuple):
    """Of a group of files: they may only be lowered. Counts are per 1000 words, clauses in 100 sentences."""

    where: float = 1.5
    clauses: float = 1.0  # sentences that open with What, Whether, How, Of or Where
    returns: float = 3.0  # at least so many
    old_words: int = 0
    wide_lines: int = 0


class Group(NamedTuple):
    name: str
    patterns: tuple[str, ...]
    limits: Limits


GROUPS = (
    Group("C++ headers", (r"core/(include|src)/.*\.hpp", r"(bindings|cli|server)/.*\.(hpp|i)"), Limits()),
    Group("Python and Node", (r"python/polyflake/.*\.pyi?", r"node/.*\.(m?js|d\.m?ts)"), Limits()),
    Group("Java", (r"java/src/main/.*\.java",), Limits()),
    Group(
        "pages",
        (r"docs/.*\.md", r"(README|CONTRIBUTING|CHANGELOG)\.md", r"(bindings|examples|tests)/.*\.md"),
        Limits(returns=0),
    ),
)
LONGEST_LINE = 100
NO_PROSE = r"^\s*\||NOLINT|noqa|type: ignore|:(?://|\\/)"  # rows of tables, words to other linters, addresses

OLD_WORDS = re.compile(
    r"\b(?:anew|for good|go(?:es)? by|lest|but for|in vain|therein|thereof|wherein)\b"
    r"|\bst(?:ands?|ood)\b(?! alone)"
    r"|\b(?:nobody|somebody|anybody|whoever|whomever|whichever|whatever)\b",
    re.I,
)
OPENERS = re.compile(r"(?:What|Whether|How|Of|Where)\b(?!.*\?$)")


class Sentence(NamedTuple):
    path: str
    line: int
    text: str


def is_one_of(patterns: tuple[str, ...], path: str) -> bool:
    return any(re.fullmatch(pattern, path) for pattern in patterns)


def lines_of_comments(path: str) -> Iterator[tuple[int, str]]:
    """The number and the words of each line that people read; an empty text between two paragraphs."""
    in_block = in_docstring = in_fence = False
    for number, line in enumerate(project.text(path).split("\n"), 1):
        bare = line.strip()
        if path.endswith(".md"):
            if bare.startswith("```"):
                in_fence = not in_fence
            skipped = in_fence or re.match(r"```|\|\s?--|#|\[[^\]]+\]: ", bare)
            text = (
                ""
                if skipped
                else re.sub(r"`[^`]*`", "`x`", re.sub(r"\]\([^)]*\)", "]", bare)).lstrip("|>-* ").replace(" | ", ". ")
            )
        elif path.endswith((".py", ".pyi")):
            quotes = bare.count('"""')
            if quotes and not in_docstring:
                text = bare.split('"""')[1]
            elif in_docstring or bare.startswith("#"):
                text = bare.replace('"""', "").lstrip("# ")
            else:
                text = after(r"\s#\s", line)
            in_docstring ^= quotes == 1
        else:
            if "/*" in bare:
                text, in_block = bare.split("/*", 1)[1].lstrip("* "), True
            elif in_block or bare.startswith("//"):
                text = re.sub(r"^(?://+|\*+)\s?", "", bare)
            else:
                text = after(r"(?:^|\s)//\s", line)
            if in_block and "*/" in bare:
                text, in_block = text.split("*/")[0].strip(), False
            if re.match(r"\s{2,}\S", text) or text.startswith("@"):  # an example, or a tag with its name
                text = re.sub(r"^@\w+(?: \{[^}]*\})?(?: \w+)?", "", text).strip() if text.startswith("@") else ""
        yield number, text


def after(mark: str, line: str) -> str:
    """The comment at the end of a line of code, not a mark inside a text; a full stop parts it from the next."""
    found = re.split(mark, line, maxsplit=1)
    in_text = any(found[0].count(quote) % 2 for quote in "\"'`")
    return found[1].rstrip(".") + "." if len(found) == 2 and not in_text else ""


def sentences(paths: list[str]) -> Iterator[Sentence]:
    for path in paths:
        text, places = "", []
        for number, line in (*lines_of_comments(path), (0, "")):
            if line:
                places.append((len(text), number))
                text += line + " "
                continue
            position = 0
            for part in re.split(r"(?<=[.:;!?])\s+(?=[A-Z`(])", text):
                found = text.index(part, position) if part else position
                position = found + len(part)
                if part.strip():
                    where = [number for start, number in places if start <= found]
                    yield Sentence(path, where[-1], part.strip())
            text, places = "", []


def files_of(group: Group) -> list[str]:
    return [path for path in project.files() if is_one_of(group.patterns, path)]


def words_of(said: list[Sentence]) -> int:
    return sum(len(sentence.text.split()) for sentence in said)


def per_1000(pattern: str, said: list[Sentence]) -> float:
    return 1000 * sum(len(re.findall(pattern, sentence.text)) for sentence in said) / max(words_of(said), 1)


def clauses_in_100(said: list[Sentence]) -> float:
    return 100 * sum(1 for sentence in said if OPENERS.match(sentence.text)) / max(len(said), 1)


def wide_lines(paths: list[str]) -> Iterator[str]:
    for path in paths:
        content = project.text(path).split("\n")
        for number, text in lines_of_comments(path):
            line = content[number - 1] if number <= len(content) else ""
            if text and len(line) > LONGEST_LINE and not re.search(NO_PROSE, line):
                yield f"{path}:{number}: {len(line)} columns"


def old_words(said: list[Sentence]) -> Iterator[str]:
    for sentence in said:
        for word in OLD_WORDS.findall(sentence.text):
            yield f"{sentence.path}:{sentence.line}: '{word}': {sentence.text[:80]}"


def check_where_is_for_places():
    for group in GROUPS:
        value = per_1000(r"\b[Ww]here\b", list(sentences(files_of(group))))
        if value > group.limits.where:
            yield f"{group.name}: {value:.2f} times 'where' in 1000 words, more than {group.limits.where}"


def check_contracts_say_what_is_returned():
    for group in GROUPS:
        value = per_1000(r"\bReturns\b", list(sentences(files_of(group))))
        if value < group.limits.returns:
            yield f"{group.name}: {value:.2f} times 'Returns' in 1000 words, fewer than {group.limits.returns}"


def check_sentences_open_with_a_subject_or_a_verb():
    for group in GROUPS:
        value = clauses_in_100(list(sentences(files_of(group))))
        if value > group.limits.clauses:
            yield f"{group.name}: {value:.2f} % open with a clause, more than {group.limits.clauses}"


def check_no_words_that_are_read_twice():
    for group in GROUPS:
        found = list(old_words(list(sentences(files_of(group)))))
        if len(found) > group.limits.old_words:
            yield from found


def check_comments_and_pages_are_at_most_100_columns_wide():
    for group in GROUPS:
        found = list(wide_lines(files_of(group)))
        if len(found) > group.limits.wide_lines:
            yield from found


RULES = {"an old word": OLD_WORDS, "opens with a clause": OPENERS, "where": re.compile(r"\b[Ww]here\b")}


def broken_by(sentence: Sentence) -> list[str]:
    return [
        name
        for name, rule in RULES.items()
        if (rule.match(sentence.text) if rule is OPENERS else rule.search(sentence.text))
    ]


def main() -> None:
    paths = sys.argv[1:] or [path for group in GROUPS for path in files_of(group)]
    said = list(sentences(paths))
    for sentence in said:
        if names := broken_by(sentence):
            print(f"{sentence.path}:{sentence.line}: {', '.join(names)}: {sentence.text[:160]}")
    counts = {word: per_1000(rf"\b(?i:{word})\b", said) for word in ("where", "if", "Returns")}
    clauses = sum(1 for sentence in said if OPENERS.match(sentence.text))
    print(
        f"{words_of(said)} words, {len(said)} sentences, {100 * clauses / max(len(said), 1):.1f} % open with a clause;"
    )
    print("per 1000 words: " + ", ".join(f"{word} {count:.2f}" for word, count in counts.items()))
    print("\n".join(wide_lines(paths)))


if __name__ == "__main__":
    main()
