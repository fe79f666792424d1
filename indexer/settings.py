"""Our entry in the text of a client's settings: put in, brought up to date, taken out. PURE: text to text.

An edit is made in the text itself, then the result is parsed again and compared with what was meant: the same data but
for our entry, and every comment still there. What cannot be proved is refused with `SettingsError`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable

from indexer import jsonc
from indexer.clients import SERVER, Client

BYTE_ORDER_MARK = "\ufeff"
"""No part of the text that a parser sees, but kept."""

TRANSPORT = ("type", "command", "args", "cmd", "url", "serverUrl", "httpUrl", "uri", "headers", "transport")
"""Keys that say how a server is reached; what an older entry says of it gives way to ours as a whole."""

Settings = dict[str, object]


class SettingsError(ValueError):
    """The text cannot be read, or not be edited safely; the message completes a sentence that begins with the file."""


def parse(client: Client, text: str) -> Settings:
    """Read settings as `client` does; an empty text has none."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    if not text.strip():
        return {}
    try:
        if client.form == "toml":
            return dict(tomlkit.parse(text).unwrap())
        parsed = jsonc.parse(text)
    except (TOMLKitError, jsonc.JsoncError) as error:
        message = f"cannot be read and is left alone: {error}"
        raise SettingsError(message) from error
    if client.strict and not parsed.strict:
        message = f"has a comment or a comma too many, which {client.title} does not read; remove it first"
        raise SettingsError(message)
    if not isinstance(parsed.root.value, dict):
        message = "is left alone: it holds no object"
        raise SettingsError(message)
    return parsed.root.value


def entry_in(client: Client, text: str) -> object:
    """Return our entry as the settings have it, None without one."""
    return jsonc.at(parse(client, text), (*client.section, SERVER))


def with_entry(client: Client, text: str, entry: Settings) -> str:
    """Return `text` with `entry` in it; what the user added to an older entry of ours stays."""
    settings = parse(client, text)
    servers = jsonc.at(settings, client.section)
    if servers is None:
        servers = {}
    if not isinstance(servers, dict):
        raise _refusal(client, entry)
    old = servers.get(SERVER)
    merged = _merged(old, entry)
    if old == merged:
        return text
    mark, body = _without_mark(text)
    try:
        after = _put_toml(body, client, merged) if client.form == "toml" else _put_json(body, client, old, merged)
        kept = old is None or _cut(body, client) == _cut(after, client)
        found = parse(client, after)
    except (TOMLKitError, jsonc.JsoncError, SettingsError) as error:
        raise _refusal(client, entry) from error
    expected = {**settings, client.section[0]: {**servers, SERVER: merged}}
    if not kept or found != expected or _comments(client, body) != _comments(client, after):
        raise _refusal(client, entry)
    return mark + after


def without_entry(client: Client, text: str) -> str:
    """Return `text` without our entry; only comments inside the entry go with it."""
    settings = parse(client, text)
    servers = jsonc.at(settings, client.section)
    if not isinstance(servers, dict) or SERVER not in servers:
        return text
    mark, body = _without_mark(text)
    after = _cut(body, client)
    if not _is_without(client, settings, after) or _comments(client, after) != _comments_left(client, body):
        message = f'cannot be edited without losing something; remove "{SERVER}" from "{client.section[0]}" by hand'
        raise SettingsError(message)
    return mark + after


def snippet(client: Client, entry: Settings) -> str:
    """Return what a user would paste to have `entry`, in the language of the file."""
    if client.form == "toml":
        return _toml_tables(client, entry)
    if client.form == "yaml":
        lines = [f"  {SERVER}:", *(f"    {key}: {json.dumps(value)}" for key, value in entry.items())]
        return "\n".join([f"{client.section[0]}:", *lines]) + "\n"
    return json.dumps({client.section[0]: {SERVER: entry}}, indent=2, ensure_ascii=False) + "\n"


