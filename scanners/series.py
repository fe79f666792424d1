"""Where decision records lie: the words of folders and file names, the configuration of a root."""

from __future__ import annotations

import posixpath

from scanners.model import Layout
from scanners.paths import SERIES, SPECS, Name, parts_of, state_in, words

DECISION_FOLDERS = frozenset(
    {
        "adr", "adrs", "decisions", "decision", "decision-records", "decision-record", "decision-log", "decision-logs",
        "architecture-decisions", "architecture-decision-records", "architecture-decision-record",
        "architectural-decisions",
        "architecture-decision-log", "architectural-decision-records", "design-decisions", "technical-decisions",
        "tech-decisions", "product-decisions", "engineering-decisions", "decisiones", "decisoes", "entscheidungen",
        "architekturentscheidungen", "решения", "madr", "adr-log", "adl", "adrdocs", "architecture-adr",
        "arch-decisions",
        "decision-docs", "adr-docs", "docs-adr", "arquitectura-adr",
    }
)  # fmt: skip
SERIES_FOLDERS = {
    "rfcs": "rfc", "rfc": "rfc", "rfds": "rfd", "rfd": "rfd", "peps": "pep", "keps": "kep", "teps": "tep",
    "deps": "dep",
    "oeps": "oep", "seps": "sep", "jep": "jep", "jeps": "jep", "bips": "bip", "sleps": "slep", "klips": "klip",
    "eips": "eip",
    "proposals": "proposal", "proposal": "proposal", "enhancements": "enhancement",
    "enhancement-proposals": "enhancement",
    "design-docs": "design", "designs": "design", "design-proposals": "design", "design-documents": "design",
    "ddr": "design",
    "request-for-comments": "rfc", "rfc-drafts": "rfc", "tips": "tip", "neps": "nep", "ceps": "cep",
}  # fmt: skip
SERIES_NAMES = SERIES - {"adr", "ddr", "madr", "decision", "dr", "ad", "dec", "task", "se", "st"}
STATE_FOLDERS = {
    "accepted": "accepted", "final": "accepted", "implemented": "accepted", "draft": "draft", "drafts": "draft",
    "withdrawn": "rejected", "rejected": "rejected", "superseded": "superseded", "deprecated": "deprecated",
    "proposed": "proposed", "active": "accepted", "obsolete": "deprecated", "declined": "rejected",
}  # fmt: skip
PASSED_OVER = frozenset({"archive", "archived", "database", "docs", "old", "history", "implemented", *STATE_FOLDERS})


def in_decision_folder(name: Name, layout: Layout) -> bool:
    """Say whether the file lies in a folder of decision records, not deeper than records do."""
    folder = name.folder
    if any(folder == one or folder.startswith(one + "/") for one in layout.decision_folders):
        return True
    parts = list(name.folders)
    if name.names_folder and parts and _is_record_folder(parts[-1]):
        parts.pop()
    while parts:
        if words(parts[-1]) in DECISION_FOLDERS:
            return True
        if parts[-1] in PASSED_OVER or ((name.number is not None or name.date) and len(name.folders) - len(parts) < 2):  # noqa: PLR2004
            parts.pop()
            continue
        return False
    return False


def is_record_folder(name: Name) -> bool:
    """Say whether README or index is the record itself: its folder is numbered or dated."""
    return bool(name.names_folder and name.folders and _is_record_folder(name.folders[-1]))


def beside_record(name: Name) -> bool:
    """Say whether the file only accompanies a record that has a folder of its own."""
    return bool(not name.names_folder and name.folders and _is_record_folder(name.folders[-1]) and name.number is None)


def accompanies(name: Name) -> bool:
    """Say whether the file lies in the folder of a record of a series without being the record."""
    parent = posixpath.basename(name.folder)
    return not name.names_folder and name.number is None and (parent.isdecimal() or bool(_is_record_folder(parent)))


def series_of(name: Name) -> str | None:
    """The series of requests for comments or specifications that the path belongs to."""
    if name.series in SERIES_NAMES and name.number is not None:
        return name.series
    spec = _specification(name)
    if spec:
        return spec
    for depth, part in enumerate(reversed(name.folders)):
        series = SERIES_FOLDERS.get(words(part))
        if series and (depth < 2 or name.number is not None or name.names_folder):  # noqa: PLR2004 - area and record folder
            return series
    if name.number is not None and name.folders[-1:] == ("text",):
        return "rfc"
    if name.number is not None and len(name.folders) == 1 and name.folders[0] in STATE_FOLDERS:
        return "proposal"
    return None


def folder_state(name: Name) -> str | None:
    """The state that a mark in the file name, or the folder, gives a record."""
    marked = state_in(name)
    return marked or next((STATE_FOLDERS[part] for part in reversed(name.folders[-2:]) if part in STATE_FOLDERS), None)


def _specification(name: Name) -> str | None:
    """Specifications that coding agents work from: OpenSpec, spec-kit, Kiro, Superpowers."""
    folders, file = name.folders, name.file.casefold()
    joined = "/".join(folders)
    if "openspec" in folders and file in SPECS:
        return "openspec"
    if ".kiro/specs/" in joined + "/" and file in SPECS:
        return "kiro"
    if "docs/superpowers/" in joined + "/" and folders[-1] in {"specs", "plans"}:
        return "superpowers"
    parent = posixpath.basename(name.folder)
    if len(folders) > 1 and folders[-2] == "specs" and parts_of(parent)[0] is not None and file in SPECS:
        return "spec-kit"
    return None


def _is_record_folder(part: str) -> bool:
    number, date, series, slug = parts_of(part)
    return bool(date and slug) or (number is not None and bool(slug or series))
