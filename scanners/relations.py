"""Which records a record supersedes, amends or goes with, by what it says itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scanners import fields, references
from scanners.model import Ref
from scanners.page import Field, Heading, Link, Page
from scanners.paths import SERIES, Name, name_of, parts_of, words
from scanners.vocabulary import key_of, section_word

BY = r"\s+(?:\([^()]{0,80}\)\s+)?(?:by|par|durch|von|por|pela|pelo|на)(?!\w)"
VERBS = (
    ("supersedes", True, re.compile(
        r"(?<!\w)(?:super[sc]e{1,2}[cd]{1,2}ed|invalidated|replaced|obsoleted|supplanted|remplacée?|ersetzt|abgelöst|reemplazad[oa]"
        r"|sustituid[oa]|substituíd[oa]|заменен[оа]?|заменён)" + BY + r"|(?<=被)(?=\s*\[|\s*ADR)",
        re.IGNORECASE,
    )),
    ("supersedes", False, re.compile(
        r"(?<!\w)(?:supersedes|supercedes|superceeds|obsoletes|replaces|remplace|ersetzt(?!\s+durch)|reemplaza(?:\s+a)?"
        r"|sustituye(?:\s+a)?|substitui|заменяет)(?!\w)|取代|替代",
        re.IGNORECASE,
    )),
    ("amends", True, re.compile(r"(?<!\w)(?:amended|refined|extended|modified|clarified|updated)" + BY, re.IGNORECASE)),
    ("amends", False, re.compile(r"(?<!\w)(?:amends|refines|extends|modifies|clarifies|updates)(?!\w)", re.IGNORECASE)),
)  # fmt: skip
STEMS = (
    "superse", "superce", "replac", "obsolet", "supplant", "invalidat", "remplac", "ersetz", "abgel", "reempla",
    "sustitu",
    "substitu", "замен", "取代", "替代", "被", "amend", "refine", "extend", "modifi", "clarifi", "update",
)  # fmt: skip
"""One of these is in every text that a verb is in; looking for them is quicker."""
LINK = re.compile(
    r"!?\[(?P<text>[^\[\]\n]{1,300})\](?:\(\s*<?(?P<target>[^()\s<>]{1,500})>?[^()\n]{0,200}\)|\[(?P<label>[^\[\]]{0,200})\])?"
)
ANGLE = re.compile(r"<(?P<target>[^<>\s]{1,300}\.(?:md|mdx|rst|adoc|markdown))>")
ROLE = re.compile(r":(?P<role>[a-z:]{2,20}):`(?P<text>[^`<]{0,200}?)\s*(?:<(?P<target>[^`<>]{1,300})>)?`")
ASCIIDOC = re.compile(r"(?:link|xref):(?P<target>[^\s\[\]]{1,400})\[(?P<text>[^\[\]]{0,200})\]")
QUOTED = re.compile(r"`[^`\n]{1,200}`")
WIKI = re.compile(r"\[\[[^\[\]\n]{1,400}\]\]")
FILE = re.compile(
    r"(?<![\w/(\[<.])`?(?P<target>(?:[\w.-]{1,80}/){0,8}[\w.-]{1,120}\.(?:md|mdx|rst|adoc|markdown))(?![\w/])`?"
)
SENTENCE_END = re.compile(r"[.!?。\uff01\uff1f](?=\s|$)")
JOINED = re.compile(
    r"^[\s,;&*_()\uff09、\uff0c]{0,8}(?:and|und|et|y|e|и|as well as|和|、)?[\s*_(]{0,4}$", re.IGNORECASE
)
NOT_YET = re.compile(r"\b(?:will|to|may|might|could|should|can|not|never|yet)\s+(?:be\s+)?(?:soon\s+)?$", re.IGNORECASE)
CLOSE, NEAR = 30, 80
SAYS_RELATIONS = frozenset(
    {"status", "links", "link", "related", "supersedes", "superseded-by", "amends", "amended-by", "date"}
)
RELATION_SECTIONS = frozenset(
    {"links", "more information", "related decisions", "references", "related", "notes", "note", "related adrs",
     "liens", "plus d information", "verweise", "referenzen", "ссылки", "enlaces", "referencias", "关联", "相关"}
)  # fmt: skip
_KINDS = {
    "supersedes": ("supersedes", False), "superseded-by": ("supersedes", True), "amends": ("amends", False),
    "amended-by": ("amends", True), "related": ("relates_to", False),
}  # fmt: skip
NOTHING = re.compile(r"^\W*(?:none|n/?a|null|-+|—|nothing|tbd|нет|无|なし|aucun|ninguno|keine)?\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Relation:
    """A claim about another record.

    It is `firm` when it stands where states and links are declared, not in prose; `is_field` when it is metadata.
    """

    kind: str
    target: Ref
    line: int
    inverse: bool = False
    firm: bool = False
    is_field: bool = False


def find(
    page: Page, name: Name, found: Sequence[Field], title: Heading | None, within: tuple[int, int]
) -> list[Relation]:
    """The relations said between two lines, each once, those of metadata first."""
    relations = [*_in_fields(name, found)]
    for first, last, firm in _ranges(page, title, within):
        for start, run in fields.paragraphs(page, first, last):
            relations += _in_paragraph(run, start, name, firm=firm)
    unique: dict[tuple[str, bool, str, str], Relation] = {}
    for relation in relations:
        if not _is_self(relation.target, name):
            key = (relation.kind, relation.inverse, relation.target.kind, relation.target.name)
            unique.setdefault(key, relation)
    stronger = {(one.target.kind, one.target.name) for one in unique.values() if one.kind != "relates_to"}
    return [
        one for one in unique.values() if one.kind != "relates_to" or (one.target.kind, one.target.name) not in stronger
    ]


def named(page: Page, name: Name, first: int, last: int) -> Iterator[tuple[int, Ref]]:
    """The bare record ids between two lines, those in links and headings left out."""
    headed = {line for heading in page.headings for line in range(heading.line, heading.end + 1)}
    for number, line in page.between(first, last):
        if number in headed:
            continue
        for _, _, ref in references.ids(_without_links(line[:8_000]), name):
            if not _is_self(ref, name):
                yield number, ref


def targets(text: str, name: Name) -> list[tuple[int, int, Ref]]:
    """The records that a text names, by link, path or id, with the places where each begins and ends."""
    found: list[tuple[int, int, Ref]] = []
    elsewhere: list[tuple[int, int]] = []
    for pattern in (ROLE, LINK, ANGLE, ASCIIDOC, FILE):
        for match in pattern.finditer(text):
            if pattern is FILE and parts_of(match["target"].rpartition("/")[2])[:2] == (None, None):
                continue
            groups = match.groupdict()
            taken = [*elsewhere, *((start, end) for start, end, _ in found)]
            if not any(start < match.end() and match.start() < end for start, end in taken):
                ref = _of_role(groups, name) if groups.get("role") else _of_match(groups, name)
                if ref:
                    found.append((match.start(), match.end(), ref))
                elif groups.get("target"):
                    elsewhere.append((match.start(), match.end()))
    taken = [*elsewhere, *((start, end) for start, end, _ in found)]
    for start, end, ref in references.ids(text, name):
        if not any(first < end and start < last for first, last in taken):
            found.append((start, end, ref))
    return sorted(found, key=lambda one: one[0])


def _without_links(text: str) -> str:
    if "[" in text:
        text = WIKI.sub(" ", ASCIIDOC.sub(" ", LINK.sub(lambda match: " " if match["target"] else match[0], text)))
    if "`" in text:
        text = ROLE.sub(" ", text)
    return text


def _of_role(groups: dict[str, str | None], name: Name) -> Ref | None:
    """What a role of reStructuredText names: a document, or a record by its number."""
    role, text = (groups["role"] or "").rpartition(":")[2], groups["text"] or ""
    target = groups["target"] or text
    if role == "doc":
        return references.of_document(target, name)
    if role in SERIES:
        return references.of_id(f"{role.upper()} {target}", role, name)
    found = next((ref for _, _, ref in references.ids(f"{text} {target}", name)), None)
    return found or (Ref("decision", " ".join(target.split())) if role == "ref" and target else None)


def _of_match(groups: dict[str, str | None], name: Name) -> Ref | None:
    text, target = groups.get("text") or "", groups.get("target")
    if target:
        ref = references.of_link(Link(text, target, 0), name)
        if ref and (ref.kind != "file" or is_record_path(ref.name, name)):
            return ref
        if ref is None and not target.startswith("#"):
            return None
    return next((found for _, _, found in references.ids(text, name)), None)


def is_record_path(path: str, name: Name) -> bool:
    """Say whether a path looks like a record: in the folder of the document, or numbered or dated."""
    other = name_of(path)
    if other.extension and other.extension not in {".md", ".mdx", ".rst", ".adoc", ".markdown", ".mediawiki", ".txt"}:
        return False
    return (
        other.number is not None or other.date is not None or (other.folder == name.folder and not other.names_folder)
    )


def _ranges(page: Page, title: Heading | None, within: tuple[int, int]) -> Iterator[tuple[int, int, bool]]:
    """The head and each section, and whether it is where relations are declared."""
    first, last = within
    headings = [h for h in page.headings if first <= h.line <= last and h is not title]
    yield first, headings[0].line - 1 if headings else last, bool(headings)
    for number, heading in enumerate(headings):
        end = headings[number + 1].line - 1 if number + 1 < len(headings) else last
        word = section_word(heading.text)
        yield heading.end + 1, end, key_of(word) in SAYS_RELATIONS or word in RELATION_SECTIONS


def _in_fields(name: Name, found: Sequence[Field]) -> Iterator[Relation]:
    unfilled = {field.source for field in found if field.key == "status" and "|" in field.value}
    for field in found:
        if field.source in unfilled - {"section"}:
            continue
        if field.key in _KINDS:
            kind, inverse = _KINDS[field.key]
            for value in field.values:
                for ref in _of_value(value, name):
                    yield Relation(kind, ref, field.line, inverse, firm=True, is_field=True)
        elif field.key == "status":
            yield from _in_paragraph([field.value], field.line, name, firm=True)


def _of_value(value: str, name: Name) -> Iterator[Ref]:
    """The records that a field of relations lists: links, ids, numbers, slugs."""
    if NOTHING.match(value):
        return
    listed = targets(value, name)
    if listed:
        yield from (ref for _, _, ref in listed)
        return
    for part in re.split(r"[,;\n]|\s+(?:and|und|et|y|и)\s+", value):
        word = part.strip(" \"'`[]#*_().")
        if re.fullmatch(r"\d{1,5}", word):
            yield references.of_number(word, name)
        elif word.startswith("/") and (ref := references.of_link(Link(word, word, 0), name)):
            yield ref
        elif word and " " not in word and (parts_of(word)[0] is not None or parts_of(word)[1]):
            yield Ref("decision", word, folder=name.folder)


def _in_paragraph(run: Sequence[str], start: int, name: Name, *, firm: bool) -> Iterator[Relation]:
    text = "\n".join(run)[:20_000]
    folded = text.casefold()
    if not any(stem in folded for stem in STEMS):
        return
    text = QUOTED.sub(_without_verbs, text)
    listed = targets(text, name)
    for kind, inverse, pattern in VERBS:
        for match in pattern.finditer(text):
            if (kind == "amends" and not firm) or NOT_YET.search(text, max(0, match.start() - 20), match.start()):
                continue
            for ref in _following(text, match, listed, NEAR if firm else CLOSE, firm=firm):
                yield Relation(kind, ref, start + text.count("\n", 0, match.start()), inverse, firm)


def _without_verbs(match: re.Match[str]) -> str:
    """A code span that holds a verb shows how to write a relation and states none."""
    said = any(pattern.search(match[0]) for _, _, pattern in VERBS)
    return " " * len(match[0]) if said else match[0]


def _following(
    text: str, verb: re.Match[str], listed: Sequence[tuple[int, int, Ref]], reach: int, *, firm: bool
) -> Iterator[Ref]:
    """The targets after a verb: the first one near it, then those joined to it by commas and `and`."""
    ends = [match.end() for match in SENTENCE_END.finditer(text, max(0, verb.start() - 300), verb.start())]
    sentence = max([*ends, text.rfind("\n\n", 0, verb.start()), 0])
    if not firm and any(sentence <= start < verb.start() for start, _, _ in listed):
        return
    at = verb.end()
    for start, end, ref in listed:
        if start < verb.end():
            continue
        between = text[at:start]
        near = len(between) <= reach and not SENTENCE_END.search(between) if at == verb.end() else JOINED.match(between)
        if not near or (at == verb.end() and "\n\n" in between):
            return
        yield ref
        at = end


def _is_self(ref: Ref, name: Name) -> bool:
    """Say whether a document names itself: by its path, or by its number in its own series."""
    if ref.kind == "file":
        return ref.name == name.path
    match = re.fullmatch(r"\W*([^\W\d_]*)[-_ #]*(\d+)\W*", ref.name)
    if not match or name.number is None or int(match[2]) != name.number:
        return False
    series = match[1].casefold()
    return series in {"", "adr", name.series} or any(words(part).rstrip("s") == series for part in name.folders)
