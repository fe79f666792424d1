"""The only importer of tree-sitter: grammars loaded once, source parsed and queried within limits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING

from scanners.code.languages import Language

if TYPE_CHECKING:  # loading the shared library is paid for by the first document, not by every command
    from tree_sitter import Language as Compiled
    from tree_sitter import Node, Point, Query, Tree

PARSE_SECONDS = 1.0
"""Processor time that the parser may take for any document; its error recovery is quadratic on texts like `}{}{}{`."""

SECONDS_A_BYTE = 2e-6
"""What the parser may take on top for each byte: ten times what the slowest grammar needs for sound text."""

_CHUNK = 65_536
_MAX_DEPTH = 2_000  # a query counts depth in 16 bits: beyond 65,535 its states no longer end, and it runs for minutes
_UNCLOSED = 5_000
_WALK_STEPS = 200_000
_DAMAGE = 400_000_000

Captures = dict[str, list["Node"]]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language with its query, both compiled."""

    compiled: Compiled
    query: Query


@dataclass(frozen=True, slots=True)
class Parsed:
    """The matches of the query as (number of the pattern, captures), and the line of the first syntax error."""

    matches: list[tuple[int, Captures]]
    error_line: int | None


class TooCostly(Exception):
    """The document would take the parser or the query too long; `line` is where to look."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def parsed(language: Language, source: bytes) -> Parsed:
    """Parse `source` and run the query of `language` over it, or raise `TooCostly`."""
    from tree_sitter import QueryCursor  # noqa: PLC0415 - see TYPE_CHECKING above

    if source.count(b"<") - source.count(b">") > _UNCLOSED:
        # Java and C# spend minutes on 40,000 open type arguments, all of it between two calls of the progress callback.
        raise TooCostly(1)
    grammar = _grammar(language)
    tree = _tree(grammar.compiled, source)
    error_line = _first_error(tree) if tree.root_node.has_error else None
    cursor = QueryCursor(grammar.query)
    cursor.set_max_start_depth(_MAX_DEPTH)
    return Parsed(cursor.matches(tree.root_node), error_line)


@cache
def _grammar(language: Language) -> Grammar:
    from tree_sitter import Language as Compiled  # noqa: PLC0415 - see TYPE_CHECKING above
    from tree_sitter import Query  # noqa: PLC0415 - see TYPE_CHECKING above

    compiled = Compiled(getattr(import_module(language.module), language.factory)())
    folder = resources.files("scanners") / "queries"
    text = (folder / f"{language.query or language.name}.scm").read_text(encoding="utf-8")
    return Grammar(compiled, Query(compiled, text))


def _tree(compiled: Compiled, source: bytes) -> Tree:
    from tree_sitter import Parser  # noqa: PLC0415 - see TYPE_CHECKING above

    deadline = time.thread_time() + PARSE_SECONDS + SECONDS_A_BYTE * len(source)
    reached = 0

    def read(offset: int, _point: Point) -> bytes:
        return source[offset : offset + _CHUNK] if offset else source

    def is_late(offset: int, _has_error: bool) -> bool:
        nonlocal reached
        reached = offset
        return time.thread_time() > deadline

    try:
        return Parser(compiled).parse(read, progress_callback=is_late)
    except ValueError:
        raise TooCostly(source.count(b"\n", 0, reached) + 1) from None


def _first_error(tree: Tree) -> int:
    """Return the line of the first error; raise when the damage would make the query quadratic.

    A query looks through all later siblings for a named one at each step. Only an error node has long runs of unnamed
    children, and the binding's own progress callback for queries crashes the interpreter (0.26.1), so the runs are
    counted before the query starts.
    """
    line: int | None = None
    damage = 0
    for node in _broken(tree):
        if line is None and (node.is_error or node.is_missing):
            line = node.start_point[0] + 1
        if node.is_error:
            damage += node.child_count**2
            if damage > _DAMAGE:
                raise TooCostly(line or 1)
    return line or 1


def _broken(tree: Tree) -> Iterator[Node]:
    """Yield each node with an error inside, in the order of the text."""
    cursor = tree.walk()
    for _ in range(_WALK_STEPS):
        node = cursor.node
        inside = node is not None and node.has_error
        if node is not None and inside:
            yield node
        if inside and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
    raise TooCostly(1)
