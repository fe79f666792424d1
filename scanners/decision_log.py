"""Many decisions in one file: a heading, a table row or a time stamp each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scanners import dates, fields, people, record, status, templates
from scanners.model import Entry
from scanners.page import Heading, Page, Table, plain
from scanners.paths import Name
from scanners.prose import Verdict, Writing
from scanners.sections import slug
from scanners.vocabulary import SECTION_ONLY, key_of, section_word

LOG_NAME = re.compile(
    r"^(?:[a-z]{2,8}[-_])?(?:adrs?|decisions?|architecture[-_]?decisions?|design[-_]?decisions?|key[-_]?decisions|tech(?:nical)?[-_]?decisions)"
    r"(?:[-_]?(?:log|records?|history|register|journal))?$"
    r"|^(?:decisiones|decisoes|entscheidungen|решения|decisionlog)$",
    re.IGNORECASE,
)
ID = re.compile(
    r"^\W{0,6}(?P<id>(?:adr|ad|d|dec|dr|dd|decision|rfc|ddr|de|k|td)[-_ #.]?(?P<number>\d{1,5})"
    r"|\d{1,4}(?=\s*[.:)\]|—–]|\s-\s))\b",
    re.IGNORECASE,
)
DATED = re.compile(
    r"^\W{0,4}\[?(?P<date>\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{4})[^\]\n]{0,20}\]?\s*[:–—-]*\s*(?P<title>.*)$"
)
STAMPED = re.compile(
    r"^[\s>*+-]{0,8}\*{0,2}\[(?P<date>\d{4}-\d{2}-\d{2})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?[^\]\n]{0,10}\]\*{0,2}"
    r"\s*[:–—-]*\s*(?P<title>\S.*)$"
)
DATED_ITEM = re.compile(
    r"^[\s>]{0,4}[*+-]\s+\*{0,2}(?P<date>\d{4}-\d{2}-\d{2})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?\*{0,2}"
    r"\s*[:–—-]+\s*(?P<title>\S.*)$"
)
RUN_IN = re.compile(
    r"^[\s>*_#+-]{0,8}(?:decision|decided|rationale|reason|why|context|choice|chosen|alternatives?|consequences|decisión"
    r"|razón|motivo|décision|raison|entscheidung|begründung|решение|причина|контекст|决策|理由|背景|決定)(?![^\W\d_])",
    re.IGNORECASE,
)
AFTER_ID = re.compile(r"^[\s:.|)\]—–-]+")
AT_LEAST = 2


def is_log_name(name: Name) -> bool:
    """Say whether the file name is that of a log."""
    return bool(LOG_NAME.match(name.file)) and name.number is None


def is_log(writing: Writing, *, in_folder: bool) -> bool:
    """Say whether a file holds many decisions: a log's name, or headings with ids that have a body each."""
    name, page = writing.name, writing.page
    if name.number is not None or name.date or name.names_folder:
        return False
    headed = len(_decisions(page, writing))
    if templates.listed_records(page, name) > headed:
        return False
    if is_log_name(name):
        return headed + len(list(_stamped(page))) + len(list(_rows(page))) > 0
    return in_folder and len(_with_ids(page, writing)) >= AT_LEAST


def with_decisions(writing: Writing, verdict: Verdict) -> Verdict:
    """The verdict with one entry for each decision: headings or time stamps, whichever are more, and table rows."""
    page = writing.page
    headings = _decisions(page, writing)
    stamps = list(_stamped(page))
    if len(stamps) > len(headings):
        headings = [_heading_of_stamp(line, match) for line, _, match in stamps]
        decisions = [_of_stamp(*stamp) for stamp in stamps]
    else:
        decisions = [_of_heading(writing, heading, end) for heading, end in _ends(page, headings)]
    rows = [_of_row(writing, *row) for row in _rows(page)]
    seen: Counter[str | None] = Counter()
    for number, row in enumerate(rows):
        seen[row.anchor] += 1
        if seen[row.anchor] > 1:
            rows[number] = replace(row, anchor=f"{row.anchor}-{seen[row.anchor]}")
    return replace(verdict, whole=tuple(headings), decisions=(*decisions, *rows))


def _decisions(page: Page, writing: Writing) -> list[Heading]:
    """The headings that are decisions: those with an id or a date, else all of the level below the title."""
    found = _with_ids(page, writing)
    if found:
        return found
    others = [h for h in page.headings if h is not writing.record.heading]
    top = min((h.level for h in others), default=0)
    named = [
        h
        for h in others
        if h.level == top and section_word(h.text) not in SECTION_ONLY and not key_of(section_word(h.text))
    ]
    bodies = [heading for heading, end in _ends(page, named) if _is_decision(page, heading.end + 1, end)]
    return named if len(bodies) * 2 > len(named) else bodies


def _is_decision(page: Page, first: int, last: int) -> bool:
    """Say whether a section has a state, a date, or the words that introduce what was decided and why."""
    if fields.of(fields.collect(page, first, last, None), "status", "date"):
        return True
    return any(RUN_IN.match(line) for _, line in page.between(first, last))


