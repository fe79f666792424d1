"""The arguments of a tool call, checked against its schema. Lenient where the meaning is certain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexer.errors import BadInput

Schema = dict[str, Any]
Arguments = dict[str, Any]

LARGEST = 1_000_000


def checked(schema: Schema, given: Mapping[str, Any]) -> tuple[Arguments, str]:
    """The known arguments with the types of `schema`, and a note about unknown ones.

    An unknown argument is not refused, since some clients add their own, but it is named, since a misspelled one would
    otherwise pass for granted. `null` counts as not given. Raises `BadInput`.
    """
    properties: Mapping[str, Schema] = schema["properties"]
    known = {
        name: _value(name, properties[name], value)
        for name, value in given.items()
        if name in properties and value is not None
    }
    missing = [name for name in schema.get("required", ()) if name not in known]
    takes = ", ".join(properties) or "none"
    if missing:
        message = f"{' and '.join(missing)} must be given; arguments are: {takes}"
        raise BadInput(message)
    unknown = [str(name)[:40] for name in given if name not in properties]
    return known, f"ignored unknown arguments {unknown[:5]}; arguments are: {takes}" if unknown else ""


def _value(name: str, schema: Schema, value: object) -> object:
    match schema["type"]:
        case "integer":
            return _integer(name, value)
        case "array":
            return _words(name, schema["items"], value)
        case _:
            return _text(name, schema, value)


def _integer(name: str, value: object) -> int:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value.strip()[:9])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"{name} must be a whole number"
        raise BadInput(message)
    return min(max(value, 0), LARGEST)


def _words(name: str, schema: Schema, value: object) -> list[object]:
    words = [word.strip() for word in value.split(",")] if isinstance(value, str) else value
    if not isinstance(words, list):
        message = f"{name} must be a list of texts, each one of: {', '.join(schema['enum'])}"
        raise BadInput(message)
    return [_text(name, schema, word) for word in words if word != ""]


def _text(name: str, schema: Schema, value: object) -> str:
    if not isinstance(value, str):
        message = f"{name} must be a text"
        raise BadInput(message)
    if "enum" in schema and value not in schema["enum"]:
        message = f"{name} has no {value[:40]!r}; it is one of: {', '.join(schema['enum'])}"
        raise BadInput(message)
    return value
