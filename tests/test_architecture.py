"""The shape of the code base: the arrow between packages, one home per library, no I/O in scanners, small modules."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
PACKAGES = ("scanners", "indexer", "mcp_bridge")

FORBIDDEN = {"scanners": ("indexer", "mcp_bridge"), "indexer": ("mcp_bridge",), "mcp_bridge": ()}
"""The arrow: what a package never imports."""

HOMES = {
    "anyio": ("mcp_bridge/*",),
    "apscheduler": ("indexer/schedule.py",),
    "click": ("indexer/cli.py", "indexer/tables.py", "indexer/progress.py"),
    "filelock": ("indexer/lock.py",),
    "frontmatter": ("scanners/markdown.py", "scanners/frontmatter.py"),
    "markdown_it": ("scanners/markdown.py",),
    "mcp": ("mcp_bridge/*",),
    "mcp_types": ("mcp_bridge/*",),
    "numpy": ("indexer/*",),
    "pathspec": ("indexer/ignore.py",),
    "platformdirs": ("indexer/config.py", "indexer/home.py"),
    "pydantic": ("mcp_bridge/*",),
    "snowballstemmer": ("indexer/analysis.py",),
    "sqlite3": ("indexer/*",),
    "starlette": ("mcp_bridge/*",),
    "tomlkit": ("indexer/settings.py",),
    "tomllib": ("indexer/config.py",),
    "tree_sitter": ("scanners/code*",),
    "tzlocal": ("indexer/schedule.py",),
    "uvicorn": ("mcp_bridge/*",),
    "watchdog": ("indexer/watch.py",),
    "whoosh": ("indexer/fulltext*.py", "indexer/postings.py"),
    "yaml": ("scanners/markdown.py", "scanners/frontmatter.py"),
}
"""Each library and the modules that may import it; a library without a home may not be imported at all."""

FOR_SCANNERS = frozenset(
    {
        "__future__",
        "abc",
        "bisect",
        "collections",
        "dataclasses",
        "enum",
        "fnmatch",
        "functools",
        "hashlib",
        "html",
        "itertools",
        "json",
        "logging",
        "math",
        "posixpath",
        "re",
        "string",
        "textwrap",
        "types",
        "typing",
        "unicodedata",
        "urllib.parse",
    }
)
"""What scanners may import of the standard library: nothing that reaches a file, a clock, a process or a network."""

ALLOWED_IN_SCANNERS = {
    ("scanners/code/grammar.py", "importlib"): "loads the grammars and our own queries, which are part of the package",
    ("scanners/code/languages.py", "importlib.util"): "asks whether the grammar of a language is installed",
    ("scanners/code/grammar.py", "time"): "the budget of one parse is CPU time of this thread, no moment",
    ("scanners/code/grammar.py", "read_text()"): "reads our own queries, which are part of the package",
}
READS = frozenset({"open", "read_text", "read_bytes", "write_text", "write_bytes"})
CLOCK = frozenset({"now", "utcnow", "today"})

LONGEST_MODULE = 500
LONGEST_FUNCTION = 60
BANNED = frozenset(
    {"manager", "helper", "helpers", "util", "utils", "handler", "handlers", "processor", "data", "info"}
)


def sources() -> list[str]:
    return sorted(p.relative_to(TOP).as_posix() for package in PACKAGES for p in (TOP / package).rglob("*.py"))


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules a module imports, wherever in it; relative ones begin with a dot."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def calls(tree: ast.AST) -> Iterator[str]:
    """The last names of all that is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            yield function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def breaks_the_arrow(path: str, tree: ast.AST) -> Iterator[str]:
    for name in imports(tree):
        if name.startswith("."):
            yield f"imports {name} relatively"
        if name.split(".")[0] in FORBIDDEN[path.split("/", maxsplit=1)[0]]:
            yield f"imports {name} against the arrow"


