"""One file on disk -> its text, or the reason why it has none. Opens nothing that could block or lead elsewhere."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from scanners.model import Problem

MAX_BYTES = 2_000_000
SECRET_NAMES = re.compile(
    r"\.env(\..+)?|.*\.(pem|key|p12|pfx|jks|keystore|tfstate|kdbx)|id_(rsa|dsa|ecdsa|ed25519)|\.(npmrc|netrc|pypirc|pgpass)"
    r"|credentials(\..+)?|kubeconfig|\.htpasswd",
    re.IGNORECASE,
)
HARMLESS_NAMES = re.compile(
    r"\.env\.(example|sample|template|dist)|credentials\.(md|rst|adoc|py|go|rs|ts|js|java)", re.IGNORECASE
)

UNCLAIMED = "no scanner for this kind of file"
TOO_LARGE = f"larger than {MAX_BYTES // 1_000_000} MB"
BINARY = "binary"
EMPTY = "empty"
LINK = "symbolic link; its target is indexed where it lies"
NOT_REGULAR = "not a regular file"
UNREADABLE = "cannot be read"
SECRET = "may hold secrets"  # noqa: S105 - a reason, not a password
MINIFIED = "minified"
BAD_NAME = "file name is not UTF-8"


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the folder tells of a file, before it is opened."""

    size: int
    mtime_ns: int
    skip: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as read once. `text` is None when `skip` says why not."""

    size: int
    mtime_ns: int
    digest: str
    text: str | None
    skip: str | None = None
    problems: tuple[Problem, ...] = ()


def look(path: str, status: os.stat_result, *, claimed: bool) -> Look:
    """Decide by name and status alone what will not be opened."""
    name = path.rpartition("/")[2]
    skip = None
    if stat.S_ISLNK(status.st_mode):
        skip = LINK
    elif not stat.S_ISREG(status.st_mode):
        skip = NOT_REGULAR
    elif SECRET_NAMES.fullmatch(name) and not HARMLESS_NAMES.fullmatch(name):
        skip = SECRET
    elif re.search(r"\.min\.\w+$", name):
        skip = MINIFIED
    elif not claimed:
        skip = UNCLAIMED
    elif status.st_size > MAX_BYTES:
        skip = TOO_LARGE
    elif status.st_size == 0:
        skip = EMPTY
    return Look(status.st_size, status.st_mtime_ns, skip)


def read_small(file: Path, most: int) -> bytes | None:
    """The content of a regular file of at most `most` bytes, None for all else: links, pipes, nothing there."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(file, flags)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        try:
            content = opened.read(most + 1)
        except OSError:
            return None
    return content if len(content) <= most else None


def read(root: Path, path: str) -> Reading:
    """Read and decode a regular file once; what fails is a skip reason, never an exception."""
    try:
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(root / path, flags)
    except (OSError, ValueError):
        return Reading(0, 0, "", None, UNREADABLE)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Reading(status.st_size, status.st_mtime_ns, "", None, NOT_REGULAR)
        try:
            content = file.read(MAX_BYTES + 1)
        except OSError:
            return Reading(status.st_size, status.st_mtime_ns, "", None, UNREADABLE)
    digest = hashlib.blake2b(content, digest_size=16).hexdigest()
    if len(content) > MAX_BYTES:
        return Reading(status.st_size, status.st_mtime_ns, digest, None, TOO_LARGE)
    text, problems = _decoded(path, content)
    skip = BINARY if text is None else None if text.strip() else EMPTY
    return Reading(status.st_size, status.st_mtime_ns, digest, None if skip else text, skip, problems)


def _decoded(path: str, content: bytes) -> tuple[str | None, tuple[Problem, ...]]:
    r"""The text with `\n` as line end, None for binary content; UTF-8, UTF-16, else Windows-1252."""
    problems: tuple[Problem, ...] = ()
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = content.decode("utf-16", "replace")
    elif b"\0" in content:
        text = _unmarked_utf_16(content)
        problems = (Problem(path, 1, "no mark of its encoding; read as UTF-16"),)
    else:
        text, problems = _decoded_bytes(path, content)
    if "\0" in text:
        return None, ()
    return text.replace("\r\n", "\n").replace("\r", "\n"), problems


def _unmarked_utf_16(content: bytes) -> str:
    """The text when a third of all letters are Latin, which alternate with zeros, else some text with a zero."""
    for zeros, others, encoding in (
        (content[1::2], content[::2], "utf-16-le"),
        (content[::2], content[1::2], "utf-16-be"),
    ):
        if zeros.count(0) * 3 >= len(zeros) and 0 not in others:
            return content.decode(encoding, "replace")
    return "\0"


def _decoded_bytes(path: str, content: bytes) -> tuple[str, tuple[Problem, ...]]:
    try:
        return content.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = Problem(path, line, "not UTF-8; read as Windows-1252, so some letters may be wrong")
        return content.decode("cp1252", "replace"), (problem,)
