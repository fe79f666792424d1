"""Every other written document: guides, READMEs, change logs, notes, by section."""

from __future__ import annotations

from scanners import prose, templates
from scanners.model import Document, ScanResult
from scanners.prose import Verdict


class DocScanner:
    """Takes what no other scanner of written documents wanted."""

    name = "docs"
    version = 1

    def claims(self, path: str) -> bool:
        """Written documents by extension, and a few known names without one."""
        return prose.is_written(path)

    def companions(self, path: str) -> tuple[str, ...]:  # noqa: ARG002 - part of the protocol
        """None: a document stands alone."""
        return ()

    def scan(self, document: Document) -> ScanResult | None:
        """The document and its sections."""
        wanted = prose.kind_wanted(document)
        writing = prose.read(document)
        return prose.result(writing, Verdict(kind=wanted if wanted in {"doc", "index", "template"} else _kind(writing)))


def _kind(writing: prose.Writing) -> str:
    name, page = writing.name, writing.page
    if name.file.casefold() in {"llms", "llms-full"}:
        return "index"
    return "template" if templates.is_template(page, writing.record, name) else "doc"