def has_no_home(path: str, tree: ast.AST) -> Iterator[str]:
    for name in imports(tree):
        library = name.split(".")[0]
        if library in PACKAGES or (library in sys.stdlib_module_names and library not in HOMES):
            continue
        if not any(fnmatch(path, home) for home in HOMES.get(library, ())):
            yield f"imports {name}, whose home is {HOMES.get(library, 'nowhere yet')}"


def does_io(path: str, tree: ast.AST) -> Iterator[str]:
    if not path.startswith("scanners/"):
        return
    for name in imports(tree):
        library = name.split(".")[0]
        known = {name, library} & FOR_SCANNERS or library not in sys.stdlib_module_names
        if not known and (path, name) not in ALLOWED_IN_SCANNERS:
            yield f"imports {name}"
    for name in calls(tree):
        if name in READS | CLOCK and (path, f"{name}()") not in ALLOWED_IN_SCANNERS:
            yield f"calls {name}()"


def is_too_long(_: str, tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{node.name} has {lines} lines"
    last = max((getattr(node, "end_lineno", 0) or 0 for node in ast.walk(tree)), default=0)
    if last > LONGEST_MODULE:
        yield f"has {last} lines"


def prints(_: str, tree: ast.AST) -> Iterator[str]:
    yield from (f"calls {name}()" for name in calls(tree) if name in {"print", "pprint"})


def is_badly_named(path: str, _: ast.AST) -> Iterator[str]:
    words = {word for part in path.removesuffix(".py").split("/") for word in re.split(r"[_\W]+", part.lower())}
    yield from (f"is named {word}" for word in sorted(words & BANNED))


RULES = (breaks_the_arrow, has_no_home, does_io, is_too_long, prints, is_badly_named)


def violations(path: str, source: str) -> list[str]:
    tree = ast.parse(source)
    return [f"{path} {text}" for rule in RULES for text in rule(path, tree)]


@pytest.mark.parametrize("path", sources())
def test_every_module_keeps_the_shape_of_the_code_base(path: str) -> None:
    assert violations(path, (TOP / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("scanners/a.py", "from indexer.index import Index", "imports indexer.index against the arrow"),
        ("indexer/a.py", "def f():\n    import mcp_bridge.server", "imports mcp_bridge.server against the arrow"),
        ("indexer/a.py", "from .index import Index", "imports .index relatively"),
        ("indexer/a.py", "import whoosh.index", "imports whoosh.index, whose home is"),
        ("scanners/a.py", "import sqlite3", "imports sqlite3, whose home is"),
        ("indexer/a.py", "from mcp.server import Server", "imports mcp.server, whose home is"),
        ("indexer/a.py", "import requests", "whose home is nowhere yet"),
        ("scanners/a.py", "import os", "imports os"),
        ("scanners/a.py", "from pathlib import Path", "imports pathlib"),
        ("scanners/a.py", "import time", "imports time"),
        ("scanners/a.py", "import subprocess", "imports subprocess"),
        ("scanners/a.py", "text = open('x').read()", "calls open()"),
        ("scanners/a.py", "day = clock.now()", "calls now()"),
        ("indexer/a.py", "def f():\n" + "    x = 1\n" * 60, "f has 61 lines"),
        ("indexer/a.py", "x = 1\n" * 501, "has 501 lines"),
        ("mcp_bridge/a.py", "print('hello')", "calls print()"),
        ("indexer/file_utils.py", "", "is named utils"),
        ("scanners/data/a.py", "", "is named data"),
    ],
)
def test_a_planted_violation_is_caught(path: str, source: str, expected: str) -> None:
    assert any(expected in violation for violation in violations(path, source))


def test_the_rules_look_at_all_three_packages_and_exceptions_are_still_needed() -> None:
    assert {path.split("/")[0] for path in sources()} == set(PACKAGES)
    for path, what in ALLOWED_IN_SCANNERS:
        tree = ast.parse((TOP / path).read_text(encoding="utf-8"))
        assert what in {*imports(tree), *(f"{name}()" for name in calls(tree))}
