"""The words every part of Lorewatch speaks: documents, entries, entities, edges, problems.

All values are immutable. Line numbers are 1-based and inclusive; paths are relative to the root and use `/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

KINDS = (
    "adr",
    "rfc",
    "decision-log",
    "memory-bank",
    "rule",
    "skill",
    "doc",
    "index",
    "template",
    "symbol",
)
"""What an entry is. `index` lists records, `template` is a form to fill in; both rank last."""

STATUSES = ("proposed", "accepted", "rejected", "deprecated", "superseded", "draft", "unknown")
"""The normalised states of a decision; the words of the file stay in `Entry.status_raw`."""

EDGE_KINDS = (
    "supersedes",
    "amends",
    "relates_to",
    "links_to",
    "mentions",
    "defines",
    "contains",
    "imports",
    "governs",
    "authored_by",
)

ENTITY_KINDS = ("file", "folder", "symbol", "decision", "person", "term")


@dataclass(frozen=True, slots=True)
class Layout:
    """What the configuration files of a root say about where its records lie.

    `decision_folders` are folders relative to the root, without a trailing slash (`.adr-dir`, `.log4brains.yml` and
    the like); `kinds` maps a glob of the user to the kind that documents matching it have.
    """

    decision_folders: tuple[str, ...] = ()
    memory_folders: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    r"""One watched file, already read and decoded.

    `text` has no byte order mark and only `\\n` as line end, so line numbers agree with an editor's. `digest` is of the
    bytes on disk, `modified` in seconds since the epoch. `companions` maps the path of each file that the scanner
    asked to be read beside this one to its text; a companion that does not exist is absent.
    """

    path: str
    text: str
    digest: str = ""
    modified: float = 0.0
    layout: Layout = Layout()
    companions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Ref:
    """Something an edge points at, as the document names it; the index resolves it when it is asked.

    `kind` is one of `ENTITY_KINDS`. `name` is for a `file` or `folder` a path relative to the root when `exact`, else
    whatever part of a path the text shows; for a `symbol` the name as written without `()`; for a `decision` its number
    or id as written ("5", "ADR-0057", a slug). `folder` is where a bare decision number is looked up.
    """

    kind: str
    name: str
    exact: bool = False
    folder: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed claim of the entry with `anchor`: it `kind` `target`.

    With `inverse` the claim runs the other way: "superseded by X" is `Edge(anchor, "supersedes", X, inverse=True)`.
    `line` is where the document says so.
    """

    anchor: str | None
    kind: str
    target: Ref
    line: int
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing this document defines: symbol, decision, person, term. Files and folders are implied by the path.

    The name of a symbol is its qualified name with `.` between the parts; of a decision its number or slug.
    """

    kind: str
    name: str
    anchor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The smallest thing a search can return: a record, a section of one, a rule, a doc section, a symbol.

    `anchor` is unique within the document and None for the document as a whole; it stays the same while other parts
    of the file change. The text of a document entry is the whole document, the text of a section is its own lines up
    to the next heading. `heading` is the path of headings that ends in the section's own, outermost first, the title
    of the document left out; `headings` are all headings of a document in order, the title left out.
    `search_text` replaces `text` in the full-text index where the two should differ (code: signature and comment).
    """

    anchor: str | None
    kind: str
    title: str
    text: str
    line: int
    end_line: int
    subkind: str | None = None
    heading: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    number: int | str | None = None
    status: str | None = None
    status_raw: str | None = None
    date: str | None = None
    deciders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    language: str | None = None
    symbol: str | None = None
    signature: str | None = None
    search_text: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a maintainer may want to mend; it cost at most what it names, never the file."""

    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class ScanResult:
    """All that one scanner found in one document."""

    entries: tuple[Entry, ...] = ()
    entities: tuple[Entity, ...] = ()
    edges: tuple[Edge, ...] = ()
    problems: tuple[Problem, ...] = ()
