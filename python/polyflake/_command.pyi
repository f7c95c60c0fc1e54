"""The command line (cli/command.hpp): its requests to the host, and the results."""

class Command:
    def __init__(self, arguments: list[bytes]) -> None: ...
    def step(self) -> tuple[str, str, str, list[str]] | None:
        """Returns the operation, store, layout and arguments of a request.

        Returns None once the command has ended.
        """

    def deliver(self, rows: list[list[str]]) -> None: ...
    def fail(self, code: str, message: str) -> None: ...
    @property
    def exit_code(self) -> int: ...
