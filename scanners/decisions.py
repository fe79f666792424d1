"""Decision records: ADRs, requests for comments and specifications, decision logs, their indexes and templates."""

from __future__ import annotations

import re
from dataclasses import replace

from scanners import decision_log, frontmatter, prose, series, templates
from scanners.model import Document, ScanResult
from scanners.page import Field, Page
from scanners.paths import Name, name_of
from scanners.prose import Verdict, Writing
from scanners.vocabulary import DECISION_SECTIONS, DESIGN_SECTIONS, OUTCOME_SECTIONS, key_of, section_word

KINDS = frozenset({"adr", "rfc", "decision-log"})
NOT_RECORDS = frozenset(
    {"changelog", "license", "contributing", "code_of_conduct", "security", "glossary", "agents", "claude", "gemini",
    "notice",
     "authors", "todo", "faq", "guidelines", "process", "support", "maintainers", "governance"}
)  # fmt: skip
PRD = re.compile(r"(?:^|[-_])prd(?:$|[-_])", re.IGNORECASE)
STUB = re.compile(r"(?:^|[-_])pending(?:$|[-_])", re.IGNORECASE)
Y_STATEMENT = re.compile(r"\bin the context of\b.{3,400}?\bfacing\b.{3,400}?\bwe decided\b", re.IGNORECASE | re.DOTALL)
ENOUGH_DESIGN = 3
AGENT_SPECS = frozenset({"openspec", "kiro", "spec-kit", "superpowers"})
WIDE_SERIES = frozenset({"proposal", "design", "enhancement"})


class DecisionScanner:
    """Finds records by folder words, file names, content and the configuration of the root together."""

    name = "decisions"
    version = 1

    def claims(self, path: str) -> bool:
        """Any written document may be a record."""
        return prose.is_written(path)

    def companions(self, path: str) -> tuple[str, ...]:
        """Files with the metadata of a record that lie beside it."""
        name = name_of(path)
        if name.names_folder and "keps" in name.folders:
            return (f"{name.folder}/kep.yaml",)
        if "openspec" in name.folders and "changes" in name.folders:
            change = _change_folder(name)
            return (f"{change}/.openspec.yaml",) if change else ()
        if ".kiro" in name.folders and "specs" in name.folders:
            return (f"{name.folder}/spec.json",)
        return ()

    def scan(self, document: Document) -> ScanResult | None:
        """The record, log, index or template that the document is; None when it is none of them."""
        wanted = prose.kind_wanted(document)
        name = name_of(document.path)
        if wanted and wanted not in {*KINDS, "index", "template"}:
            return None
        if not wanted and not may_decide(document, name):
            return None
        writing = prose.read(document, _beside(document))
        verdict = Verdict(kind=wanted) if wanted else judge(writing)
        if verdict is None:
            return None
        if verdict.kind == "decision-log":
            verdict = decision_log.with_decisions(writing, verdict)
        elif verdict.kind in KINDS and writing.record.status is None:
            verdict = replace(verdict, status=series.folder_state(name) or None)
        return prose.result(writing, verdict)


def _change_folder(name: Name) -> str | None:
    """The folder of an OpenSpec change that the file belongs to."""
    parts = name.folder.split("/")
    at = len(parts) - 1 - parts[::-1].index("changes") if "changes" in parts else len(parts)
    depth = at + (3 if parts[at + 1 : at + 2] == ["archive"] else 2)
    return "/".join(parts[:depth]) if depth <= len(parts) else None


def _beside(document: Document) -> list[Field]:
    """The fields of the files read together with a document."""
    found = list[Field]()
    for text in document.companions.values():
        for field in frontmatter.fields_of(frontmatter.parse_yaml(text), 1, "companion"):
            if key := key_of(field.key):
                found.append(Field(key, field.values, 1, field.source))
    return found


def may_decide(document: Document, name: Name) -> bool:
    """Say, before the text is taken apart, whether it is worth it."""
    if series.in_decision_folder(name, document.layout) or series.series_of(name) or decision_log.is_log_name(name):
        return True
    if name.extension == ".txt":
        return False
    if name.number is not None or templates.is_template_name(name):
        return True
    text = document.text[:200_000].casefold()
    return any(word in text for word in _SIGNALS)


