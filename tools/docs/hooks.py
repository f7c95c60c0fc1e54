"""Makes pages of the site out of those of the repository: links out of `docs` lead to the repository's address."""

from __future__ import annotations

import posixpath
import re

from mkdocs.structure.files import File

REPOSITORY = "https://github.com/polyflake/polyflake/blob/main/"
REFERENCES = """
| reference | |
| --- | --- |
| [Python](api/python.md) | classes and functions of the package |
| <a href="api/node/index.html">Node</a> | types of the package |
| <a href="api/java/index.html">Java</a> | Javadoc |
| <a href="api/cpp/index.html">C++</a> | headers |
"""
PYTHON = """# Python reference

::: polyflake

::: polyflake._sources.open

::: polyflake.stores
    options: { members: [LeaseInfo, Store, init_namespace, leases, raise_floor] }

::: polyflake.stores.redis.RedisStore

::: polyflake.stores.sql.SqlStore

::: polyflake.stores.etcd.EtcdStore

::: polyflake.stores.zookeeper.ZooKeeperStore

::: polyflake.stores.memory.MemoryStore

::: polyflake.testing.frozen
"""


def on_files(files, config):
    files.append(File.generated(config, "api/python.md", content=PYTHON))
    return files


def on_page_markdown(markdown, page, config, files):
    """Code is left as it is: a link there is text."""
    parts = re.split(r"(^```.*?^```)", markdown, flags=re.M | re.S)
    parts[::2] = [outward(part, page.file.src_uri, files) for part in parts[::2]]
    return "".join(parts) + (REFERENCES if page.file.src_uri == "README.md" else "")


def outward(text: str, page: str, files) -> str:
    def replaced(found: re.Match) -> str:
        target, mark, anchor = found[1].partition("#")
        goal = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
        return found[0] if goal.startswith("docs/") else f"]({REPOSITORY}{goal}{mark}{anchor})"

    return re.sub(r"\]\((?![a-z]+:|#)([^)\s]+)\)", replaced, text)
