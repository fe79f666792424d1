"""What an import statement points at, read the way its language means it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from scanners.model import Ref

_MAX_PIECES = 500
_USE_PIECE = re.compile(r"[{},]|[^{},]+")


def refs(reading: str, written: str, item: str, path: str) -> tuple[Ref, ...]:
    """Return what an import in the document at `path` names.

    `written` is the text of the path or module as the grammar cut it out, `item` the name taken from it, if any.
    """
    written = written.strip()
    found = READINGS[reading](written, item.strip(), path) if written else ()
    return tuple(ref for ref in found if ref.name)


def module_name(path: str) -> str:
    """Return the dotted name of a Python module; a leading `src` or `lib` folder is not part of it."""
    parts = path.rsplit(".", 1)[0].split("/")
    if len(parts) > 1 and parts[0] in {"src", "lib"}:
        del parts[0]
    if len(parts) > 1 and parts[-1] == "__init__":
        del parts[-1]
    return ".".join(parts)


def _python(written: str, item: str, path: str) -> tuple[Ref, ...]:
    module = written.replace(" ", "")
    if module.startswith("."):
        dots = len(module) - len(module.lstrip("."))
        package = posixpath.dirname(path).split("/") if "/" in path else []
        base = package[: max(0, len(package) - dots + 1)]
        module = ".".join((*base, *filter(None, [module[dots:]])))
        module = re.sub(r"^(?:src|lib)\.", "", module)
    names = [module, f"{module}.{item}" if item and module else item]
    return tuple(Ref("symbol", name) for name in names)


def _javascript(written: str, item: str, path: str) -> tuple[Ref, ...]:
    return _beside(written, item, path) if written.startswith(".") else (Ref("symbol", written),)


def _go(written: str, _item: str, _path: str) -> tuple[Ref, ...]:
    return (Ref("folder", written.strip('"`')),)


def _rust(written: str, _item: str, _path: str) -> tuple[Ref, ...]:
    return tuple(Ref("symbol", name) for name in _use_names(written))


def _rust_module(written: str, _item: str, path: str) -> tuple[Ref, ...]:
    """Return the file of `mod x;`: it lies beside lib.rs, main.rs and mod.rs, else in a folder named as the file."""
    folder, name = posixpath.split(path)
    stem = name.rsplit(".", 1)[0]
    if stem not in {"lib", "main", "mod", "build"}:
        folder = posixpath.join(folder, stem)
    return (Ref("file", posixpath.join(folder, written)),)


def _dotted(written: str, item: str, _path: str) -> tuple[Ref, ...]:
    name = f"{written}.{item}" if item else written
    name = re.sub(r"::|\\", ".", re.sub(r"\s+", "", name)).strip(".*")
    return (Ref("symbol", name),)


def _scala(written: str, _item: str, _path: str) -> tuple[Ref, ...]:
    return tuple(Ref("symbol", name) for name in _use_names(written.removeprefix("import ")))


def _include(written: str, _item: str, _path: str) -> tuple[Ref, ...]:
    name = posixpath.normpath(written.strip("\"'<>"))
    return () if name == "." or "$" in name else (Ref("file", name.lstrip("./")),)


def _required(written: str, _item: str, _path: str) -> tuple[Ref, ...]:
    return (Ref("file", written),)


def _beside(written: str, _item: str, path: str) -> tuple[Ref, ...]:
    name = posixpath.normpath(posixpath.join(posixpath.dirname(path), written))
    return () if name.startswith("..") or name == "." else (Ref("file", name),)


def _use_names(written: str) -> Iterator[str]:
    """Yield each path of a `use` tree, braces expanded, joined by dots and without the names it gives."""
    prefixes = [""]
    path = ""
    for piece in _USE_PIECE.findall(written)[:_MAX_PIECES]:
        if piece == "{":
            prefixes.append(prefixes[-1] + path)
            path = ""
        elif piece in {",", "}"}:
            if path:
                yield _use_name(prefixes[-1] + path)
            path = ""
            if piece == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            path = piece.strip()
    if path:
        yield _use_name(prefixes[-1] + path)


def _use_name(path: str) -> str:
    name = re.sub(r"\s+(?:as|=>)\s+\w+$", "", path)
    name = re.sub(r"(?:::|\.)(?:self|\*|_)$", "", name)
    name = re.sub(r"\s+", "", name).replace("::", ".").strip(".")
    return re.sub(r"^(?:(?:crate|self|super)(?:\.|$))+", "", name)


READINGS: dict[str, Callable[[str, str, str], tuple[Ref, ...]]] = {
    "python": _python,
    "javascript": _javascript,
    "go": _go,
    "rust": _rust,
    "rust.module": _rust_module,
    "dotted": _dotted,
    "dotted.include": _include,
    "include": _include,
    "required": _required,
    "required.relative": _beside,
    "scala": _scala,
}
"""How each language's imports are read; `Language.imports` names one of these."""
