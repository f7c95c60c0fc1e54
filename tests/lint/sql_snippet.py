"""Runs the statements of a page:  python sql_snippet.py ENGINE FILE

ENGINE is postgresql or mariadb, the servers of tests/servers/run, in a schema or database of the snippet's own; or sqlite, in memory.
Statements go one by one; each ends with a semicolon at the end of a line. A comment behind the semicolon says what comes of it:

    -- Ada, 5; Bob, 7      exactly these rows, two here, with two columns each
    -- refused: WORDS      an error with these words
    -- says: WORDS         these words somewhere in the rows, as of EXPLAIN
    -- says not: WORDS     nowhere

At least one of the statements says so. Exit code 1 and the difference where it is not as said.
"""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
import sys
from pathlib import Path
from urllib.parse import urlsplit

STATEMENT = re.compile(r"(.*?);[ \t]*(?:--[ \t]*([^\n]*))?(?:\n|$)", re.S)


def postgresql():
    import psycopg

    connection = psycopg.connect(os.environ["POLYFLAKE_TEST_POSTGRESQL"], autocommit=True)
    schema = f"snippet_{secrets.token_hex(8)}"
    connection.execute(f"CREATE SCHEMA {schema}")
    connection.execute(f"SET search_path TO {schema}")
    return connection, psycopg.Error, f"DROP SCHEMA {schema} CASCADE"


def mariadb():
    import pymysql

    url = urlsplit(os.environ["POLYFLAKE_TEST_MYSQL"])
    connection = pymysql.connect(
        host=url.hostname, port=url.port, user=url.username, password=url.password, autocommit=True
    )
    database, cursor = f"snippet_{secrets.token_hex(8)}", connection.cursor()
    cursor.execute(f"CREATE DATABASE {database}")
    cursor.execute(f"USE {database}")
    return connection, pymysql.MySQLError, f"DROP DATABASE {database}"


def sqlite():
    return sqlite3.connect(":memory:", isolation_level=None), sqlite3.Error, "SELECT 1"


ENGINES = {"postgresql": postgresql, "mariadb": mariadb, "sqlite": sqlite}


def shown(value) -> str:
    if value is None:
        return "NULL"
    return str(value).lower() if isinstance(value, bool) else str(value)


def outcome(cursor, error, statement: str) -> str:
    """The rows, or the error, as text."""
    try:
        cursor.execute(statement)
    except error as failure:
        return f"refused: {failure}"
    rows = cursor.fetchall() if cursor.description else ()
    return "; ".join(", ".join(map(shown, row)) for row in rows)


def as_said(said: str | None, actual: str) -> bool:
    refused = actual.startswith("refused: ")
    if said is None:
        return not refused
    if refused or said.startswith("refused: "):
        return refused and said.startswith("refused: ") and said.removeprefix("refused: ") in actual
    if said.startswith("says not: "):
        return bool(actual) and said.removeprefix("says not: ") not in actual
    return said.removeprefix("says: ") in actual if said.startswith("says: ") else said == actual


def main(engine: str, file: Path) -> int:
    connection, error, clean_up = ENGINES[engine]()
    cursor, text, expectations = connection.cursor(), file.read_text("ascii"), 0
    rest = STATEMENT.sub("", text)
    if rest.strip():
        sys.exit(f"a statement without a semicolon at the end of a line: {rest}")
    try:
        for found in STATEMENT.finditer(text):
            statement, said = found[1], found[2]
            actual = outcome(cursor, error, statement)
            expectations += said is not None
            if not as_said(said, actual):
                sys.exit(f"{statement.strip()}\nsaid: {said}\ncame: {actual}")
    finally:
        cursor.execute(clean_up)
        connection.close()
    return 0 if expectations else sys.exit("nothing is said of what should come of it")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
