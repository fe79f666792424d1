"""From a page and its metadata to a scan result: what all scanners of written documents share."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scanners import asciidoc, markdown, mediawiki, record, references, relations, restructuredtext, sections, series
from scanners.globs import matches
from scanners.model import Document, Edge, Entity, Entry, Layout, Problem, Ref, ScanResult
from scanners.page import Field, Heading, Link, Page
from scanners.paths import FORMATS, SPECS, Name, name_of, series_folder
from scanners.record import Record

BARE_NAMES = frozenset(
    {"readme", "changelog", "changes", "contributing", "authors", "news", "history", "todo", "notes", "hacking",
     "install"}
)  # fmt: skip
"""Documents that have no extension."""
NO_PROSE = re.compile(
    r"^(?:requirements|constraints|robots|cmakelists|license|licence|copying|third[-_]?party|version|humans|ads|security)"
    r"[\w.-]{0,80}\.txt$"
)
DECISIONS = frozenset({"adr", "rfc", "decision-log"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A document read: its page, its name, and what its metadata says."""

    document: Document
    page: Page
    name: Name
    record: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a scanner found a document to be; `decisions` are the single decisions of a log, as entries."""

    kind: str
    subkind: str | None = None
    scope: tuple[str, ...] = ()
    title: str | None = None
    status: str | None = None
    whole: tuple[Heading, ...] = ()
    decisions: tuple[Entry, ...] = ()
    edges: tuple[Edge, ...] = ()


def read(document: Document, extra: Sequence[Field] = (), *, line_wise: bool = False) -> Writing:
    """Take a document apart by the format that its name tells; `line_wise` when its front matter need not be YAML."""
    name = name_of(document.path)
    page = parse(name, document.text, line_wise=line_wise)
    return Writing(document=document, page=page, name=name, record=record.read(page, name, extra))


def parse(name: Name, text: str, *, line_wise: bool = False) -> Page:
    """The page of a text; a file without a known extension is Markdown."""
    match FORMATS.get(name.extension, "markdown"):
        case "restructuredtext":
            return restructuredtext.parse(text)
        case "asciidoc":
            return asciidoc.parse(text)
        case "mediawiki":
            return mediawiki.parse(text)
        case _:
            return markdown.parse(text, line_wise=line_wise)


def is_written(path: str) -> bool:
    """Say by its name whether a file is a written document; some `.txt` files are input of tools."""
    name = name_of(path)
    if name.extension == ".txt":
        return not NO_PROSE.match(path.rpartition("/")[2].casefold())
    return name.extension in FORMATS or (not name.extension and name.file.casefold() in BARE_NAMES)


def kind_wanted(document: Document) -> str | None:
    """The kind that the user's configuration gives this path."""
    return next((kind for glob, kind in document.layout.kinds if matches(glob, document.path)), None)


def result(writing: Writing, verdict: Verdict) -> ScanResult:
    """The entries, entities, edges and problems of a document."""
    found = writing.record
    decides = verdict.kind in DECISIONS
    every = relations.find(writing.page, writing.name, found.fields, found.heading, (1, len(writing.page.lines)))
    related = [one for one in every if decides or one.is_field]
    state = _state(found.status or verdict.status, related) if decides else None
    problems = [Problem(writing.document.path, line, text) for line, text in _found_problems(writing, decides=decides)]
    if decides and found.status not in {None, state}:
        problems.append(Problem(writing.document.path, 1, f"says it is {found.status} and names a successor"))
    cuts = sections.cut(writing.page, found.heading, verdict.whole)
    base = _base(writing, verdict, state)
    entries = [base, *_section_entries(base, cuts, verdict)]
    anchors = sections.Anchors(cuts)
    edges = [*verdict.edges, *_edges(writing, verdict, related, anchors)]
    known = {entry.anchor for entry in entries}
    edges = [edge if edge.anchor in known else replace(edge, anchor=None) for edge in edges]
    unique = {(edge.anchor, edge.kind, edge.target, edge.inverse): edge for edge in reversed(edges)}
    return ScanResult(
        tuple(entries), tuple(_entities(writing, base, entries)), tuple(reversed(unique.values())), tuple(problems)
    )


def _found_problems(writing: Writing, *, decides: bool) -> tuple[tuple[int, str], ...]:
    """What is wrong with the page; states that contradict each other matter to records only."""
    return (*writing.page.problems, *(writing.record.problems if decides else ()))


def _state(said: str | None, related: Sequence[relations.Relation]) -> str:
    """A record that names its successor where states are declared is superseded, whatever its status line says."""
    if said in {"superseded", "rejected"}:
        return said
    if any(one.kind == "supersedes" and one.inverse and one.firm for one in related):
        return "superseded"
    return said or "unknown"


def _base(writing: Writing, verdict: Verdict, state: str | None) -> Entry:
    found, page = writing.record, writing.page
    is_record = verdict.kind in {"adr", "rfc"}
    return Entry(
        anchor=None,
        kind=verdict.kind,
        subkind=verdict.subkind,
        title=verdict.title or found.title,
        text="\n".join(page.lines),
        line=1,
        end_line=_last_line(page),
        headings=tuple(heading.text for heading in page.headings if heading is not found.heading),
        number=found.number if is_record else None,
        status=state,
        status_raw=found.status_raw,
        date=found.date,
        deciders=found.deciders,
        tags=found.tags,
        scope=verdict.scope,
        language=found.language,
    )


def _last_line(page: Page) -> int:
    return len(page.lines) - 1 if len(page.lines) > 1 and not page.lines[-1] else len(page.lines)


