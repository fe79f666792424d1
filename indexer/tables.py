"""How answers look to a person on a terminal. PURE: JSON values in, lines out."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Value = Mapping[str, Any]

NARROWEST = 16


def search_lines(answer: Value, *, explain: bool) -> Iterable[str]:
    """The hits of a search with their snippets; with `explain` the parts of each score."""
    if answer["no_good_match"]:
        where = ", ".join(answer["roots"])
        yield f"no good match in {where} ({answer['state']}, as of {answer['as_of']})"
    for number, hit in enumerate(answer["hits"], start=1):
        yield f"{number:2}. {_headline(hit)}"
        yield f"    {hit['id']}  line {hit['line']}"
        if explain:
            parts = "  ".join(f"{name} {value:.3g}" for name, value in hit["why"].items())
            yield f"    score {hit['score']:.3g} = {parts}  (weight {hit['weight']:.3g})"
        yield from (f"    | {line}" for line in hit["snippet"].splitlines())
        yield ""
    if answer["state"] != "ready":
        yield f"state: {answer['state']}, as of {answer['as_of']}; pending files: {answer['pending']['files']}"


def _headline(hit: Value) -> str:
    marks = [hit["kind"], hit["status"] or "", hit["date"] or ""]
    marks.append("" if hit["freshness"] == "unknown" else hit["freshness"])
    marks.append("changed since it was read" if hit["stale"] else "")
    marks.append(f"superseded by {', '.join(hit['superseded_by'])}" if hit["superseded_by"] else "")
    return f"{hit['title']}  [{', '.join(mark for mark in marks if mark)}]"


def read_lines(answer: Value) -> Iterable[str]:
    """One entry whole."""
    entry = answer["entry"]
    marks = ", ".join(str(entry[name]) for name in ("kind", "status", "date") if entry[name])
    yield f"{entry['title']}  [{marks}]"
    yield f"{entry['id']}  lines {entry['line']}-{entry['end_line']}"
    for relation in answer["relations"]:
        yield f"  {relation['kind'].replace('_', ' ')}: {relation['id']}  {relation['title']}"
    for one in answer["freshness"]["details"]:
        if one["verdict"] != "unknown":
            yield f"  names {one['name']} (line {one['line']}): {one['verdict']}"
    yield ""
    yield entry["text"]


def related_lines(answer: Value) -> Iterable[str]:
    """The groups of relations of a target, those without entries left out but for what governs it."""
    target = answer["target"]
    yield f"{target['path']}  {target['title'] if target['title'] != target['path'] else ''}".rstrip()
    if not answer["groups"]["governed_by"]:
        yield "  nothing that is indexed governs it"
    for name, group in answer["groups"].items():
        if group:
            yield f"  {name.replace('_', ' ')}:"
        for hit in group:
            evidence = hit["evidence"]
            yield f"    {_headline(hit)}"
            yield f"      {hit['id']}"
            yield f"      {evidence['reason']} ({evidence['path']}:{evidence['line']})"


def entries_lines(entries: Sequence[Value]) -> Iterable[str]:
    """Records and documents as a table; symbols and sections only where no document is among them."""
    documents = [entry for entry in entries if entry["anchor"] is None] or list(entries)
    rows = [
        (
            "" if entry["number"] is None else str(entry["number"]),
            entry["title"],
            entry["status"] or "",
            entry["date"] or "",
            ", ".join(one.rpartition("/")[2] for one in entry["superseded_by"]),
            entry["path"],
        )
        for entry in documents
    ]
    return table(("no.", "title", "status", "date", "superseded by", "path"), rows)


def roots_lines(answer: Value) -> Iterable[str]:
    """The registered roots with their counts."""
    rows = [
        (
            root["name"],
            "missing" if root["missing"] else root["branch"] or "",
            str(root["files"]),
            str(root["entries"]),
            str(root["symbols"]),
            str(sum(root["skipped"].values())),
            root["last_reconcile"] or "never",
            root["path"],
        )
        for root in answer["roots"]
    ]
    return table(("root", "branch", "files", "entries", "symbols", "skipped", "compared", "path"), rows)


def scan_lines(answer: Value) -> Iterable[str]:
    """What a scan found, with the reasons why files were skipped and the problems in those that were not."""
    for root in answer["roots"]:
        yield (
            f"{root['root']}: {root['entries']:,} entries ({root['symbols']:,} symbols) and {root['edges']:,} edges "
            f"in {root['files']:,} files, {root['seconds']:.1f} s"
        )
        for reason, count in sorted(root["skipped"].items(), key=lambda pair: -pair[1]):
            yield f"  skipped {count:,}: {reason}"
        for problem in root["problems"][:20]:
            yield f"  {problem['path']}:{problem['line']}: {problem['message']}"
        if len(root["problems"]) > 20:  # noqa: PLR2004 - as many as fit a screen
            yield f"  … and {len(root['problems']) - 20} more; `lorewatch scan --json` lists all"


def status_lines(answer: Value) -> Iterable[str]:
    """The state of everything."""
    daemon = "daemon running" if answer["daemon"] else "no daemon"
    yield f"{answer['state']} ({daemon}), as of {answer['as_of']}"
    pending = answer["pending"]["files"]
    yield f"pending files: {pending}; watched roots: {answer['watches']}; lost-event overflows: {answer['overflows']}"
    if answer["last_decay"]:
        yield f"last decay run: {answer['last_decay']['run']} at {answer['last_decay']['at']}"
    yield from (f"note: {note}" for note in answer["notes"])
    yield from roots_lines(answer)


def decay_lines(answer: Value) -> Iterable[str]:
    """What a decay run did."""
    done = f"run {answer['run']}" if answer["run"] is not None else "dry run"
    moved = f"{answer['changed']} changed, {answer['unchanged']} unchanged"
    counts = f"{moved}; {len(answer['faded'])} faded, {len(answer['revived'])} revived"
    yield f"{done} at {answer['at']}: {counts}"
    for name in ("faded", "revived"):
        yield from (f"  {name}: {one['id']}  {_number(one['before'])} -> {one['after']:.2f}" for one in answer[name])


def _number(value: float | None) -> str:
    return "new" if value is None else f"{value:.2f}"


def lint_lines(answer: Value) -> Iterable[str]:
    """What a maintainer should mend, a line each, in the form that editors can jump to."""
    several = len({one["root"] for one in answer["findings"]}) > 1
    for one in answer["findings"]:
        root = f"{one['root']}: " if several else ""
        yield f"{root}{one['path']}:{one['line']}: {one['message']} [{one['rule']}]"
    yield f"{len(answer['findings'])} found" if answer["findings"] else "nothing to mend"


def verify_lines(answer: Value) -> Iterable[str]:
    """Where index and disk differ."""
    if not any(answer.values()):
        yield "the index equals the disk"
    for name, paths in answer.items():
        yield from (f"{name}: {path}" for path in paths)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Columns as wide as their longest cell; on a terminal that is narrower the widest ones are cut until they fit."""
    widths = [max(_width(row[i]) for row in [header, *rows]) for i in range(len(header))]
    room = shutil.get_terminal_size((10_000, 24)).columns - 2 * (len(header) - 1)
    while sum(widths) > room and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    for row in [header, *rows]:
        yield "  ".join(_cell(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _cell(text: str, width: int) -> str:
    text = " ".join(text.split())
    if _width(text) > width:
        text = text[: width - 1] + "…"
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