def _merged(old: object, entry: Settings) -> Settings:
    if not isinstance(old, dict):
        return entry
    kept = {key: value for key, value in old.items() if key not in TRANSPORT}
    merged = {**kept, **entry}
    for key, ours in entry.items():
        theirs = old.get(key)
        if isinstance(theirs, dict) and isinstance(ours, dict):
            merged[key] = _merged(theirs, ours) if key in TRANSPORT else {**theirs, **ours}
    return merged


def _put_json(text: str, client: Client, old: object, merged: Settings) -> str:
    path = (*client.section, SERVER)
    if not text.strip():
        return json.dumps({client.section[0]: {SERVER: merged}}, indent=2, ensure_ascii=False) + "\n"
    if not isinstance(old, dict) or not old.keys() <= merged.keys():
        return jsonc.put(text, path, merged)
    for key, value in merged.items():
        if key not in old or old[key] != value:
            text = jsonc.put(text, (*path, key), value)
    return text


def _put_toml(text: str, client: Client, merged: Settings) -> str:
    document = tomlkit.parse(text)
    tables = document.get(client.section[0])
    entry = tables.get(SERVER) if isinstance(tables, Mapping) else None
    if entry is None:
        newline = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
        return text + gap + _toml_tables(client, merged).replace("\n", newline)
    for key in [key for key in entry if key not in merged]:
        del entry[key]
    for key, value in merged.items():
        if key not in entry or entry[key] != value:
            entry[key] = value
    return tomlkit.dumps(document)


def _toml_tables(client: Client, entry: Settings) -> str:
    """Write the entry as tables of their own, which may stand at the end of any file."""
    name = f"{client.section[0]}.{SERVER}"
    lines = [f"[{name}]"]
    lines += [f"{key} = {tomlkit.item(value).as_string()}" for key, value in entry.items() if not _is_table(value)]
    for key, value in entry.items():
        if isinstance(value, dict):
            lines += ["", f"[{name}.{key}]"]
            lines += [f"{inner} = {tomlkit.item(leaf).as_string()}" for inner, leaf in value.items()]
    return "\n".join(lines) + "\n"


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping | AbstractTable)


def _cut(text: str, client: Client) -> str:
    """Take our entry out of the text; the caller checks what is left."""
    if client.form == "json":
        return jsonc.drop(text, (*client.section, SERVER))
    header = rf"""^[ \t]*\[[ \t]*{client.section[0]}[ \t]*\.[ \t]*["']?{SERVER}["']?[ \t]*(?:\.[^\]\n]+)?\][^\n]*\n?"""
    lines = r"(?:(?![ \t]*(?:\[|#|\r?$))[^\n]*\n?)*"
    return re.sub(rf"(?:^[ \t]*\r?\n)?{header}{lines}", "", text, flags=re.MULTILINE)


def _comments(client: Client, text: str) -> Counter[str]:
    if client.form == "toml":
        return Counter(re.findall(r"^[ \t]*#[^\r\n]*", text, re.MULTILINE))
    return Counter(jsonc.parse(text).comments if text.strip() else ())


def _comments_left(client: Client, text: str) -> Counter[str]:
    """Count the comments that must survive our entry: those that are not inside it."""
    if client.form == "toml":
        return _comments(client, text)
    inside = jsonc.parse(jsonc.source(text, (*client.section, SERVER)))
    return _comments(client, text) - Counter(inside.comments)


def _is_without(client: Client, before: Settings, text: str) -> bool:
    """Say whether `text` holds the settings `before` but for our entry; a section left empty counts as none."""
    try:
        after = parse(client, text)
    except SettingsError:
        return False
    section = client.section[0]
    servers = before[section]
    rest = {name: each for name, each in servers.items() if name != SERVER} if isinstance(servers, dict) else {}
    return {**after, section: after.get(section) or {}} == {**before, section: rest}


def _without_mark(text: str) -> tuple[str, str]:
    body = text.removeprefix(BYTE_ORDER_MARK)
    return text[: len(text) - len(body)], body


def _refusal(client: Client, entry: Settings) -> SettingsError:
    line = json.dumps(entry, ensure_ascii=False)
    return SettingsError(f'cannot be edited safely; add to its "{client.section[0]}" by hand: "{SERVER}": {line}')
