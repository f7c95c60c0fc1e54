"""For scripts that fork: in_child(work) runs work() in the child, which leaves through sys.exit and all exit handlers, and
returns what that returned, or the code of its error. A script is a process of its own, so that its children have a known parent.
"""

IN_CHILD = """
import json, os, sys
from polyflake import PolyflakeError

def in_child(work):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            result = work()
        except PolyflakeError as error:
            result = error.code
        with os.fdopen(writer, "w") as out:
            json.dump(result, out)
        sys.exit(0)
    os.close(writer)
    with os.fdopen(reader) as source:
        result = json.load(source)
    assert os.waitpid(child, 0)[1] == 0
    return result
"""
