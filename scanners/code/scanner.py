"""The scanner of source code: one document's text to symbols, what they contain, and what the file imports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scanners.code import comments, entries, grammar, imports
from scanners.code.languages import Language, language_of
from scanners.code.symbols import MAX_SYMBOLS, Findings, Symbol, arrange, collect
from scanners.model import Document, Edge, Entity, Problem, Ref, ScanResult

_DECISION = re.compile(r"\b(ADR|RFC)[-_ ]?#?(0*)(\d{1,4})\b(?!\.?\d)")
_MAX_MENTIONS = 200
_FIRST_IETF = 700
_ROOT_NAMES = frozenset({"index", "mod", "__init__"})


class CodeScanner:
    """Finds the definitions of source files in the languages of `languages.LANGUAGES`."""

    name = "code"
    version = 1

    def claims(self, path: str) -> bool:
        """Claim by extension; minified bundles are nobody's source."""
        return language_of(path) is not None

    def companions(self, path: str) -> tuple[str, ...]:  # noqa: ARG002 - the protocol asks by path
        """Read nothing beside the file itself."""
        return ()

    def scan(self, document: Document) -> ScanResult | None:
        """Return one entry for the file and one for each definition in it."""
        language = language_of(document.path)
        if language is None:
            return None
        text = document.text.encode(errors="replace").replace(b"\0", b" ")
        lines = document.text.split("\n")
        problems: list[Problem] = []
        findings = Findings()
        try:
            parsed = grammar.parsed(language, text)
            findings = collect(parsed.matches, text)
            problems.extend(_problems(document.path, language, parsed.error_line, findings))
        except grammar.TooCostly as verdict:
            message = f"too costly to parse as {language.name}, stopped near line {verdict.line}"
            problems.append(Problem(document.path, verdict.line, message))
        return _result(document, language, lines, text, findings, tuple(problems))


def _result(
    document: Document,
    language: Language,
    lines: Sequence[str],
    text: bytes,
    findings: Findings,
    problems: tuple[Problem, ...],
) -> ScanResult:
    symbols = arrange(findings, lines, language)
    source = entries.source_of(document, language, lines, text, findings.exported)
    members = _first_members(symbols)
    taken = frozenset(symbol.text_row for symbol in symbols)
    name = _module_name(document.path, language, findings.package)
    doc = _module_doc(lines, text, language, taken)
    top = [symbol.qualified for symbol in symbols if symbol.parent is None]
    module = entries.module_entry(source, name, doc, top)
    return ScanResult(
        entries=(module, *(entries.symbol_entry(s, source, members.get(s.anchor)) for s in symbols)),
        entities=(Entity("symbol", name, None), *(Entity("symbol", s.qualified, s.anchor) for s in symbols)),
        edges=tuple(
            dict.fromkeys(
                (
                    *(_owned(symbol) for symbol in symbols),
                    *_imports(findings, language, document.path),
                    *_mentions(document.text, lines, language, symbols),
                )
            )
        ),
        problems=problems,
    )


def _problems(path: str, language: Language, error_line: int | None, findings: Findings) -> Iterator[Problem]:
    if error_line is not None and not (language.lenient and findings.candidates):
        yield Problem(path, error_line, f"syntax error near line {error_line}")
    if findings.truncated:
        yield Problem(path, 1, f"more than {MAX_SYMBOLS:,} symbols; the rest are left out")


def _owned(symbol: Symbol) -> Edge:
    kind = "defines" if symbol.parent is None else "contains"
    return Edge(symbol.parent, kind, Ref("symbol", symbol.qualified, exact=True), symbol.found.name_row + 1)


def _first_members(symbols: Sequence[Symbol]) -> dict[str, int]:
    """Return the row where the first member of each symbol begins; a method outside its type is no part of its text."""
    rows: dict[str, int] = {}
    ends = {symbol.anchor: symbol.found.end for symbol in symbols}
    for symbol in symbols:
        if symbol.parent is not None and symbol.found.start < ends.get(symbol.parent, 0):
            rows.setdefault(symbol.parent, symbol.text_row)
    return rows


def _module_name(path: str, language: Language, package: str) -> str:
    """Name the file as an import would: dotted in Python, package and stem where files say their package, else stem."""
    if language.name == "python":
        return imports.module_name(path)
    parts = path.split("/")
    stem = parts[-1].rsplit(".", 1)[0].removesuffix(".d")
    if stem in _ROOT_NAMES and len(parts) > 1:
        stem = parts[-2]
    return f"{package}.{stem}" if package else stem


def _module_doc(lines: Sequence[str], text: bytes, language: Language, taken: frozenset[int]) -> str:
    if language.docstring:
        start = _first_code(lines)
        said, _ = comments.docstring(text, len("\n".join(lines[:start]).encode(errors="replace")), len(text))
        if said:
            return said
    return comments.opening_comment(lines, language, taken)


def _first_code(lines: Sequence[str]) -> int:
    """Return the row of the first line that is neither blank nor a comment; a docstring may follow comments."""
    return next((row for row, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), 0)


def _imports(findings: Findings, language: Language, path: str) -> Iterator[Edge]:
    for reading, written, item, row in findings.imports:
        for ref in imports.refs(f"{language.imports}.{reading}" if reading else language.imports, written, item, path):
            yield Edge(None, "imports", ref, row + 1)


def _mentions(text: str, lines: Sequence[str], language: Language, symbols: Sequence[Symbol]) -> Iterator[Edge]:
    """Yield the decisions that comments name, each as a claim of the innermost symbol around the comment."""
    if "ADR" not in text and "RFC" not in text:  # a plain search is ten times as fast as the pattern
        return
    for count, match in enumerate(_DECISION.finditer(text)):
        if count >= _MAX_MENTIONS:
            return
        kind, zeros, number = match.groups()
        if kind == "RFC" and not zeros and int(number) >= _FIRST_IETF:
            continue
        row = text.count("\n", 0, match.start())
        column = match.start() - text.rfind("\n", 0, match.start()) - 1
        if comments.is_commented(lines, row, column, language):
            anchor = next((s.anchor for s in reversed(symbols) if s.text_row <= row <= s.found.end_row), None)
            yield Edge(anchor, "mentions", Ref("decision", number), row + 1)
