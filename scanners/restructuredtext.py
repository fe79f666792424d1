"""reStructuredText taken apart: underlined headings, field lists, RFC 822 headers, roles and links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from scanners.frontmatter import key_of
from scanners.grids import rst_tables
from scanners.page import MAX_LINES, Code, Field, Heading, Link, Page, cut_short, normal, plain

ADORNMENT = re.compile(r"^([!-/:-@\[-`{-~])\1{1,}\s*$")
HEADER_LINE = re.compile(r"^([A-Z][\w-]{1,40}):(?:[ \t]+(.*)|)$")
FIELD_LINE = re.compile(r"^:([^:`\n]{1,60}):(?:[ \t]+(.*)|)$")
DIRECTIVE = re.compile(r"^(\s*)\.\.[ \t]+([\w:-]+)::")
COMMENT = re.compile(r"^(\s*)\.\.(?:\s|$)")
TARGET = re.compile(r"^\s*\.\.[ \t]+_([^:\n]{1,200}):[ \t]*(\S+)?")
CODE_DIRECTIVES = frozenset(
    {
        "code",
        "code-block",
        "sourcecode",
        "literalinclude",
        "parsed-literal",
        "highlight",
        "raw",
        "math",
        "graphviz",
        "uml",
    }
)
INLINE_LINK = re.compile(r"`([^`<>]{0,300}?)\s*<([^`<>\s]{1,500})>`__?")
NAMED_LINK = re.compile(r"`([^`<>\n]{1,200})`_(?!_)|(?<![\w`:])([A-Za-z][\w.-]{0,80}[A-Za-z0-9])_(?![\w_])")
ROLE = re.compile(r":([a-z][\w:-]{1,30}):`([^`]{1,300})`")
LITERAL = re.compile(r"``([^`\n]{1,300})``|(?<![`:\w])`([^`\n<>]{2,100})`(?![`_])")
ROLE_ID = frozenset({"pep", "dep", "oep"})


def parse(text: str) -> Page:
    """Take an RST text apart."""
    return _parse(normal(text))


@lru_cache(maxsize=2)
def _parse(text: str) -> Page:
    lines = tuple(text.split("\n"))
    shown = _shown(lines[:MAX_LINES])
    shown += [""] * (len(lines) - len(shown))
    matter, body = _header(shown)
    headings = _headings(shown, body)
    heads = {n for h in headings for n in range(h.line, h.end + 1)}
    matter += list(_field_list(shown, headings, heads))
    definitions = {m[1].strip("`").casefold(): m[2] or "" for line in lines if (m := TARGET.match(line))}
    links = sorted(_links(shown, definitions), key=lambda link: link.line)
    codes = [
        Code(match[1] or match[2], number)
        for number, line in enumerate(shown, start=1)
        if "`" in line
        for match in LITERAL.finditer(line[:4_000])
    ]
    top = headings[0].line if headings else 1
    labels = tuple(m[1].strip("`") for line in lines[: top - 1] if (m := TARGET.match(line)) and not m[2])
    tables = rst_tables(shown)
    problems = cut_short(lines)
    return Page(
        lines, tuple(shown), tuple(headings), tuple(links), tuple(codes), tables, tuple(matter), labels, problems
    )


def _shown(lines: Sequence[str]) -> list[str]:
    """The lines without literal blocks, code directives and comments."""
    shown, hidden_below, literal_below = list[str](), -1, -1
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if hidden_below >= 0 and (not line.strip() or indent > hidden_below):
            shown.append("")
            continue
        hidden_below = -1
        if literal_below >= 0 and line.strip():
            if indent > literal_below:
                hidden_below = literal_below
                literal_below = -1
                shown.append("")
                continue
            literal_below = -1
        directive = DIRECTIVE.match(line)
        if directive:
            hidden_below = indent if directive[2] in CODE_DIRECTIVES else -1
            shown.append("" if hidden_below >= 0 else line)
        elif COMMENT.match(line) and not TARGET.match(line):
            hidden_below = indent
            shown.append("")
        else:
            literal_below = indent if line.rstrip().endswith("::") else literal_below
            shown.append(line)
    return shown


def _header(shown: Sequence[str]) -> tuple[list[Field], int]:
    """The RFC 822 header that opens a PEP, and the number of lines it takes."""
    fields, number = list[Field](), 0
    for number, line in enumerate(shown):
        match = HEADER_LINE.match(line)
        if match:
            fields.append(Field(key_of(match[1]), (match[2] or "",), number + 1, "header"))
        elif fields and line[:1] in {" ", "\t"} and line.strip():
            last = fields[-1]
            fields[-1] = Field(last.key, (f"{last.value} {line.strip()}".strip(),), last.line, last.source)
        else:
            break
    return (fields, number) if len(fields) > 1 else ([], 0)


def _headings(shown: Sequence[str], first: int) -> list[Heading]:
    """Headings with their underline (and overline); levels by the order in which the adornments appear."""
    styles, found, at = list[str](), list[Heading](), first
    while at + 1 < len(shown):
        over = ADORNMENT.match(shown[at])
        if over and at + 2 < len(shown) and _underlines(shown[at + 1], shown[at + 2]) and shown[at + 2][0] == over[1]:
            found.append(_made(shown[at + 1], _level(styles, over[1] * 2), at + 1, at + 3))
            at += 3
        elif (
            not over
            and _underlines(shown[at], shown[at + 1])
            and not shown[at][:1].isspace()
            and (
                at == 0
                or not shown[at - 1].strip()
                or at == first
                or (found and found[-1].end == at)
                or shown[at - 1].startswith("..")
            )
        ):
            found.append(_made(shown[at], _level(styles, shown[at + 1][0]), at + 1, at + 2))
            at += 2
        else:
            at += 1
    return found


def _underlines(text: str, line: str) -> bool:
    under = ADORNMENT.match(line)
    stripped = text.strip()
    if not under or not stripped or ADORNMENT.match(text) or stripped.startswith(("..", ":")):
        return False
    return len(line.rstrip()) >= min(len(stripped), 4) and len(stripped) < 300  # noqa: PLR2004 - no heading is as long


def _level(styles: list[str], style: str) -> int:
    if style not in styles:
        styles.append(style)
    return styles.index(style) + 1


def _made(text: str, level: int, line: int, end: int) -> Heading:
    return Heading(level, rst_plain(text), line, end)


def rst_plain(text: str) -> str:
    """The text without roles, links and emphasis."""
    text = ROLE.sub(lambda match: match[2].split(" <")[0].lstrip("~!"), INLINE_LINK.sub(r"\1", text))
    return plain(re.sub(r"(?<=\w)`?__?(?!\w)", "", text) if "`" in text else text)


def _field_list(shown: Sequence[str], headings: Sequence[Heading], heads: set[int]) -> Iterator[Field]:
    """The field list near the top: under the title or before the first heading."""
    end = headings[1].line if len(headings) > 1 else len(shown)
    current: Field | None = None
    for number, line in enumerate(shown[: end - 1], start=1):
        if number in heads:
            continue
        match = FIELD_LINE.match(line)
        if match:
            if current:
                yield current
            current = Field(key_of(match[1]), (match[2] or "",), number, "field-list")
        elif current and line[:1].isspace() and line.strip():
            current = Field(current.key, (f"{current.value} {line.strip()}".strip(),), current.line, current.source)
        elif current and line.strip():
            yield current
            current = None
    if current:
        yield current


def _links(shown: Sequence[str], definitions: dict[str, str]) -> Iterator[Link]:
    for number, line in enumerate(shown, start=1):
        text = line[:4_000]
        if "_" in text:
            for match in INLINE_LINK.finditer(text):
                target = match[2] if not match[2].endswith("_") else definitions.get(match[2][:-1].casefold(), "")
                if target:
                    yield Link(match[1], target, number)
            for match in NAMED_LINK.finditer(text):
                label = match[1] or match[2]
                target = definitions.get(label.casefold())
                if target:
                    yield Link(label, target, number)
        if ":`" in text:
            yield from _role_links(text, number)


def _role_links(text: str, number: int) -> Iterator[Link]:
    for match in ROLE.finditer(text):
        role, content = match[1].rpartition(":")[2], match[2]
        label, _, target = content.rstrip(">").partition(" <")
        if role in ROLE_ID:
            yield Link(
                f"{role.upper()} {(target or label).split('#')[0]}",
                f"{role}-{(target or label).split('#')[0].zfill(4)}.rst",
                number,
            )
        elif role == "doc":
            yield Link(label, f"{target or label}.rst", number)
