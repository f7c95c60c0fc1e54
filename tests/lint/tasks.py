"""What each table of tasks in docs/using.md shows is what the programs below it do."""

from __future__ import annotations

import re

import project

PAGE = "docs/using.md"
COLUMNS = {"C++": "cpp", "Python": "python", "Node": "js", "Java": "java"}


def tables() -> list[re.Match]:
    return list(re.finditer(r"^\| task \|.*?(?=^$)", project.text(PAGE), re.M | re.S))


def rows(table: re.Match) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table[0].splitlines()]


def programs(table: re.Match) -> dict[str, str]:
    """The first program of each language below the table."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", project.text(PAGE)[table.end() :], re.M | re.S)
    return {language: next(code for name, code in blocks if name == language) for language in COLUMNS.values()}


def check_every_task_is_shown_in_every_language():
    for header, _, *tasks in map(rows, tables()):
        if header[1:] != list(COLUMNS):
            yield f"{PAGE}: columns {header[1:]}"
        for task, *cells in tasks:
            if len(cells) != len(COLUMNS) or not all(re.fullmatch(r"`[^`]+`", cell) for cell in cells):
                yield f"{PAGE}: {task}: {cells}"


def check_every_call_of_a_table_is_in_the_program_of_its_language():
    for table in tables():
        header, _, *tasks = rows(table)
        code = programs(table)
        for task, *cells in tasks:
            for language, cell in zip(header[1:], cells):
                if cell.strip("`") not in code[COLUMNS[language]]:
                    yield f"{PAGE}: {task}: {language} does not run {cell}"