_SIGNALS = (
    "decision",
    "décision",
    "entscheidung",
    "decisión",
    "decisão",
    "решени",
    "决",
    "決",
    "alternatives",
    "drawbacks",
)


def judge(writing: Writing) -> Verdict | None:
    """Template, index, record, in this order; None for a document that is none of them."""
    name = writing.name
    in_folder = series.in_decision_folder(name, writing.document.layout)
    of_series = series.series_of(name)
    in_series = in_folder or of_series is not None
    if _is_template(writing, in_folder=in_series):
        return Verdict(kind="template")
    if name.file.casefold() not in NOT_RECORDS and decision_log.is_log(writing, in_folder=in_folder):
        return Verdict(kind="decision-log")
    if _is_index(writing, in_folder=in_folder, in_series=in_series):
        return Verdict(kind="index")
    return None if _is_no_record(name) else _record(writing, of_series, in_folder=in_folder)


def _record(writing: Writing, of_series: str | None, *, in_folder: bool) -> Verdict | None:
    """The record by its folder, its series or its content."""
    name = writing.name
    is_named = name.series in series.SERIES_NAMES and name.number is not None
    if in_folder and not is_named and not series.beside_record(name):
        return Verdict(kind="adr")
    if of_series:
        return _of_series(writing, of_series)
    return _by_content(writing.page, name)


def _is_template(writing: Writing, *, in_folder: bool) -> bool:
    name, page = writing.name, writing.page
    if templates.is_template_name(name):
        return in_folder or _decision_words(page) + _design_words(page) > 0 or templates.slots(page) > 1
    if in_folder and not writing.name.names_folder and templates.is_form(page, writing.record):
        return True
    return templates.is_template(page, writing.record, name)


def _is_index(writing: Writing, *, in_folder: bool, in_series: bool) -> bool:
    name = writing.name
    if series.is_record_folder(name) or name.number is not None or name.date:
        return False
    listed = templates.listed_records(writing.page, name)
    if in_series and templates.is_index_name(name):
        return True
    lists = decision_log.is_log_name(name) and listed > 0
    return lists or (in_folder and listed > 2 and _decision_words(writing.page) == 0)  # noqa: PLR2004 - a list


def _is_no_record(name: Name) -> bool:
    file = name.file.casefold()
    return file in NOT_RECORDS or bool(PRD.search(name.file) or STUB.search(name.file))


def _of_series(writing: Writing, of_series: str) -> Verdict | None:
    name = writing.name
    if name.names_folder and name.number is None and of_series not in AGENT_SPECS:
        return None if _design_words(writing.page) < ENOUGH_DESIGN else Verdict(kind="rfc", subkind=of_series)
    if of_series not in AGENT_SPECS and series.accompanies(name):
        return None
    if of_series in WIDE_SERIES and name.number is None and not name.date:
        signs = _design_words(writing.page) + _decision_words(writing.page)
        if signs < 2 and writing.record.status is None:  # noqa: PLR2004 - one word alone is chance
            return None
    return Verdict(kind="rfc", subkind=of_series)


def _by_content(page: Page, name: Name) -> Verdict | None:
    """Records that lie anywhere: their headings, or one sentence in the form of a Y-statement."""
    words = {section_word(heading.text) for heading in page.headings}
    known = words & DECISION_SECTIONS
    decides = bool(words & OUTCOME_SECTIONS)
    is_named = name.series in {"adr", "ddr"} and name.number is not None
    if (is_named and known) or (decides and len(known) > 2):  # noqa: PLR2004 - context, decision, consequences
        return Verdict(kind="adr")
    if _design_words(page) >= ENOUGH_DESIGN and words & _STRONG:
        return Verdict(kind="rfc", subkind="design")
    if is_named and any(Y_STATEMENT.search(line) for line in page.shown if "context of" in line):
        return Verdict(kind="adr", subkind="y-statement")
    return None


_STRONG = frozenset(
    {"alternatives considered", "proposed solution", "detailed design", "unresolved questions", "rejected alternatives"}
)


def _decision_words(page: Page) -> int:
    return len({section_word(heading.text) for heading in page.headings} & DECISION_SECTIONS)


def _design_words(page: Page) -> int:
    return len({section_word(heading.text) for heading in page.headings} & DESIGN_SECTIONS)
