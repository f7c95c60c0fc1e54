"""The names of the archives of a release."""

from __future__ import annotations

from collections.abc import Iterable

from archives import VERSION
from python_headers import tags
from targets import Target


def described(name: str) -> set[str]:
    """Returns the names of an archive and of the file that says what is in it."""
    return {name, f"{name}.cdx.json"}


def expected(targets: list[Target], kinds: Iterable[str]) -> set[str]:
    """Returns the names of the archives that a release for these targets has."""
    name = f"polyflake-{VERSION}"
    wheels = {f"{name}-{target.tag(abi)}.whl" for target in targets for abi in tags()}
    programs = {f"{name}-{target.name}.tar.gz" for target in targets if target.libc == "musl"}
    names = {
        "python": wheels | described(f"{name}.tar.gz"),
        "node": described(f"{name}.tgz"),
        "java": described(f"{name}.jar") | {f"{name}-sources.jar", f"{name}-javadoc.jar", f"{name}.pom"},
        "program": set().union(*map(described, programs)),
    }
    return set().union(*(names[kind] for kind in kinds))
