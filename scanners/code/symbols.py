"""From the matches of a query to symbols: nested, named in full, each with its own anchor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from scanners.code.comments import comment_above
from scanners.code.grammar import Captures
from scanners.code.languages import Language

if TYPE_CHECKING:  # loading the shared library is paid for by the first document, not by every command
    from tree_sitter import Node

MAX_SYMBOLS = 5_000
"""More than this in one file is generated data, and would drown the rest of the index."""

CONTAINERS = frozenset({"class", "struct", "interface", "trait", "enum", "module"})

_MAX_DEPTH = 32
_SCOPE = "scope"
_IGNORED = "ignored"
_KINDS = frozenset(
    {"function", "method", "class", "struct", "interface", "trait", "enum"}
    | {"type", "constant", "variable", "module", "property", "macro", _SCOPE, _IGNORED}
)
_HAVE_METHODS = frozenset({"class", "struct", "interface", "trait", "enum", _SCOPE})
_BOUND = frozenset({"constant", "variable"})
_GENERIC = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")
_PATH = re.compile(r"[\w$]+(?:(?:::|\.|\\)~?[\w$]+)*")
_NO_OWNER = re.compile(r"^(?:module|exports|this|self|window|globalThis)(?:\.|$)|(?:^|\.)(?:exports|prototype)(?=\.|$)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A definition as a pattern found it, or a scope that only lends its name.

    `start`, `end`, `name_at` and `body` are bytes, `body` being where a signature ends (0: the grammar does not say).
    Rows count from 0; `end_row` is the last row of the definition.
    """

    kind: str
    name: str
    owner: str
    start: int
    end: int
    name_at: int
    body: int
    row: int
    name_row: int
    end_row: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition in its place: `parent` is the anchor of the symbol it belongs to, None at the top of the file.

    Its text begins in `text_row`, with its comment (`comment_rows`) and its attributes (as written in `attributes`).
    """

    found: Candidate
    kind: str
    qualified: str
    anchor: str
    parent: str | None
    text_row: int
    comment_rows: range
    attributes: str


@dataclass(slots=True)
class Findings:
    """What the query found in one document, before it is put in order.

    `attributes` holds the first row and the text of each attribute or decorator by its last row; `imports` the
    reading, the path, the item and the row of each import.
    """

    candidates: list[Candidate] = field(default_factory=list)
    imports: list[tuple[str, str, str, int]] = field(default_factory=list)
    exported: set[str] = field(default_factory=set)
    attributes: dict[int, tuple[int, str]] = field(default_factory=dict)
    package: str = ""
    truncated: bool = False


def collect(matches: Iterable[tuple[int, Captures]], source: bytes) -> Findings:
    """Sort the matches of a query by what their captures say; of two on one name the earlier pattern counts."""
    findings = Findings()
    kinds: dict[int, str] = {}
    names: dict[int, tuple[int, Candidate]] = {}
    for pattern, captures in matches:
        kind = kinds.get(pattern)
        if kind is None:
            kind = kinds[pattern] = next((name for name in captures if name in _KINDS), "")
        if not kind:
            _collect_other(captures, source, findings)
            continue
        name = captures["name"][0]
        if name.start_byte == name.end_byte or not _hold(captures, source):
            continue  # error recovery makes up names of no letters
        at = name.start_byte
        earlier = names.get(at)
        if earlier is None and len(names) >= MAX_SYMBOLS:
            findings.truncated = True
        elif earlier is None or pattern < earlier[0]:
            names[at] = (pattern, _candidate(kind, captures, source))
    found = (candidate for _, candidate in names.values() if candidate.kind != _IGNORED)
    findings.candidates = sorted(found, key=lambda candidate: (candidate.start, -candidate.end))
    return findings


def arrange(findings: Findings, lines: Sequence[str], language: Language) -> list[Symbol]:
    """Nest the candidates by their ranges and give each its qualified name and its anchor.

    A variable is what its first binding says: later assignments are no definitions. `@ignored` in a query names what
    looks like a definition and is none.
    """
    symbols: list[Symbol] = []
    anchors: dict[str, int] = {}
    around: list[tuple[Candidate, str, str | None]] = []
    for candidate in findings.candidates:
        while around and not _encloses(around[-1][0], candidate):
            around.pop()
        if len(around) >= _MAX_DEPTH or candidate.name == "_":  # a name that says nothing is looked for by nobody
            continue
        outer, prefix, parent = around[-1] if around else (None, "", None)
        qualified = ".".join(part for part in (prefix, candidate.owner, candidate.name) if part)
        if candidate.kind == _SCOPE:
            around.append((candidate, qualified, None))
            continue
        kind = candidate.kind
        if qualified in anchors and (kind in _BOUND or language.clauses):
            continue
        if kind == "function" and (candidate.owner or (outer is not None and outer.kind in _HAVE_METHODS)):
            kind = "method"
        anchor = _anchor(qualified, anchors)
        text_row, comment_rows, attributes = _leading(candidate, findings, lines, language)
        parent = None if candidate.owner else parent
        symbols.append(Symbol(candidate, kind, qualified, anchor, parent, text_row, comment_rows, attributes))
        around.append((candidate, qualified, anchor))
    return [_adopted(symbol, anchors) for symbol in symbols]


def _encloses(outer: Candidate, inner: Candidate) -> bool:
    """Members come after the name; two names bound by one statement (`var a, b = 1, 2`) stand side by side."""
    return outer.name_at < inner.start < outer.end


def _adopted(symbol: Symbol, anchors: dict[str, int]) -> Symbol:
    """Give a method written outside its type that type as parent, when the same file defines it."""
    if symbol.parent is not None:
        return symbol
    owner = symbol.qualified.removesuffix(symbol.found.name).rstrip(".")
    return replace(symbol, parent=owner) if owner and owner in anchors else symbol


def _anchor(qualified: str, anchors: dict[str, int]) -> str:
    if qualified not in anchors:
        anchors[qualified] = 1
        return qualified
    anchor = qualified
    while anchor in anchors:
        anchors[qualified] += 1
        anchor = f"{qualified}~{anchors[qualified]}"
    anchors[anchor] = 1
    return anchor


def _leading(
    candidate: Candidate, findings: Findings, lines: Sequence[str], language: Language
) -> tuple[int, range, str]:
    """Return the first row of the text of a definition, the rows of its comment and its attributes."""
    row = candidate.row
    comment = range(row, row)
    attributes = ""
    while True:
        attribute = findings.attributes.get(row - 1)
        if attribute is not None and attribute[0] < row:
            row = attribute[0]
            attributes = f"{attribute[1]}\n{attributes}"
            continue
        start = comment_above(lines, row, language)
        if start == row:
            return row, comment, attributes
        comment = range(start, row)
        row = start


def _collect_other(captures: Captures, source: bytes, findings: Findings) -> None:
    if not _hold(captures, source):
        return
    for name, nodes in captures.items():
        node = nodes[0]
        if name.startswith("import"):
            item = _text(captures["item"][0], source) if "item" in captures else ""
            _, _, reading = name.partition(".")
            findings.imports.append((reading, _text(node, source), item, node.start_point[0]))
        elif name == "attribute":
            findings.attributes[_end_row(node)] = (node.start_point[0], _text(node, source))
        elif name == "exported":
            findings.exported.update(_text(node, source) for node in nodes)
        elif name == "package" and not findings.package:
            findings.package = _dotted(_text(node, source))


def _hold(captures: Captures, source: bytes) -> bool:
    """Say whether each capture `@when.word` is that word.

    The binding's own predicates read the source through the callback it was parsed by, and crash doing so (0.26.1).
    """
    return all(
        _text(nodes[0], source) == name.removeprefix("when.")
        for name, nodes in captures.items()
        if name.startswith("when.")
    )


def _candidate(kind: str, captures: Captures, source: bytes) -> Candidate:
    node = captures[kind][0]
    name = captures["name"][0]
    body = captures["body"][0] if "body" in captures else node.child_by_field_name("body")
    written = _text(name, source)
    outside = _text(captures["owner"][0], source) if "owner" in captures else ""
    owner = _NO_OWNER.sub("", _dotted(outside)).strip(".") if outside else ""
    if not written.isidentifier():
        inside, written = _split(kind, written)
        owner = inside or owner
    return Candidate(
        kind=kind,
        name=written,
        owner=owner,
        start=node.start_byte,
        end=node.end_byte,
        name_at=name.start_byte,
        body=body.start_byte if body is not None else 0,
        row=node.start_point[0],
        name_row=name.start_point[0],
        end_row=_end_row(node),
    )


def _split(kind: str, written: str) -> tuple[str, str]:
    """Return owner and name of what is no single identifier: a path, an operator, a name in marks."""
    if kind in {_SCOPE, "module"}:
        return "", _dotted(written)
    plain = " ".join(written.split()).strip("`").lstrip(":")
    if kind in _HAVE_METHODS:  # a specialisation `Less<int>` stands under the name of its template
        plain = plain.partition("<")[0].rstrip() or plain
    scope, mark, name = plain.rpartition("::")
    return (_dotted(scope), name) if mark and scope and name else ("", plain)


def _dotted(written: str) -> str:
    """Return the name in the text of a type or path: `*Server[T]` is Server, `fmt::Display<'a>` fmt.Display."""
    plain = written
    for _ in range(8):
        shorter = _GENERIC.sub("", plain)
        if shorter == plain:
            break
        plain = shorter
    paths: list[str] = _PATH.findall(plain) or _PATH.findall(written)
    return re.sub(r"::|\\", ".", paths[-1]) if paths else " ".join(written.split())


def _end_row(node: Node) -> int:
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode(errors="replace")
