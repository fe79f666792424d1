"""Which documents are forms to fill in, and which are lists of records."""

from __future__ import annotations

import re

from scanners import status
from scanners.page import Page
from scanners.paths import Name, name_of
from scanners.record import Record
from scanners.references import of_link

TEMPLATE_WORDS = frozenset(
    {"template", "templates", "modele", "modèle", "vorlage", "plantilla", "шаблон", "模板", "テンプレート", "tmpl",
    "boilerplate",
     "skeleton", "szablon", "modello"}
)  # fmt: skip
FILLERS = frozenset(
    {"adr", "rfc", "adrs", "madr", "decision", "record", "architecture", "architectural", "number", "long", "short",
    "bare",
     "minimal", "full", "example", "nygard", "nnnn", "xxxx", "xxx", "yyyymmdd", "title", "simple", "basic", "empty",
     "the",
     "de", "en", "fr", "es", "pt", "ru", "zh", "ja", "kep", "tep", "oep", "dep", "pep", "sep", "design", "doc",
     "proposal",
     "spec", "log", "new", "decisions", "jep", "bip", "slep", "default", "v", "my", "based",
     "external", "link", "pull", "request", "issue", "feature", "bug"}
)  # fmt: skip
PLACEHOLDER = re.compile(
    r"^\W{0,3}(?:[\[{<][^\[\]{}<>\n]{3,200}[\]}>]|NUMBER|TITLE|N{3,4}|X{3,4}|YYYYMMDD|short title)(?=$|\W)"
    r"|^\W*\\?\{.{1,60}\\?\}"
)
SLOT = re.compile(
    r"\[[A-Z][A-Z0-9_ -]{3,60}\]|\\?\{[A-Za-z][^{}\n|]{2,60}\\?\}|\{\{[^{}\n]{2,60}\}\}|<[a-z][a-z ,/-]{4,60}>"
)
MANY_SLOTS = 2
INDEX_NAMES = frozenset(
    {"readme", "index", "_index", "decisions", "adrs", "adr", "toc", "list", "overview", "summary", "contents",
    "_toc", "adr-index",
     "adr-list", "decision-index", "decision-records", "decision-list", "index-adr", "adr-overview", "adr-summary",
     "home"}
)  # fmt: skip


def is_template_name(name: Name) -> bool:
    """Say whether the file name is that of a form: `template`, `0000-adr-template-de`, `EMPTY-ADR`, `NNNN-title`."""
    file = re.sub(r"([a-z])([A-Z])", r"\1 \2", name.file).casefold()
    words = [word for word in re.split(r"[\W_\d]+", file) if word]
    if _is_form_name(file):
        return True
    if {"empty", "blank"} & set(words) and all(word in FILLERS or word == "blank" for word in words):
        return True
    return bool(re.match(r"(?:adr[-_])?(?:nnnn?|xxxx?|yyyymmdd|yyyy-mm-dd)(?:[-_]|$)", name.file.casefold()))


def in_template_folder(name: Name) -> bool:
    """Say whether a folder on the path holds forms."""
    return any(_is_form_name(part) for part in name.folders)


def _is_form_name(text: str) -> bool:
    words = [word for word in re.split(r"[\W_\d]+", text) if word]
    return any(word in TEMPLATE_WORDS for word in words) and all(
        word in TEMPLATE_WORDS or word in FILLERS for word in words
    )


def is_form(page: Page, record: Record) -> bool:
    """Say whether a document still waits to be filled in: its title or its status is a placeholder."""
    heading = record.heading.text if record.heading else record.title
    raw = record.status_raw or ""
    if PLACEHOLDER.match(heading) or PLACEHOLDER.match(record.title):
        return record.status is None and record.date is None
    return record.status is None and bool(raw) and status.is_placeholder(raw) and "|" in raw and slots(page) > 0


def is_template(page: Page, record: Record, name: Name) -> bool:
    """Say whether a document that is no record is a form: by its name or folder, and by what waits to be filled in."""
    if is_template_name(name):
        return slots(page) > 1 or is_form(page, record)
    if name.number or name.date:
        return False
    told = in_template_folder(name) or bool(set(re.split(r"[\W_]+", name.file.casefold())) & TEMPLATE_WORDS)
    return told and (slots(page) > MANY_SLOTS or is_form(page, record))


def slots(page: Page) -> int:
    """How many places of the shown text wait to be filled in."""
    return sum(len(SLOT.findall(line[:1_000])) for line in page.shown if "[" in line or "{" in line or "<" in line)


def is_index_name(name: Name) -> bool:
    """Say whether the file name is that of a list."""
    return re.sub(r"[\s_]+", "-", name.file.casefold()).strip("-") in INDEX_NAMES or name.file.casefold() in INDEX_NAMES


def listed_records(page: Page, name: Name) -> int:
    """How many records a page links to or lists in a toctree."""
    links = {ref.name for link in page.links if (ref := of_link(link, name)) and _is_numbered(ref.name)}
    listed = sum(bool(re.match(r"^\s{2,}(?:adr-?)?\d{3,5}-[\w-]+\s*$", line)) for line in page.shown)
    return len(links) + listed


def _is_numbered(path: str) -> bool:
    other = name_of(path)
    return other.number is not None or other.date is not None
