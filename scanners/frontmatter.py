"""The metadata block at the top of a file: YAML between dashes, TOML between pluses.

Scalars stay as they are written (no `yes` -> True, no `010` -> 8, no `12:30` -> 750). Size, depth and aliases are
bounded before anything is built. A block that is no YAML is read key by key, so one bad key costs that key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml  # type: ignore[import-untyped]  # PyYAML ships no types

from scanners.page import Field

MAX_CHARACTERS = 64_000
MAX_DEPTH = 32
MAX_VALUES = 2_000
KEY = re.compile(r"^([^\s:#'\"{}\[\]&*!|>%@`-][^:\n]{0,80}|\"[^\"\n]{1,80}\"|'[^'\n]{1,80}')[ \t]*:(?:[ \t]+(.*)|)$")
TOML_KEY = re.compile(r"^([\w.\"'-]{1,80})[ \t]*=[ \t]*(.*)$")
TOML_VALUE = re.compile(r"(\"[^\"\n]*\"|'[^'\n]*')|([^\s\[\],\"'#][^\[\],\"'#\n]*)")
FENCES = {"---": ("---", "..."), "+++": ("+++",)}
LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a block, the number of lines it takes, and what was wrong with it as (line, message)."""

    fields: tuple[Field, ...] = ()
    lines: int = 0
    problems: tuple[tuple[int, str], ...] = ()


NONE = FrontMatter()


class _Odd(ValueError):
    """YAML that we do not build: too deep, or with aliases."""


def read(lines: tuple[str, ...], *, line_wise: bool = False) -> FrontMatter:
    """Read the block that opens a document; `line_wise` for formats that only look like YAML."""
    opening = next((n for n, line in enumerate(lines[:4]) if line.strip()), None)
    if opening is None or lines[opening].rstrip() not in FENCES:
        return NONE
    mark = lines[opening].rstrip()
    closing = _closing(lines, opening, FENCES[mark])
    if closing is None:
        return NONE
    block = lines[opening + 1 : closing]
    first = opening + 2
    if mark == "+++":
        return _toml(block, first, closing + 1)
    if not any(KEY.match(line) for line in block) and any(line.strip() for line in block):
        return NONE
    fields, problems = _line_wise(block, first) if line_wise else _yaml(block, first)
    return FrontMatter(tuple(fields[:MAX_VALUES]), closing + 1, tuple(problems))


def parse_yaml(text: str) -> dict[str, Any]:
    """A YAML mapping of strings, lists and mappings; empty when the text is none or passes the limits."""
    if len(text) > MAX_CHARACTERS:
        return {}
    try:
        value = _built(text)
    except (yaml.YAMLError, _Odd, RecursionError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def fields_of(mapping: dict[str, Any], line: int, source: str) -> list[Field]:
    """The fields of a mapping; a nested mapping or list of mappings gives its scalar values."""
    return [
        Field(key_of(name), tuple(_scalars(value)), line, source)
        for name, value in mapping.items()
        if isinstance(name, str)
    ]


def key_of(name: str) -> str:
    """The name of a key in small letters with single hyphens, as keys are compared."""
    return "-".join(re.split(r"[\s_-]+", name.strip().strip("\"'").casefold()))


def _closing(lines: tuple[str, ...], opening: int, marks: tuple[str, ...]) -> int | None:
    size = 0
    for number in range(opening + 1, len(lines)):
        if lines[number].rstrip() in marks:
            return number
        size += len(lines[number]) + 1
        if size > MAX_CHARACTERS:
            return None
    return None


def _toml(block: tuple[str, ...], first: int, taken: int) -> FrontMatter:
    """`key = value` lines; a list may go over several. Tables give their keys as if they stood at the top."""
    fields, at = list[Field](), 0
    while at < len(block):
        match = TOML_KEY.match(block[at])
        at += 1
        if not match:
            continue
        number, text = first + at - 1, match[2].strip()
        while text.startswith("[") and "]" not in text and at < len(block):
            text = f"{text} {block[at].strip()}"
            at += 1
        values = [quoted or bare for quoted, bare in TOML_VALUE.findall(text[:MAX_CHARACTERS])]
        fields.append(Field(key_of(match[1]), tuple(value.strip("\"'") for value in values), number, "front-matter"))
    return FrontMatter(tuple(fields[:MAX_VALUES]), taken)


def _yaml(block: tuple[str, ...], first: int) -> tuple[list[Field], list[tuple[int, str]]]:
    lines = {key_of(name): number for number, name, _ in _keys(block, first)}
    try:
        mapping = _built("\n".join(block))
    except (yaml.YAMLError, _Odd, RecursionError, ValueError) as error:
        fields, problems = _key_by_key(block, first)
        return fields, problems or [(first, f"front matter is no YAML: {_brief(error)}")]
    if not isinstance(mapping, dict):
        return [], [] if mapping in ("", None) else [(first, "front matter is no list of keys")]
    return [
        Field(field.key, field.values, lines.get(field.key, first), field.source)
        for field in fields_of(mapping, first, "front-matter")
    ], []


def _built(text: str) -> Any:  # noqa: ANN401 - any YAML value
    """Build strings, lists and mappings from the events, so that nothing is made before its limits are known."""
    stack: list[list[Any]] = [[]]
    openers: list[bool] = []
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.AliasEvent):
            message = "aliases are not followed"
            raise _Odd(message)
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            stack.append([])
            openers.append(isinstance(event, yaml.MappingStartEvent))
            if len(stack) > MAX_DEPTH:
                message = "nested too deeply"
                raise _Odd(message)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            items = stack.pop()
            stack[-1].append(_mapping(items) if openers.pop() else items)
        elif isinstance(event, yaml.ScalarEvent):
            stack[-1].append(event.value)
    return stack[0][0] if stack[0] else None


