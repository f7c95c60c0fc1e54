"""The source of others that archives carry is what tools/release/third_party.list names, to the byte."""

from __future__ import annotations

import hashlib
import io
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import project

sys.path.insert(0, str(project.ROOT / "tools/release"))
import third_party as tool

ARCHIVE, LICENSE, SOURCE = "main/z/zlib.tar.xz", b"do what you like\n", b"int one = 1;\n"


def check_the_folder_is_what_the_list_names():
    yield from tool.faults(tool.archives(tool.LIST.read_text("utf-8")), tool.FOLDER)


def check_each_library_comes_with_its_license():
    paths = [path for archive in tool.archives(tool.LIST.read_text("utf-8")) for _, _, path in archive.files]
    for library in {path.split("/")[0] for path in paths}:
        if not any(path.startswith(f"{library}/LICENSE") for path in paths):
            yield library


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def packed() -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:xz") as archive:
        for name, text in (("zlib/LICENSE", LICENSE), ("zlib/one.c", SOURCE)):
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return content.getvalue()


def refusal(pool: Path, listed: str, archive: bytes) -> str:
    """Returns what making the folder says of an archive, "" if it is made."""
    (pool / ARCHIVE).parent.mkdir(parents=True, exist_ok=True)
    (pool / ARCHIVE).write_bytes(archive)
    try:
        tool.make(tool.archives(listed), pool / "made", pool.as_uri())
    except tool.WrongDigest as error:
        return str(error)
    return ""


def check_what_is_not_listed_is_refused_by_name() -> Iterator[str]:
    archive = packed()
    changed = bytes([archive[0] ^ 1]) + archive[1:]
    listed = f"archive {digest_of(archive)} {ARCHIVE}\nfile {digest_of(LICENSE)} zlib/LICENSE zlib/LICENSE\n"
    listed += f"file {digest_of(SOURCE)} zlib/one.c zlib/src/one.c\n"
    with tempfile.TemporaryDirectory() as folder:
        pool = Path(folder)
        if refusal(pool, listed, archive):
            yield "the listed archive is refused"
        if not refusal(pool, listed, changed).startswith(f"{ARCHIVE} has the SHA-256 "):
            yield "an archive with one changed byte is taken"
        if not refusal(pool, listed.replace(digest_of(SOURCE), digest_of(LICENSE)), archive).startswith(
            "zlib/one.c of "
        ):
            yield "a file with another digest is taken"
        made = pool / "made"
        if any(tool.faults(tool.archives(listed), made)) or {path.name for path in pool.iterdir()} != {"made", "main"}:
            yield "a refused archive changes the folder, or leaves something beside it"
        (made / "zlib/src/one.c").write_bytes(b"int one = 2;\n")
        (made / "zlib/src/two.c").write_bytes(b"")
        (made / "zlib/LICENSE").unlink()
        said = list(tool.faults(tool.archives(listed), made))
        if said != [
            "zlib/LICENSE is missing",
            "zlib/src/one.c differs from the listed one",
            "zlib/src/two.c is not in the list",
        ]:
            yield f"faults of a folder are {said}"
