"""Golden cases of written documents under fixtures/scans: one folder a case, `UPDATE_EXPECTED=1` writes it anew."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest

from scanners import registry
from scanners.model import Document, Edge, Entry, ScanResult

SCANS = Path(__file__).parents[2] / "fixtures/scans"
CASES = sorted(case for name in ("decisions", "docs", "memory_bank", "rules") for case in (SCANS / name).iterdir())
DEFAULTS = {field.name: field.default for field in fields(Entry)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_case_reads_as_expected(case: Path) -> None:
    check_scan(case)


def check_scan(case: Path) -> None:
    """Compare what the scanners find in the input with what the case expects; `path` says where the input lies."""
    file = case / "expected.json"
    expected = json.loads(file.read_text(encoding="utf-8"))
    text = next(case.glob("input.*")).read_text(encoding="utf-8")
    document = Document(expected["path"], text, companions=expected.get("companions", {}))
    found = {name: expected[name] for name in ("path", "companions") if name in expected}
    found |= shown(registry.scan(document))
    if os.environ.get("UPDATE_EXPECTED"):
        file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        expected = found
    assert found == expected


def shown(result: ScanResult) -> dict[str, Any]:
    """What a reviewer reads: fields that say something, an edge a line."""
    return {
        "entries": [dict(_fields(entry)) for entry in result.entries],
        "edges": [_edge(edge) for edge in result.edges],
        "entities": [f"{entity.kind} {entity.name}" for entity in result.entities],
        "problems": [f"{problem.line}: {problem.message}" for problem in result.problems],
    }


def _fields(entry: Entry) -> Iterator[tuple[str, object]]:
    """The fields that differ from the usual; the text is what the lines say."""
    for name, value in asdict(entry).items():
        if name != "text" and value not in (DEFAULTS[name], ()):
            yield name, list(value) if isinstance(value, tuple) else value


def _edge(edge: Edge) -> str:
    target = edge.target
    kind = f"{edge.kind}{' (inverse)' if edge.inverse else ''}"
    place = f" in {target.folder}" if target.folder else ""
    line = f" line {target.line}" if target.line else ""
    return (
        f"{edge.line} {edge.anchor}: {kind} {target.kind} {target.name}{' exact' if target.exact else ''}{place}{line}"
    )