def _mapping(items: list[Any]) -> dict[str, Any]:
    """Pairs in order; a key that comes twice keeps its first value."""
    pairs: dict[str, Any] = {}
    for name, value in zip(items[::2], items[1::2], strict=False):
        if isinstance(name, str):
            pairs.setdefault(name, value)
    return pairs


def _key_by_key(block: tuple[str, ...], first: int) -> tuple[list[Field], list[tuple[int, str]]]:
    """Each top-level key on its own: YAML if it is, else the text after the colon."""
    fields, problems = [], []
    for number, name, body in _keys(block, first):
        try:
            value = _built("\n".join([f"{name}: {body[0]}", *body[1:]]))
            values = tuple(_scalars(next(iter(value.values())))) if isinstance(value, dict) else ()
        except (yaml.YAMLError, _Odd, RecursionError, ValueError) as error:
            values = tuple(_loose(body))
            problems.append((number, f"front matter key {name!r} is no YAML: {_brief(error)}"))
        fields.append(Field(key_of(name), values, number, "front-matter"))
    return fields, problems


def _line_wise(block: tuple[str, ...], first: int) -> tuple[list[Field], list[tuple[int, str]]]:
    return [
        Field(key_of(name), tuple(_loose(body)), number, "front-matter") for number, name, body in _keys(block, first)
    ], []


def _keys(block: tuple[str, ...], first: int) -> Iterator[tuple[int, str, list[str]]]:
    """Each top-level key with its line and the text after the colon, the lines that belong to it included."""
    found: tuple[int, str, list[str]] | None = None
    for number, line in enumerate(block, start=first):
        match = KEY.match(line)
        if match:
            if found:
                yield found
            found = (number, match[1].strip("\"' "), [match[2] or ""])
        elif found and not line.lstrip().startswith("#"):
            found[2].append(line)
    if found:
        yield found


def _loose(body: list[str]) -> Iterator[str]:
    """The value of a key that need not be YAML: one text, or one a list item."""
    head = body[0].strip()
    if head and head[0] not in "|>[":
        yield _unquoted(" ".join([head, *(line.strip() for line in body[1:])]).strip())
        return
    if head.startswith("["):
        yield from (_unquoted(part) for part in head.strip("[]").split(",") if part.strip())
    for line in body[1:]:
        text = line.strip().removeprefix("- ").strip()
        if text and text != "-":
            yield _unquoted(text)


def _unquoted(text: str) -> str:
    text = text.strip()
    if text[:1] in {'"', "'"} and text[-1:] == text[:1] and text.count(text[0]) == 2:  # noqa: PLR2004 - a pair
        return text[1:-1]
    return text


def _scalars(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _scalars(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _scalars(inner)
    elif isinstance(value, bool):
        yield str(value).lower()
    elif value is not None and str(value).strip():
        yield str(value).strip()


def _brief(error: Exception) -> str:
    problem = getattr(error, "problem", None) or str(error)
    return " ".join(str(problem).split())[:120]
