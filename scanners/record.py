"""What the metadata of a document says: title, number, status, date, people, tags. No judgement of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from scanners import dates, fields, language, people, status
from scanners.page import Field, Heading, Page, plain
from scanners.paths import Name
from scanners.vocabulary import SECTION_ONLY, section_word

NUMBER_PREFIX = re.compile(
    r"^\W{0,6}(?:(?:[^\W\d_]{1,8}[-_ ]?)?(?:architecture |architectural )?(?:decision )?(?:record )?"
    r"#?[-_ ]?(?P<number>\d{1,6})[a-z]?\s{0,2}(?::|\uff1a|\.(?=\s)|\)|[-–—](?=\s)|\|)\s*)",
    re.IGNORECASE,
)
WORD_PREFIX = re.compile(
    r"^(?:(?:adr|rfc|prd|oep|sep|tep|kep|pep|dep)(?:[-_ ]?(?:\{[^{}]{1,20}\}|x{2,6}|n{2,6}|number))?"
    r"|(?:architecture |architectural |design |technical )?decision(?: record| log)?|request for comments?|proposal)"
    r"\s*(?::|\uff1a|[-–—](?=\s))\s*|^(?:[a-z]{3,15} )?decisions\s*[:\uff1a]\s*",
    re.IGNORECASE,
)
PICTURE = re.compile(r"^[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d\s]+(?=\S)")
DATE_PREFIX = re.compile(r"^\[?\d{4}-\d{2}-\d{2}(?:[ T][\d:]{4,8})?\]?\s*[:–—-]?\s*")
MAX_STATES = 20
MANY = 3
CHANGELOG = frozenset({"changelog", "change log", "history", "revision history", "changes", "document history", "log"})
BADGE = re.compile(r"!\[([^\[\]]{0,200})\]\(([^()\s]{1,500})")
STRUCK = re.compile(r"~~[^~\n]{1,100}~~")
TICKED = re.compile(r"^\s*[-*]\s*\[[xX]\]\s*(.+)$")


@dataclass(frozen=True, slots=True)
class Record:
    """The metadata of one record; `heading` is the one that is its title, None when the title is elsewhere."""

    title: str
    heading: Heading | None
    number: int | str | None = None
    status: str | None = None
    status_raw: str | None = None
    date: str | None = None
    deciders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    language: str | None = None
    fields: tuple[Field, ...] = ()
    problems: tuple[tuple[int, str], ...] = ()


def read(page: Page, name: Name, extra: Sequence[Field] = ()) -> Record:
    """The metadata of a whole document; `extra` are fields that stand in files beside it."""
    title, heading = title_of(page, name)
    found = [*fields.collect(page, 1, len(page.lines), heading), *extra]
    state, raw, problems = status_of(page, found)
    shown = [text for number, text in page.between(1, len(page.lines)) if text]
    return Record(
        title,
        heading,
        _number(name, heading, found, title),
        state,
        raw,
        date_of(page, found, name.date),
        people.names(value for field in fields.of(found, "deciders") for value in field.values),
        tuple(dict.fromkeys(tag for field in fields.of(found, "tags") for tag in _tags(field))),
        language.detect("\n".join(shown)),
        tuple(found),
        problems,
    )


def title_of(page: Page, name: Name) -> tuple[str, Heading | None]:
    """The title and the heading that is it, if it is one; without a title it is the name of file or folder."""
    heading = _title_heading(page, name)
    given = page.matter_of("title", "name", "feature", "feature-name")
    if given:
        text = plain(given.value.replace("\n", " "))
        if heading and (_same(heading.text, text) or _is_slug(text) or given.key == "name"):
            return (text if given.key == "name" else _shown_title(heading.text, name)), heading
        return _shown_title(text, name), None
    return (_shown_title(heading.text, name) if heading else name.slug or name.file), heading


def _shown_title(text: str, name: Name) -> str:
    """The title without a bare number before it when that is the number of the file."""
    title = without_prefix(text)
    match = re.match(r"(?:[^\W\d_]{2,8}[-_ ]?)?0*(\d+)\s+(?=\S)", title)
    if match and name.number is not None and int(match[1]) == name.number:
        title = title[match.end() :]
    return title or name.slug or name.file


def without_prefix(title: str) -> str:
    """The title without its number, date or `ADR:` before it."""
    for pattern in (PICTURE, DATE_PREFIX, NUMBER_PREFIX, WORD_PREFIX):
        shorter = pattern.sub("", title, count=1).strip()
        title = shorter or title
    return title


def number_in(title: str) -> int | None:
    """The number that a title begins with."""
    match = NUMBER_PREFIX.match(title)
    return int(match["number"]) if match else None


def status_of(page: Page, found: Sequence[Field]) -> tuple[str | None, str | None, tuple[tuple[int, str], ...]]:
    """The most final state that the fields give, its words, and a problem when they contradict each other."""
    said = [(field, *_state(page, field)) for field in fields.of(found, "status")[:MAX_STATES]]
    said = [(tag, tag.value, tag.value.casefold()) for tag in _tagged(found)] + said
    known = [(field, raw, state) for field, raw, state in said if state]
    if not known:
        return None, said[0][1] if said else None, ()
    final = status.most_final(state for _, _, state in known)
    raw = next(raw for _, raw, state in reversed(known) if state == final)
    states = list(dict.fromkeys(state for _, _, state in known))
    problems = ((known[-1][0].line, f"contradicting states: {', '.join(states)}"),) if len(states) > 1 else ()
    return final, raw, problems


def date_of(page: Page, found: Sequence[Field], from_name: str | None = None) -> str | None:
    """The main date: the stated one, else the oldest of a change log."""
    if day := stated_date(found, from_name):
        return day
    logged = list(_logged(page))
    month_first = dates.month_comes_first(logged)
    days = (dates.parse(line, month_first=month_first) for line in logged)
    return min((day for day in days if day), default=None)


def stated_date(found: Sequence[Field], from_name: str | None = None) -> str | None:
    """The date of the metadata: a date field, else the day of creation, else the file name, the status."""
    texts = [field.value for field in fields.of(found, "date", "created", "updated", "status")]
    month_first = dates.month_comes_first(texts)
    for key in ("date", "created"):
        for field in fields.of(found, key):
            if day := dates.parse(field.value, month_first=month_first):
                return day
    for field in fields.of(found, "updated"):
        if day := dates.parse(field.value, month_first=month_first):
            return day
    if from_name:
        return from_name
    for field in fields.of(found, "status"):
        if day := dates.parse(field.value, month_first=month_first):
            return day
    return None


def _logged(page: Page) -> Iterator[str]:
    for heading, following in zip_longest(page.headings, page.headings[1:]):
        if section_word(heading.text) in CHANGELOG:
            end = following.line - 1 if following else len(page.lines)
            yield from (text for _, text in page.between(heading.end + 1, end) if text.strip())


def _state(page: Page, field: Field) -> tuple[str, str | None]:
    """The words of a status field and what they mean; a picture or a ticked box may be the words."""
    text = page.lines[field.line - 1] if 0 < field.line <= len(page.lines) else ""
    if field.source == "section":
        for _, line in page.between(field.line, field.line + 12):
            if ticked := TICKED.match(line):
                return ticked[1].strip(), status.normalise(plain(ticked[1]))
            if not line.strip():
                break
    raw = field.value.strip()
    state = status.normalise(plain(STRUCK.sub("", raw)))
    if state is None and (badge := BADGE.search(raw) or BADGE.search(text)):
        state = status.normalise(" ".join(re.split(r"[/\W_]+", f"{badge[1]} {badge[2]}")))
    return raw, state


def _tagged(found: Sequence[Field]) -> Iterator[Field]:
    """Tags that are states, as documentation sites use them."""
    for field in fields.of(found, "tags"):
        for tag in _tags(field):
            if tag.casefold() in status.FINALITY:
                yield Field("status", (tag,), field.line, "tags")


def _is_one_of_many(page: Page, name: Name) -> bool:
    """Say whether the first heading only begins a row of equal ones and has nothing to do with the file's name."""
    first = page.headings[0]
    equal = [heading for heading in page.headings if heading.level <= first.level]
    if number_in(first.text) is not None and sum(number_in(heading.text) is not None for heading in equal) > 1:
        return name.number is None
    if len(equal) < MANY or number_in(first.text) is not None or name.names_folder:
        return False
    words = set(re.findall(r"[^\W_]{3,}", first.text.casefold()))
    return not words & set(re.findall(r"[^\W_]{3,}", name.file.casefold()))


