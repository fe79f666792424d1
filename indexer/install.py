"""Puts Lorewatch into the settings of an agent client, and takes it out again.

Planning only reads; `apply` is the only writer. `clients.py` knows where the settings are, `settings.py` edits their
text and proves the edit.
"""

from __future__ import annotations

import difflib
import os
import stat
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from indexer import settings
from indexer.clients import SERVER, Client, Place, named
from indexer.errors import BadInput, Unavailable


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be done to one file. `before` is None when there is no file, `after` None when none shall remain.

    `action` is `add`, `update`, `present`, `remove`, `absent`, or `manual` when only the user can do it. `backup` is
    the file that `before` is copied to, None when nothing is lost or the copy that lies there is the better one.
    """

    client: str
    file: Path
    action: str
    before: str | None
    after: str | None
    snippet: str = ""
    steps: tuple[str, ...] = ()
    backup: Path | None = None

    @property
    def changes(self) -> bool:
        """Whether applying the plan writes anything."""
        return self.before != self.after

    def diff(self) -> str:
        """Return the change as a unified diff; with one line around it only, as the neighbours may hold secrets."""
        old = "/dev/null" if self.before is None else str(self.file)
        new = "/dev/null" if self.after is None else str(self.file)
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), old, new, n=1, lineterm="")
        return "".join(f"{line}\n" for line in lines)


def plan(
    client: str, *, home: Path, command: Sequence[str], environ: Mapping[str, str], platform: str = sys.platform
) -> Plan:
    """Work out how to add our entry, or bring it up to date. `command` starts this program; nothing is written."""
    target = named(client)
    file = target.file(Place(home, environ, platform))
    entry = target.entry(command, environ)
    snippet = settings.snippet(target, entry)
    steps = target.steps
    if target.form == "yaml":
        paste = f'put the snippet under "{target.section[0]}" in {file}'
        return Plan(client, file, "manual", None, None, snippet, (paste, *steps))
    if not file.parent.exists():
        steps = (f"{target.title} keeps its settings in {file.parent}, which is not there: is it installed?", *steps)
    before = _read(file)
    try:
        old = None if before is None else settings.entry_in(target, before)
        after = settings.with_entry(target, before or "", entry)
    except settings.SettingsError as error:
        message = f"{file} {error}"
        raise BadInput(message) from error
    if after == before:
        return Plan(client, file, "present", before, after, snippet, steps)
    action = "add" if old is None else "update"
    keep = before is None or (action == "update" and _origin(target, file, before) is not None)
    return Plan(client, file, action, before, after, snippet, steps, None if keep else _backup(file))


def uninstall_plan(client: str, *, home: Path, environ: Mapping[str, str], platform: str = sys.platform) -> Plan:
    """Work out how to take our entry out; a file in which nothing else has changed gets its old bytes back."""
    target = named(client)
    file = target.file(Place(home, environ, platform))
    if target.form == "yaml":
        return Plan(client, file, "manual", None, None, steps=(f'remove "{SERVER}" from {file}',))
    before = _read(file)
    try:
        entry = None if before is None else settings.entry_in(target, before)
        if before is None or entry is None:
            return Plan(client, file, "absent", before, before)
        if (origin := _origin(target, file, before)) is not None:
            return Plan(client, file, "remove", before, origin, steps=target.steps)
        if not _backup(file).exists() and _adding(target, "", entry) == before:
            return Plan(client, file, "remove", before, None, steps=target.steps)
        after = settings.without_entry(target, before)
    except settings.SettingsError as error:
        message = f"{file} {error}"
        raise BadInput(message) from error
    return Plan(client, file, "remove", before, after, steps=target.steps, backup=_backup(file))


def apply(planned: Plan) -> None:
    """Carry out a plan: first the backup, then the new text by rename. A file changed meanwhile is left alone."""
    if not planned.changes:
        return
    if _read(planned.file) != planned.before:
        message = f"{planned.file} has changed meanwhile; run the command again"
        raise BadInput(message)
    try:
        _carry_out(planned)
    except OSError as error:
        message = f"{planned.file} cannot be written: {error.strerror}; mend that, or edit it by hand"
        raise Unavailable(message) from error


def install_answer(
    client: str, write: bool, home: Path, command: Sequence[str], environ: Mapping[str, str]
) -> dict[str, object]:
    """Plan the installation, carry it out when `write`, and tell about it in the shape of `--json`."""
    return _answer(plan(client, home=home, command=command, environ=environ), write, environ)


def uninstall_answer(client: str, write: bool, home: Path, environ: Mapping[str, str]) -> dict[str, object]:
    """Plan the removal, carry it out when `write`, and tell about it in the shape of `--json`."""
    return _answer(uninstall_plan(client, home=home, environ=environ), write, environ)


def _answer(planned: Plan, write: bool, environ: Mapping[str, str]) -> dict[str, object]:
    steps = planned.steps
    if write and environ.get("SUDO_USER"):
        message = "run it as yourself, not with sudo: the settings would belong to another user"
        raise BadInput(message)
    if write:
        apply(planned)
    elif planned.changes:
        steps = ("nothing is written yet: run the command again with --apply", *steps)
    return {
        "client": planned.client,
        "file": str(planned.file),
        "action": planned.action,
        "applied": write and planned.changes,
        "diff": planned.diff(),
        "snippet": planned.snippet,
        "next": list(steps),
    }


def _origin(client: Client, file: Path, text: str) -> str | None:
    """Return the backup if adding our entry to it gives exactly `text`: then nothing else has changed since."""
    try:
        origin = _read(_backup(file))
        if origin is None or settings.entry_in(client, origin) is not None:
            return None
        return origin if _adding(client, origin, settings.entry_in(client, text)) == text else None
    except (settings.SettingsError, BadInput, Unavailable):
        return None


def _adding(client: Client, text: str, entry: object) -> str | None:
    return settings.with_entry(client, text, entry) if isinstance(entry, dict) else None


def _backup(file: Path) -> Path:
    return file.with_name(f"{file.name}.lorewatch-backup")


def _lines(text: str | None) -> list[str]:
    lines = (text or "").replace("\r\n", "\n").split("\n")
    return lines[:-1] if not lines[-1] else lines


def _read(file: Path) -> str | None:
    """Return the text of a file with its line ends as they are, None where there is none."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            message = f"{file} is no regular file; move it away"
            raise BadInput(message)
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        message = f"{file} is not UTF-8 and is left alone; save it as UTF-8 first"
        raise BadInput(message) from None
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise Unavailable(message) from error


def _carry_out(planned: Plan) -> None:
    target = planned.file.resolve()
    if planned.after is None:
        target.unlink()
        return
    if planned.backup is not None and planned.before is not None:
        _write(planned.backup, planned.before, like=target)
    target.parent.mkdir(parents=True, exist_ok=True)
    _write(target, planned.after, like=target)
    if planned.action == "remove" and planned.backup is None:
        _backup(planned.file).unlink(missing_ok=True)


def _write(path: Path, text: str, *, like: Path) -> None:
    """Replace `path` by a file that is whole at any moment, with the mode of `like`; a new one is the user's alone."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        if like.exists():
            draft.chmod(stat.S_IMODE(like.stat().st_mode))
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
