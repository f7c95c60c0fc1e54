"""Prints a header with comments as Doxygen reads them:  cpp_comments.py HEADER

`//` above a declaration becomes a comment of Doxygen, behind one `///<`, and the comment that opens the header becomes that of
the file; polyflake.hpp has the first page. Lines that are indented, or have columns, are drawings and code. Signs of Doxygen and Markdown mean
nothing, as in the header.
"""

from __future__ import annotations

import re
import sys

MAIN_PAGE = '\\mainpage Headers\n<a href="../../index.html">Guides</a>\n'
NO_PROSE = r"NOLINT|clang-format|namespace\b.*$"


def plain(text: str) -> str:
    """Escapes what Doxygen would take for a command, a tag or emphasis."""
    return re.sub(r"([\\@<>&#$%\"*])", r"\\\1", text) if "`" not in text else code_kept(text)


def code_kept(text: str) -> str:
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") and len(part) > 1 else plain(part.replace("`", "'")) for part in parts)


def blocks(lines: list[str]):
    """Runs of lines that are comments alone, and other lines one by one."""
    run: list[str] = []
    for line in lines:
        if re.match(r"\s*//", line):
            run.append(line)
            continue
        if run:
            yield run
            run = []
        yield line
    if run:
        yield run


def documented(run: list[str], begin: str) -> list[str]:
    """A comment in lines: a drawing in others would keep their marks."""
    out, drawn = [f"/** {begin}".rstrip()], False
    for line in run:
        text = re.sub(r"^\s*// ?", "", line).rstrip()
        is_drawing = bool(re.search(r"(^|\S) {2,}\S", text)) or (drawn and not text)
        if is_drawing != drawn:
            out.append("\\verbatim" if is_drawing else "\\endverbatim")
        drawn = is_drawing
        out.append(text if drawn else plain(text))
    return [*out, *(["\\endverbatim"] if drawn else []), "*/"]


def converted(path: str, text: str) -> str:
    out, is_first = [], True
    opening = MAIN_PAGE if path.endswith("/polyflake.hpp") else "\\file"
    for block in blocks(text.splitlines()):
        if isinstance(block, list):
            skipped = any(re.search(NO_PROSE, line) for line in block)
            out += block if skipped else documented(block, opening if is_first else "")
            is_first = False
        else:
            behind = re.match(r"(.*[;,{})].*?)\s// (?!" + NO_PROSE + r")(.*)$", block)
            out.append(f"{behind[1]} ///< {plain(behind[2])}" if behind else block)
            is_first = is_first and not block.strip()
    return "\n".join(without_private_classes(out)) + "\n"


def without_private_classes(lines: list[str]):
    """Doxygen leaves a heading of private classes, even if it lists none."""
    is_private, end = False, None
    for line in lines:
        if section := re.match(r"\s* (public|protected|private):$", line):
            is_private = section[1] == "private"
        begun = re.match(r"(\s+)(?:struct|class) \w+ \{$", line)
        if is_private and begun:
            end = f"{begun[1]}}};"
            yield "/** \\cond */"
        yield line
        if line == end:
            yield "/** \\endcond */"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="ascii") as header:
        sys.stdout.write(converted(sys.argv[1], header.read()))
