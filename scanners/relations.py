"""Which records a record supersedes, amends or goes with, by what it says itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scanners import fields, references
from scanners.model import Ref
from scanners.page import Field, Heading, Link, Page
from scanners.paths import Name, name_of, parts_of
from scanners.vocabulary import key_of, section_word

BY = r"\s+(?:\([^()]{0,80}\)\s+)?(?:by|par|durch|von|por|pela|pelo|на)(?!\w)"
VERBS = (
    ("supersedes", True, re.compile(
        r"(?<!\w)(?:super[sc]e{1,2}d(?:ed)?(?:d?ed)?|replaced|obsoleted|supplanted|remplacée?|ersetzt|abgelöst|reemplazad[oa]"
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
LINK = re.compile(
    r"!?\[(?P<text>[^\[\]\n]{1,300})\](?:\(\s*<?(?P<target>[^()\s<>]{1,500})>?[^()\n]{0,200}\)|\[(?P<label>[^\[\]]{0,200})\])?"
)
ANGLE = re.compile(r"<(?P<target>[^<>\s]{1,300}\.(?:md|mdx|rst|adoc|markdown))>")
FILE = re.compile(r"(?<![\w/(\[<.])`?(?P<target>(?:[\w.-]{1,80}/){0,8}[\w.-]{1,120}\.(?:md|mdx|rst|adoc|markdown))(?![\w/])`?")
SENTENCE_END = re.compile(r"[.!?。！？](?=\s|$)")
JOINED = re.compile(r"^[\s,;&*_()）、，]{0,8}(?:and|und|et|y|e|и|as well as|和|、)?[\s*_(]{0,4}$", re.IGNORECASE)
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
    """A claim about another record; `firm` when it stands where states and links are declared, not in prose."""

    kind: str
    target: Ref
    line: int
    inverse: bool = False
    firm: bool = False


def find(page: Page, name: Name, found: Sequence[Field], title: Heading | None, within: tuple[int, int]) -> list[Relation]:
    """The relations said between two lines, each once, those of metadata first."""
    relations = [*_in_fields(page, name, found)]
    for first, last, firm in _ranges(page, title, within):
        for start, run in fields.paragraphs(page, first, last):
            relations += _in_paragraph(run, start, name, firm=firm)
    unique: dict[tuple[str, bool, str, str], Relation] = {}
    for relation in relations:
        if not _is_self(relation.target, name):
            key = (relation.kind, relation.inverse, relation.target.kind, relation.target.name)
            unique.setdefault(key, relation)
    return list(unique.values())


def named(page: Page, name: Name, first: int, last: int) -> Iterator[tuple[int, Ref]]:
    """The bare record ids between two lines."""
    for number, line in page.between(first, last):
        text = LINK.sub(_blanked, line[:8_000]) if "](" in line else line[:8_000]
        for _, _, ref in references.ids(text, name):
            if not _is_self(ref, name):
                yield number, ref


def targets(text: str, name: Name) -> list[tuple[int, int, Ref]]:
    """The records that a text names, by link, path or id, with the places where each begins and ends."""
    found: list[tuple[int, int, Ref]] = []
    for pattern in (LINK, ANGLE, FILE):
        for match in pattern.finditer(text):
            groups = match.groupdict()
            if not any(start < match.end() and match.start() < end for start, end, _ in found):
                ref = _of_match(groups.get("text") or "", groups.get("target"), name)
                if ref:
                    found.append((match.start(), match.end(), ref))
    for start, end, ref in references.ids(text, name):
        if not any(first < end and start < last for first, last, _ in found):
            found.append((start, end, ref))
    return sorted(found, key=lambda one: one[0])


def _blanked(match: re.Match[str]) -> str:
    return " " if match["target"] else match[0]


def _of_match(text: str, target: str | None, name: Name) -> Ref | None:
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
    return other.number is not None or other.date is not None or (other.folder == name.folder and not other.names_folder)


def _ranges(page: Page, title: Heading | None, within: tuple[int, int]) -> Iterator[tuple[int, int, bool]]:
    """The head and each section, and whether it is where relations are declared."""
    first, last = within
    headings = [h for h in page.headings if first <= h.line <= last and h is not title]
    yield first, headings[0].line - 1 if headings else last, bool(headings)
    for number, heading in enumerate(headings):
        end = headings[number + 1].line - 1 if number + 1 < len(headings) else last
        word = section_word(heading.text)
        yield heading.end + 1, end, key_of(word) in SAYS_RELATIONS or word in RELATION_SECTIONS


def _in_fields(page: Page, name: Name, found: Sequence[Field]) -> Iterator[Relation]:
    for field in found:
        if field.key in _KINDS:
            kind, inverse = _KINDS[field.key]
            for value in field.values:
                for ref in _of_value(value, name):
                    yield Relation(kind, ref, field.line, inverse, firm=True)
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
        elif word and " " not in word and (parts_of(word)[0] is not None or parts_of(word)[1]):
            yield Ref("decision", word, folder=name.folder)


def _in_paragraph(run: Sequence[str], start: int, name: Name, *, firm: bool) -> Iterator[Relation]:
    text = "\n".join(run)[:20_000]
    if not any(pattern.search(text) for _, _, pattern in VERBS):
        return
    listed = targets(text, name)
    for kind, inverse, pattern in VERBS:
        for match in pattern.finditer(text):
            if kind == "amends" and not firm:
                continue
            for ref in _following(text, match, listed, NEAR if firm else CLOSE, firm=firm):
                yield Relation(kind, ref, start + text.count("\n", 0, match.start()), inverse, firm)


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
    if ref.kind == "file":
        return ref.name == name.path
    digits = re.search(r"(\d+)$", ref.name)
    return bool(ref.folder and digits and name.number is not None and int(digits[1]) == name.number)
