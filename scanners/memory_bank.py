"""Memory banks: the notes that agents and people keep about the state of a project."""

from __future__ import annotations

from scanners import decision_log, prose
from scanners.model import Document, Layout, ScanResult
from scanners.paths import Name, name_of, words
from scanners.prose import Verdict

FOLDERS = {
    "memory-bank": "memory-bank", "memory-banks": "memory-bank", "memories": "memories", "memory": "memory",
    "planning": "planning", "taskmaster": "taskmaster", "beads": "beads", "out-of-scope": "out-of-scope",
}  # fmt: skip
BANKS = frozenset({"memory-bank", "memory-banks"})
HIDDEN_ONLY = frozenset({"memories", "memory", "planning", "taskmaster", "out-of-scope", "beads"})
"""Folder words that mean a bank only below a folder that begins with a dot, or with a dot of their own."""
AT_THE_ROOT = {"thoughts": "thoughts", "conductor": "conductor"}
PAIRS = {
    ("docs", "solutions"): "solutions",
    ("docs", "brainstorms"): "brainstorms",
    ("agent-os", "product"): "agent-os",
}
NAMES = frozenset(
    {"projectbrief", "productcontext", "activecontext", "systempatterns", "techcontext", "progress", "decisionlog",
    "sessionlog"}
)  # fmt: skip
ALONE = frozenset({"projectbrief", "productcontext", "activecontext", "systempatterns", "techcontext", "sessionlog"})
ROOT_NAMES = frozenset({"context", "context-map", "concepts"})
BACKLOG = frozenset({"tasks", "completed", "drafts", "docs", "milestones", "archive", "documents"})


class MemoryBankScanner:
    """Finds memory banks by their folders and file names; decisions kept in one are left to the decision scanner."""

    name = "memory-bank"
    version = 1

    def claims(self, path: str) -> bool:
        """Any written document may be a note."""
        return prose.is_written(path)

    def companions(self, path: str) -> tuple[str, ...]:  # noqa: ARG002 - part of the protocol
        """None: a note stands alone."""
        return ()

    def scan(self, document: Document) -> ScanResult | None:
        """The note and its sections, None for what is no memory bank."""
        wanted = prose.kind_wanted(document)
        name = name_of(document.path)
        bank = (wanted == "memory-bank" and "note") or (None if wanted else bank_of(name, document.layout))
        if not bank or (not wanted and _decides(name)):
            return None
        return prose.result(prose.read(document), Verdict(kind="memory-bank", subkind=bank))


def bank_of(name: Name, layout: Layout) -> str | None:
    """The kind of bank that a path belongs to."""
    for folder in layout.memory_folders:
        if name.folder == folder or name.folder.startswith(folder + "/"):
            return "backlog" if folder == "backlog" else "memories"
    parts = ("", *name.folders, "")
    for above, part, below in zip(parts, parts[1:], parts[2:], strict=False):
        if bank := _bank_of_folder(above, part, below):
            return bank
    file = name.file.casefold()
    if file in ALONE or (file in ROOT_NAMES and name.file.isupper()):
        return "context" if file in ROOT_NAMES else "memory-bank"
    return None


def _bank_of_folder(above: str, part: str, below: str) -> str | None:
    word = words(part)
    if word in FOLDERS and (word not in HIDDEN_ONLY or part.startswith(".") or above.startswith(".")):
        return FOLDERS[word]
    if not above and part in AT_THE_ROOT:
        return AT_THE_ROOT[part]
    if part == "backlog" and below in BACKLOG:
        return "backlog"
    return PAIRS.get((above, part))


def _decides(name: Name) -> bool:
    return decision_log.is_log_name(name) or name.folders[-1:] == ("decisions",)