def _section_entries(base: Entry, cuts: Sequence[sections.Section], verdict: Verdict) -> Iterator[Entry]:
    decisions = {entry.line: entry for entry in verdict.decisions}
    seen = set()
    for cut in cuts:
        if cut.anchor is None or cut.is_empty:
            continue
        decision = decisions.get(cut.line)
        entry = Entry(
            anchor=cut.anchor, kind=base.kind, title=cut.title or base.title, text=cut.text, line=cut.line,
            end_line=cut.end_line, heading=cut.path, number=base.number, status=base.status, date=base.date,
            scope=base.scope, language=base.language,
        )  # fmt: skip
        if decision:
            seen.add(cut.line)
            entry = replace(
                decision,
                anchor=cut.anchor,
                text=cut.text,
                end_line=cut.end_line,
                heading=cut.path,
                language=base.language,
            )
        yield entry
    for entry in verdict.decisions:
        if entry.line not in seen and entry.anchor is not None:
            yield entry


def _entities(writing: Writing, base: Entry, entries: Sequence[Entry]) -> Iterator[Entity]:
    name = writing.name
    if base.kind in {"adr", "rfc"}:
        if base.number is not None:
            yield Entity("decision", str(base.number), None)
        stem = name.folder.rpartition("/")[2] if name.names_folder and name.folder else name.file
        stem = "" if name.file.casefold() in SPECS else stem
        names = (stem, name.slug, writing.record.title, *writing.page.labels)
        yield from (Entity("decision", one, None) for one in dict.fromkeys(names) if one)
    for entry in entries:
        if entry.subkind == "decision" and entry.number is not None:
            yield Entity("decision", str(entry.number), entry.anchor)
    for person in dict.fromkeys(base.deciders):
        yield Entity("person", person, None)


def _edges(
    writing: Writing, verdict: Verdict, related: Sequence[relations.Relation], anchors: sections.Anchors
) -> Iterator[Edge]:
    page, name = writing.page, writing.name
    lists = verdict.kind in {"template", "index"}
    taken = set()
    for one in () if lists else related:
        taken.add(_same_target(one.target))
        yield Edge(anchors.at(one.line), one.kind, one.target, one.line, one.inverse)
    numbers = {field.line for field in writing.record.fields if field.key == "number"}
    for link in _once(page.links, anchors):
        ref = None if link.line in numbers else references.of_link(link, name)
        if ref and ref.name != name.path:
            kind = _link_kind(ref, name, verdict.kind)
            if kind == "links_to" or _same_target(ref) not in taken:
                yield Edge(anchors.at(link.line), kind, ref, link.line)
    for line, ref in () if lists else relations.named(page, name, 1, len(page.lines)):
        if _same_target(ref) not in taken:
            yield Edge(anchors.at(line), "relates_to", ref, line)
    yield from _mentions(page, name, taken, anchors, lists=lists)
    yield from _authors(writing.record)


def _mentions(
    page: Page, name: Name, taken: set[tuple[str, str]], anchors: sections.Anchors, *, lists: bool
) -> Iterator[Edge]:
    """The paths and code names of the text; the file name of another record of the series is that record."""
    own = name.path.rpartition("/")[2]
    for line, ref in references.mentions(page):
        if ref.kind == "file" and ref.name.rpartition("/")[2] == own:
            continue
        kind = "mentions" if lists or ref.kind != "file" else _mention_kind(ref, name, taken)
        if kind == "relates_to":
            yield Edge(anchors.at(line), kind, replace(ref, name=posixpath.join(series_folder(name), ref.name)), line)
        elif kind:
            yield Edge(anchors.at(line), kind, ref, line)


def _authors(found: Record) -> Iterator[Edge]:
    for field in found.fields:
        if field.key == "deciders":
            for person in found.deciders:
                if any(person in value for value in field.values):
                    yield Edge(None, "authored_by", Ref("person", person), field.line)


def _once(links: Sequence[Link], anchors: sections.Anchors) -> Iterator[Link]:
    """Each target once a section."""
    seen = set()
    for link in links:
        key = (anchors.at(link.line), link.target)
        if key not in seen:
            seen.add(key)
            yield link


def _same_target(ref: Ref) -> tuple[str, str]:
    """What two references have in common that mean the same record: its folder, and its number or name."""
    if ref.kind == "file":
        other = name_of(ref.name)
        return series_folder(other), str(other.number if other.number is not None else other.slug.casefold())
    digits = re.search(r"(\d+)$", ref.name)
    return ref.folder, str(int(digits[1])) if digits else name_of(ref.name).slug.casefold()


def _mention_kind(ref: Ref, name: Name, taken: set[tuple[str, str]]) -> str | None:
    """A bare file name that is a record of the same series refers to that record; None when that is said already."""
    if "/" in ref.name or name_of(ref.name).number is None or name.number is None:
        return "mentions"
    if not relations.is_record_path(ref.name, name):
        return "mentions"
    return None if (series_folder(name), _same_target(ref)[1]) in taken else "relates_to"


def _link_kind(ref: Ref, name: Name, kind: str) -> str:
    if kind in {"template", "index"}:
        return "links_to"
    if ref.kind == "decision":
        return "relates_to"
    if ref.kind != "file" or not relations.is_record_path(ref.name, name):
        return "links_to"
    target = name_of(ref.name)
    in_series = series_folder(name) in {target.folder, series_folder(target)}
    numbered = target.number is not None or target.date is not None
    known = series.in_decision_folder(target, Layout()) or series.series_of(target) is not None
    return "relates_to" if (numbered and (known or in_series)) or (in_series and kind == "adr") else "links_to"
