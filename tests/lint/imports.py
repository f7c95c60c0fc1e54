"""No package imports in a circle, and imports inside functions count: a superclass never knows its subclasses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import project

Graph = dict[str, set[str]]


def circles(graph: Graph) -> Iterator[list[str]]:
    """Each group of files that reach each other, by Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> Iterator[list[str]]:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(graph.get(name, ())):
            if other not in index:
                yield from visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = []
            while not group or group[-1] != name:
                group.append(stack.pop())
            if len(group) > 1 or name in graph.get(name, ()):
                yield sorted(group)

    for name in sorted(graph):
        if name not in index:
            yield from visit(name)


def imported_by_python(path: str, modules: dict[str, str]) -> Iterator[str]:
    """Files of the package that this one imports when it runs; what type checkers alone import does not count."""
    tree = ast.parse(project.text(path))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield modules.get(f"{node.module}.{alias.name}") or modules.get(node.module, "")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield modules.get(alias.name, "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield modules.get(node.value, "")  # for import_module()


def python_graph() -> Graph:
    paths = [path for path in project.files() if path.startswith("python/polyflake/") and path.endswith(".py")]
    modules = {path[len("python/") : -len(".py")].replace("/", ".").removesuffix(".__init__"): path for path in paths}
    package = modules["polyflake"]
    graph = {path: set(imported_by_python(path, modules)) - {"", path} for path in paths}
    for path, imported in graph.items():
        if path != package:
            imported.discard(package)  # `from polyflake import _core`, which is the extension module
    return graph


def node_graph() -> Graph:
    paths = [path for path in project.files() if re.fullmatch(r"node/(?!scripts/).*\.m?js", path)]
    graph: Graph = {}
    for path in paths:
        named = re.findall(r"(?:require\(|from |import\()\s*'(\.[^']+)'", project.text(path))
        folder = PurePosixPath(path).parent
        found = {
            str(project.ROOT.joinpath(folder, name).resolve().relative_to(project.ROOT.resolve())) for name in named
        }
        graph[path] = {other for other in found if other in paths and other != path}
    return graph


def complaints(graph: Graph) -> Iterator[str]:
    for circle in circles(graph):
        yield "; ".join(f"{name} imports {', '.join(sorted(graph[name] & set(circle)))}" for name in circle)


def check_python_imports_no_circle():
    yield from complaints(python_graph())


def check_node_requires_no_circle():
    yield from complaints(node_graph())
