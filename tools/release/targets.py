"""The systems that a release is for: prints the names of all, or of those that are given. "here" is this one."""

from __future__ import annotations

import argparse
import platform
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    name: str  # its folder of node/prebuilds
    wheel: str  # its platform tag
    java: str  # its folder in the jar

    @property
    def processor(self) -> str:
        return self.name.split("-")[1]

    @property
    def libc(self) -> str:
        return self.name.split("-")[2]

    def tag(self, abi: str) -> str:
        """Returns the tag of a wheel for an ABI of CPython, such as cp39 or cp314t."""
        return f"{abi.rstrip('t')}-{abi}-{self.wheel}"


TARGETS = {
    target.name: target
    for target in (
        Target("linux-x64-glibc", "manylinux_2_28_x86_64", "linux/x86_64"),
        Target("linux-arm64-glibc", "manylinux_2_28_aarch64", "linux/aarch64"),
        Target("linux-x64-musl", "musllinux_1_2_x86_64", "linux-musl/x86_64"),
        Target("linux-arm64-musl", "musllinux_1_2_aarch64", "linux-musl/aarch64"),
    )
}

# No archive has natives for these yet: nothing here can run macOS, and Windows only under Wine.
WITHOUT_NATIVES = ("win32-x64", "darwin-arm64", "darwin-x64")


def host_processor() -> str:
    return {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())


def here() -> str:
    """Returns the name of the system that this program runs on, which a release need not be for."""
    return f"linux-{host_processor()}-{platform.libc_ver()[0] or 'musl'}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", metavar="TARGET", nargs="*", help=", ".join(TARGETS))
    names = [here() if name == "here" else name for name in parser.parse_args().targets] or list(TARGETS)
    unknown = [name for name in names if name not in TARGETS]
    if unknown:
        parser.error(f"unknown target {unknown[0]}, not one of {', '.join(TARGETS)}")
    print("\n".join(names))
