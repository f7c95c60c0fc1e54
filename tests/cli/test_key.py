"""key: makes the file of a new key."""

from __future__ import annotations

import os
import re

import pytest


@pytest.mark.parametrize(("options", "bits"), [((), 256), (("--bits", "128"), 128), (("--bits", "256"), 256)])
def test_a_new_key_is_for_its_owner_alone_and_is_not_shown(entry, tmp_path, options, bits):
    file = tmp_path / "key"
    former = os.umask(0)
    try:
        result = entry.run("key", *options, str(file))
    finally:
        os.umask(former)
    assert (result.exit_code, result.err) == (0, "")
    assert result.out == f"file           {file}\nbits           {bits}\n"
    assert file.stat().st_mode & 0o7777 == 0o600
    assert re.fullmatch(rf"[0-9a-f]{{{bits // 4}}}\n", file.read_text())


def test_it_seals_and_unseals(entry, tmp_path):
    files = [str(tmp_path / name) for name in ("one", "two")]
    for file in files:
        assert entry.ask("key", file).exit_code == 0
    one, two = (entry.ask("seal", "--key-file", file, "1").out for file in files)
    assert one != two
    assert entry.ask("unseal", "--key-file", files[0], one.strip()).out == "1\n"


def test_a_umask_takes_nothing_from_the_owner(entry, tmp_path):
    former = os.umask(0o777)
    try:
        assert entry.run("key", str(tmp_path / "key")).exit_code == 0
    finally:
        os.umask(former)
    assert (tmp_path / "key").stat().st_mode & 0o7777 == 0o600


def test_a_file_that_exists_is_left_as_it_is(entry, tmp_path):
    file = tmp_path / "key"
    file.write_text("of value")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nothing")
    for path in (file, link):
        result = entry.ask("key", str(path))
        assert (result.exit_code, result.out) == (1, "")
        assert result.err.startswith("polyflake: option_invalid: ")
        assert "is left as it is" in result.err
    assert file.read_text() == "of value"
    assert not (tmp_path / "nothing").exists()


def test_its_json_names_the_file(entry, tmp_path):
    result = entry.ask("key", "--json", str(tmp_path / 'a "key"'))
    assert result.out == f'{{"file":"{tmp_path}/a \\"key\\"","bits":"256"}}\n'