def _title_heading(page: Page, name: Name) -> Heading | None:
    """The first heading, if all others lie below it, or if it is an H1 that does not name a part."""
    if not page.headings:
        return None
    first, *others = page.headings
    alone = all(other.level > first.level for other in others)
    if not alone and _is_one_of_many(page, name):
        return None
    word = section_word(first.text)
    if word in SECTION_ONLY:
        return first if alone and first.level == 1 and len(others) > 0 and word not in _NEVER_TITLE else None
    if alone or first.level == 1:
        return first
    return None


_NEVER_TITLE = frozenset({"status", "context", "summary", "abstract", "changelog", "why", "背景", "контекст"})


def _same(heading: str, title: str) -> bool:
    one, other = (re.sub(r"\W+", " ", without_prefix(text).casefold()).strip() for text in (heading, title))
    return one == other or one in other or other in one


def _is_slug(text: str) -> bool:
    return " " not in text and "-" in text


def _number(name: Name, heading: Heading | None, found: Sequence[Field], title: str) -> int | str | None:
    if name.number is not None:
        return name.number
    if heading and (number := number_in(heading.text)) is not None:
        return number
    for field in fields.of(found, "number"):
        match = re.fullmatch(r"\W*(?:[^\W\d_]{1,10}[-_ ]?)?(\d{1,6})\W*", plain(field.value))
        if match:
            return int(match[1])
    for field in fields.of(found, "title"):
        if (number := number_in(plain(field.value))) is not None:
            return number
    return number_in(title)


def _tags(field: Field) -> Iterator[str]:
    for value in field.values:
        for tag in re.split(r"[,;\n]|(?<!\S)#", plain(value).strip("[]")):
            if tag.strip() and len(tag) <= 60:  # noqa: PLR2004 - longer is prose
                yield tag.strip()
