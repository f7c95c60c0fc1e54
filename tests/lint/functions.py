"""A function is at most 40 lines long and has at most 15 ways through it, counted by lizard (McCabe's complexity)."""

from __future__ import annotations

import re

import lizard

import project

LONGEST, MOST_WAYS = 40, 15
PRODUCT = r"(?:core|bindings|cli|python/polyflake|node|java/src/main)/.*\.(?:cpp|hpp|py|m?js|java)"
TYPES = r"(?:^|::)alignas$"  # which lizard takes for a function


def check_functions_can_be_read_at_once():
    for path in project.files():
        if not re.fullmatch(PRODUCT, path):
            continue
        for function in lizard.analyze_file(str(project.ROOT / path)).function_list:
            if re.search(TYPES, function.name):
                continue
            if function.length > LONGEST or function.cyclomatic_complexity > MOST_WAYS:
                yield (
                    f"{path}:{function.start_line}: {function.name} has {function.length} lines and"
                    f" {function.cyclomatic_complexity} ways through it"
                )
