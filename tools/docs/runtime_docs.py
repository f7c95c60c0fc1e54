"""Gives what the extension module defines the text that it has at run time: its stubs have none for some functions."""

from __future__ import annotations

import importlib
import inspect

import griffe


class RuntimeDocs(griffe.Extension):
    def on_package(self, *, pkg, **_):
        native = importlib.import_module(f"{pkg.path}._core")
        self.fill(pkg["_core"], native)

    def fill(self, described, real) -> None:
        for name, member in described.members.items():
            found = getattr(real, name, None)
            if member.is_alias or found is None:
                continue
            text = inspect.getdoc(found)
            if text and member.docstring is None:
                member.docstring = griffe.Docstring(text, parent=member)
            if member.is_class:
                self.fill(member, found)
