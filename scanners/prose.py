"""From a page and its metadata to a scan result: what all scanners of written documents share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scanners import asciidoc, markdown, mediawiki, record, references, relations, restructuredtext, sections
from scanners.globs import matches
from scanners.model import Document, Edge, Entity, Entry, Problem, Ref, ScanResult
from scanners.page import Field, Heading, Link, Page
from scanners.paths import FORMATS, Name, name_of, series_folder
from scanners.record import Record

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


def read(document: Document, extra: Sequence[Field] = ()) -> Writing:
    """Take a document apart by the format that its name tells."""
    name = name_of(document.path)
    page = parse(name, document.text)
    return Writing(document=document, page=page, name=name, record=record.read(page, name, extra))


def parse(name: Name, text: str) -> Page:
    """The page of a text; a file without a known extension is Markdown."""
    match FORMATS.get(name.extension, "markdown"):
        case "restructuredtext":
            return restructuredtext.parse(text)
        case "asciidoc":
            return asciidoc.parse(text)
        case "mediawiki":
            return mediawiki.parse(text)
        case _:
            return markdown.parse(text, line_wise=name.extension == ".mdc")


def kind_wanted(document: Document) -> str | None:
    """The kind that the user's configuration gives this path."""
    return next((kind for glob, kind in document.layout.kinds if matches(glob, document.path)), None)


def result(writing: Writing, verdict: Verdict) -> ScanResult:
    """The entries, entities, edges and problems of a document."""
    found = writing.record
    decides = verdict.kind in DECISIONS
    related = relations.find(
        writing.page, writing.name, found.fields, found.heading, (1, len(writing.page.lines))
    )
    state = _state(found.status, related) if decides else None
    problems = [Problem(writing.document.path, line, text) for line, text in (*writing.page.problems, *found.problems)]
    if decides and found.status not in {None, state}:
        problems.append(Problem(writing.document.path, 1, f"says it is {found.status} and names a successor"))
    cuts = sections.cut(writing.page, found.heading, verdict.whole)
    base = _base(writing, verdict, state)
    entries = [base, *_section_entries(base, cuts, verdict)]
    anchors = sections.Anchors(cuts)
    edges = [*verdict.edges, *_edges(writing, verdict, related, anchors)]
    known = {entry.anchor for entry in entries}
    edges = [edge if edge.anchor in known else replace(edge, anchor=None) for edge in edges]
    return ScanResult(tuple(entries), tuple(_entities(writing, base, entries)), tuple(dict.fromkeys(edges)), tuple(problems))


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
        status=verdict.status or state,
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
                decision, anchor=cut.anchor, text=cut.text, end_line=cut.end_line, heading=cut.path, language=base.language
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
        yield from (Entity("decision", one, None) for one in dict.fromkeys((stem, name.slug)) if one)
    for entry in entries:
        if entry.subkind == "decision" and entry.number is not None:
            yield Entity("decision", str(entry.number), entry.anchor)
    for person in dict.fromkeys(base.deciders):
        yield Entity("person", person, None)


def _edges(
    writing: Writing, verdict: Verdict, related: Sequence[relations.Relation], anchors: sections.Anchors
) -> Iterator[Edge]:
    page, name = writing.page, writing.name
    taken: set[Ref] = set()
    for one in related if verdict.kind not in {"template", "index"} else ():
        taken.add(one.target)
        yield Edge(anchors.at(one.line), one.kind, one.target, one.line, one.inverse)
    for link in page.links:
        ref = references.of_link(link, name)
        if ref and ref not in taken:
            yield Edge(anchors.at(link.line), _link_kind(ref, name, verdict.kind), ref, link.line)
    if verdict.kind not in {"template", "index"}:
        for line, ref in relations.named(page, name, 1, len(page.lines)):
            if ref not in taken:
                yield Edge(anchors.at(line), "relates_to", ref, line)
    for line, ref in references.mentions(page):
        yield Edge(anchors.at(line), "mentions", ref, line)
    for field in writing.record.fields:
        if field.key == "deciders":
            yield from (
                Edge(None, "authored_by", Ref("person", person), field.line)
                for person in writing.record.deciders
                if any(person in value for value in field.values)
            )


def _link_kind(ref: Ref, name: Name, kind: str) -> str:
    if kind in {"template", "index"}:
        return "links_to"
    if ref.kind == "decision":
        return "relates_to"
    beside = ref.kind == "file" and relations.is_record_path(ref.name, name)
    target = name_of(ref.name)
    in_series = target.folder == series_folder(name) or series_folder(target) == series_folder(name)
    return "relates_to" if beside and (target.number is not None or target.date or (in_series and kind == "adr")) else "links_to"


def link_edges(page: Page, name: Name, links: Sequence[Link], kind: str) -> Iterator[Edge]:
    """Edges of one kind for links of the document's head."""
    for link in links:
        if ref := references.of_link(link, name):
            yield Edge(None, kind, ref, link.line)
