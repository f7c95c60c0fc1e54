"""The server of chosen_ids_server.cpp: polyflaked whose generators give the ids of a list."""

from __future__ import annotations

from pathlib import Path

from polyflaked import Polyflaked

PROGRAM = Path(__file__).resolve().parents[2] / "build/cpp/tests/server/polyflake_chosen_ids"


class ChosenIds(Polyflaked):
    """Its keys are "0" to "99". Each gives all ids in their order, then begins again."""

    def __init__(self, ids: list[int]) -> None:
        super().__init__(listeners={"resp": "", "http": "leaf = true"}, program=PROGRAM)
        self.ids = ids

    def prepare(self) -> None:
        (self.folder / "ids").write_text("".join(f"{number}\n" for number in self.ids))

    def command(self) -> list[str]:
        ports = [str(self.ports[protocol].number) for protocol in ("resp", "http")]
        return [str(self.program), str(self.folder / "ids"), *ports, "100"]
