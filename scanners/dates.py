"""Dates in the shapes people write them, as `YYYY-MM-DD` or `YYYY-MM`."""

from __future__ import annotations

import re

_MONTHS = (
    ("january", "jan", "janvier", "januar", "enero", "janeiro", "января", "январь", "ene"),
    ("february", "feb", "février", "fevrier", "februar", "febrero", "fevereiro", "февраля", "февраль", "fev"),
    ("march", "mar", "mars", "märz", "marzo", "março", "марта", "март", "mär"),
    ("april", "apr", "avril", "abril", "апреля", "апрель", "abr", "avr"),
    ("may", "mai", "mayo", "maio", "мая", "май"),
    ("june", "jun", "juin", "juni", "junio", "junho", "июня", "июнь"),
    ("july", "jul", "juillet", "juli", "julio", "julho", "июля", "июль"),
    ("august", "aug", "août", "aout", "agosto", "августа", "август", "ago"),
    ("september", "sep", "sept", "septembre", "septiembre", "setembro", "сентября", "сентябрь"),
    ("october", "oct", "octobre", "oktober", "okt", "octubre", "outubro", "октября", "октябрь", "out"),
    ("november", "nov", "novembre", "noviembre", "novembro", "ноября", "ноябрь"),
    (
        "december",
        "dec",
        "décembre",
        "decembre",
        "dezember",
        "dez",
        "diciembre",
        "dezembro",
        "декабря",
        "декабрь",
        "dic",
    ),
)
DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
FEBRUARY = 2
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names}

_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_CJK = re.compile(r"(\d{4})\s?[年]\s?(\d{1,2})\s?[月](?:\s?(\d{1,2})\s?[日号])?")
_COMPACT = re.compile(r"(?<!\d)(20\d\d|19\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)")
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)")
_DAY_FIRST = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]+(?:de\s+)?([^\W\d_]{3,10})\.?,?[\s-]+(?:de\s+)?(\d{4})"
)
_MONTH_FIRST = re.compile(r"([^\W\d_]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_YEAR_MONTH = re.compile(r"(?<!\d)(\d{4})[-/](\d{1,2})(?![\d/-])")
_MONTH_YEAR = re.compile(r"([^\W\d_]{3,10})\.?,?\s+(?:de\s+)?(\d{4})(?!\d)")


def parse(text: str, *, month_first: bool = False) -> str | None:
    """The first date in a metadata value; `03/04/2024` begins with the day, unless it cannot or `month_first`."""
    text = text[:400].casefold()
    for read in (_iso, _words, lambda value: _slashed(value, month_first=month_first), _month_only):
        if found := read(text):
            return found
    return None


def month_comes_first(texts: list[str]) -> bool:
    """Say whether the slashed dates of one document are MM/DD: one of them has a second part above 12."""
    parts = [(int(m[1]), int(m[3])) for text in texts for m in _SLASHED.finditer(text[:400]) if m[2] == "/"]
    return any(second > 12 for _, second in parts) and all(first <= 12 for first, _ in parts)  # noqa: PLR2004 - months


def leading(name: str) -> tuple[str, str] | None:
    """The date that a file or folder name begins with, and the rest of the name."""
    month = re.match(r"((?:19|20)\d\d)-(0[1-9]|1[0-2])-(?=\D)", name)
    if month:
        return f"{month[1]}-{month[2]}", name[month.end() :]
    match = re.match(r"(\d{4})[-_]?(\d{2})[-_]?(\d{2})(?=\D|$)", name)
    if match and (found := _valid(match[1], match[2], match[3])):
        return found, name[match.end() :].lstrip("-_ .T")
    return None


def _iso(text: str) -> str | None:
    for pattern in (_ISO, _CJK, _COMPACT):
        match = pattern.search(text)
        if match and match[3] and (found := _valid(match[1], match[2], match[3])):
            return found
        if match and not match[3]:
            return _month(match[1], match[2])
    return None


def _words(text: str) -> str | None:
    for match in _DAY_FIRST.finditer(text):
        if (month := _MONTH_OF.get(match[2])) and (found := _valid(match[3], str(month), match[1])):
            return found
    for match in _MONTH_FIRST.finditer(text):
        if (month := _MONTH_OF.get(match[1])) and (found := _valid(match[3], str(month), match[2])):
            return found
    return None


def _slashed(text: str, *, month_first: bool) -> str | None:
    match = _SLASHED.search(text)
    if not match:
        return None
    first, second = match[1], match[3]
    year = match[4] if len(match[4]) == 4 else f"20{match[4]}"  # noqa: PLR2004 - a whole year
    day, month = (second, first) if month_first else (first, second)
    return _valid(year, month, day) or _valid(year, day, month)


def _month_only(text: str) -> str | None:
    if match := _YEAR_MONTH.search(text):
        return _month(match[1], match[2])
    for match in _MONTH_YEAR.finditer(text):
        if number := _MONTH_OF.get(match[1]):
            return _month(match[2], str(number))
    return None


def _month(year: str, month: str) -> str | None:
    first = _valid(year, month, "1")
    return first.rpartition("-")[0] if first else None


def _valid(year: str, month: str, day: str) -> str | None:
    numbers = int(year), int(month), int(day)
    if not (1970 <= numbers[0] <= 2099 and 1 <= numbers[1] <= 12):  # noqa: PLR2004 - the age of software, months
        return None
    leap = numbers[0] % 4 == 0
    last = 29 if leap and numbers[1] == FEBRUARY else DAYS[numbers[1] - 1]
    return f"{numbers[0]:04}-{numbers[1]:02}-{numbers[2]:02}" if 1 <= numbers[2] <= last else None
