"""completion and man: what shells and man make of it."""

from __future__ import annotations

import re
import subprocess

import pytest
from conftest import LIMIT


def written(entry, tmp_path, *arguments: str) -> str:
    result = entry.ask(*arguments)
    assert (result.exit_code, result.err) == (0, "")
    file = tmp_path / "written"
    file.write_text(result.out)
    return str(file)


COMPLETIONS = [
    ("", {"next", "inspect", "doctor", "completion"}),
    ("in", {"inspect", "init"}),
    ("inspect --la", {"--layout"}),
    ("inspect --layout so", {"sonyflake"}),
    ("inspect --codec base6", {"base62"}),
    ("encode --codec sq", {"sqids"}),
    ("key --bits ", {"128", "256"}),
    ("layout so", {"sonyflake"}),
    ("completion z", {"zsh"}),
    ("--color n", {"never"}),
    ("diff --color n", {"never"}),
    ("--color always ins", {"inspect"}),
    ("next --worker h", {"host"}),
]


BASH_SPLITS_AT_EQUALS = [
    ("inspect --layout = so", {"sonyflake"}),
    ("inspect --layout =", {"sonyflake", "polyflake"}),
]


@pytest.mark.parametrize(("line", "expected"), COMPLETIONS + BASH_SPLITS_AT_EQUALS)
def test_bash_completes(entry, tmp_path, line, expected):
    script = """
        source "$1"; shift
        COMP_WORDS=(polyflake "$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _polyflake
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    words = re.split(" ", line)
    file = written(entry, tmp_path, "completion", "bash")
    found = subprocess.check_output(["bash", "-euc", script, "bash", file, *words], text=True).split()
    assert expected <= set(found)
    assert all(word.startswith(words[-1].lstrip("=")) for word in found)


def test_bash_completes_names_with_blanks(entry, tmp_path):
    script = 'source "$1"; COMP_WORDS=(polyflake seal --key-file "$2"); COMP_CWORD=3; _polyflake; printf "%s\\n" "${COMPREPLY[@]}"'
    (tmp_path / "a key").touch()
    file = written(entry, tmp_path, "completion", "bash")
    found = subprocess.check_output(["bash", "-euc", script, "bash", file, f"{tmp_path}/a"], text=True)
    assert found == f"{tmp_path}/a key\n"


@pytest.mark.parametrize(("line", "expected"), COMPLETIONS)
def test_fish_completes(entry, tmp_path, line, expected):
    file = written(entry, tmp_path, "completion", "fish")
    script = f"source {file}; complete -C 'polyflake {line}'"
    found = subprocess.check_output(["fish", "--no-config", "-c", script], text=True).splitlines()
    assert expected <= {one.split("\t")[0] for one in found}


ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
put() { zpty -w shell "$1" }
# Three hundred seconds at most.
wait_for() { local shown=; repeat 15000; do zpty -r -t shell part && shown+=$part; [[ $shown = *$1* ]] && break; sleep 0.02; done; print -r -- $shown }
put "PS1=; autoload -Uz compinit; compinit -u -D; source $1; zstyle ':completion:*' list-prompt ''; bindkey '^I' complete-word; print re''ady"
[[ $(wait_for ready) = *ready* ]] || { print -r -- "zsh is not ready"; exit 1 }
zpty -w -n shell "polyflake $2"$'\t'
wait_for "$3"
"""


@pytest.mark.parametrize(
    ("line", "expected"), [("ins", "inspect"), ("inspect --la", "--layout"), ("layout so", "sonyflake")]
)
def test_zsh_completes(entry, tmp_path, line, expected):
    file = written(entry, tmp_path, "completion", "zsh")
    shown = subprocess.check_output(["zsh", "-fc", ZSH, "zsh", file, line, expected], text=True, timeout=LIMIT)
    assert expected in shown


def test_the_manual_page_is_sound_and_names_every_command(entry, tmp_path):
    file = written(entry, tmp_path, "man")
    done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-c", file], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    page = re.sub(".\b", "", done.stdout)
    commands = re.findall(
        r"^  (\w[\w-]*)  ", entry.ask("--help").out.split("Subcommands:")[1].split("Exit codes:")[0], re.M
    )
    assert len(commands) >= 15
    for command in commands:
        assert re.search(rf"^   {command}$", page, re.M), command