def _with_ids(page: Page, writing: Writing) -> list[Heading]:
    """The headings that begin with an id or a date, of the outermost level that has them; each with a body."""
    marked = [h for h in page.headings if h is not writing.record.heading and (ID.match(h.text) or DATED.match(h.text))]
    if not marked:
        return []
    prefixed = [h for h in marked if not h.text.lstrip()[:1].isdigit() or DATED.match(h.text)]
    marked = prefixed or marked
    kept: list[Heading] = []
    for heading in marked:
        inside = kept and any(
            one.line < heading.line and heading.level > one.level and heading.line <= end
            for one, end in _ends(page, kept[-1:])
        )
        if not inside:
            kept.append(heading)
    return kept


def _ends(page: Page, headings: Sequence[Heading]) -> Iterator[tuple[Heading, int]]:
    for heading in headings:
        following = (o.line for o in page.headings if o.line > heading.line and o.level <= heading.level)
        yield heading, next(following, len(page.lines) + 1) - 1


def _of_heading(writing: Writing, heading: Heading, end: int) -> Entry:
    page = writing.page
    found = fields.collect(page, heading.end + 1, end, None)
    text, number = heading.text, _number(heading.text)
    id_match = ID.match(text) if number is not None else None
    if id_match:
        text = AFTER_ID.sub("", text[id_match.end() :]) or text
    dated = DATED.match(text)
    state, raw, _ = record.status_of(page, found)
    if state is None and not raw:
        state, text = _state_in(text)
    return Entry(
        anchor="", kind="decision-log", subkind="decision", title=record.DATE_PREFIX.sub("", text).strip() or text,
        text="", line=heading.line, end_line=end, number=number, status=state or "unknown", status_raw=raw,
        date=record.stated_date(found) or (dates.parse(dated["date"]) if dated else None),
        deciders=people.names(value for field in fields.of(found, "deciders") for value in field.values),
    )  # fmt: skip


def _state_in(text: str) -> tuple[str | None, str]:
    """A state in brackets at the end of a heading, and the heading without it."""
    match = re.search(r"\s*[(\[]([^()\[\]]{3,60})[)\]]\s*$", text)
    state = status.normalise(match[1]) if match else None
    return (state, text[: match.start()]) if match and state else (None, text)


def _number(text: str) -> int | str | None:
    match = ID.match(text)
    if not match or DATED.match(text):
        return None
    if match["number"] is None:
        return int(match["id"])
    letters = re.sub(r"[^a-z]", "", match["id"].casefold())
    return int(match["number"]) if letters in {"adr", "decision", "rfc"} else match["id"].upper().replace(" ", "-")


def _stamped(page: Page) -> Iterator[tuple[int, int, re.Match[str]]]:
    """The lines that begin with a time stamp in brackets, with the last line of each."""
    found = [
        (number, match)
        for number, line in page.between(1, len(page.lines))
        if (match := STAMPED.match(line[:500]) or DATED_ITEM.match(line[:500]))
    ]
    for at, (number, match) in enumerate(found):
        yield number, found[at + 1][0] - 1 if at + 1 < len(found) else len(page.lines), match


def _heading_of_stamp(line: int, match: re.Match[str]) -> Heading:
    """A time stamp as the heading of what follows it; the line itself is text."""
    title = plain(match["title"])[:200]
    return Heading(1, title, line, line - 1, f"{match['date']}-{slug(title)[:60]}")


def _of_stamp(first: int, last: int, match: re.Match[str]) -> Entry:
    return Entry(
        anchor="", kind="decision-log", subkind="decision", title=plain(match["title"])[:200], text="", line=first,
        end_line=last, status="unknown", date=dates.parse(match["date"]),
    )  # fmt: skip


def _rows(page: Page) -> Iterator[tuple[Table, int]]:
    """The rows of tables that list decisions."""
    for table in page.tables:
        columns = [_column(cell) for cell in table.rows[0]]
        if "decision" in columns and ("date" in columns or "status" in columns or "number" in columns):
            yield from ((table, number) for number in range(1, len(table.rows)))


def _column(cell: str) -> str:
    word = section_word(plain(cell))
    if word in {
        "decision",
        "decisions",
        "decisión",
        "entscheidung",
        "décision",
        "decisão",
        "решение",
        "决策",
        "決定",
        "title",
        "titel",
        "título",
        "adr title",
    }:
        return "decision"
    if word in {"id", "#", "no", "nr", "number", "adr", "№"} or not word:
        return "number"
    return key_of(word) or ""


def _of_row(writing: Writing, table: Table, row: int) -> Entry:
    values: dict[str, str] = {}
    for cell, value in zip(table.rows[0], table.rows[row], strict=False):
        values.setdefault(_column(cell), plain(value))
    line = table.lines[row]
    months = dates.month_comes_first([value for cells in table.rows for value in cells])
    title = values.get("decision", "")[:200] or f"row {row}"
    number = re.fullmatch(r"\W*(?:[^\W\d_]{1,8}[-_ ]?)?(\d{1,5})\W*", values.get("number", ""))
    return Entry(
        anchor=slug(title)[:60] or "row", kind="decision-log", subkind="decision", title=title,
        text=writing.page.lines[line - 1], line=line, end_line=line, number=int(number[1]) if number else None,
        status=status.normalise(values.get("status", "")) or "unknown", status_raw=values.get("status") or None,
        date=dates.parse(values.get("date", ""), month_first=months), language=writing.record.language,
        deciders=people.names([values["deciders"]]) if values.get("deciders") else (),
    )  # fmt: skip
