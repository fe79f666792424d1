"""Golden cases per language under fixtures/scans/code, and what must hold for any text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanners.code import CodeScanner
from scanners.code.languages import LANGUAGES
from scanners.model import Document, Edge, Entry, Ref, ScanResult

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "fixtures/scans/code").iterdir())
EXTENSIONS = [extension for language in LANGUAGES for extension in language.extensions[:1]]


def scan(text: str, path: str) -> ScanResult:
    result = CodeScanner().scan(Document(path, text))
    assert result is not None
    return result


def symbols(text: str, path: str) -> dict[str | None, Entry]:
    return {entry.anchor: entry for entry in scan(text, path).entries}


def edges(result: ScanResult, kind: str) -> list[tuple[str | None, str]]:
    return [(edge.anchor, edge.target.name) for edge in result.edges if edge.kind == kind]


def shown(result: ScanResult) -> dict[str, object]:
    """Return what a reviewer reads: fields that say something, an edge a line."""
    defaults = {field.name: field.default for field in fields(Entry)}
    return {
        "entries": [
            {name: value for name, value in asdict(entry).items() if value != defaults[name]}
            for entry in result.entries
        ],
        "edges": [_line(edge) for edge in result.edges],
        "entities": [f"{entity.kind} {entity.name} @{entity.anchor}" for entity in result.entities],
        "problems": [f"{problem.line}: {problem.message}" for problem in result.problems],
    }


def _line(edge: Edge) -> str:
    exact = " exact" if edge.target.exact else ""
    return f"{edge.line}: {edge.anchor} {edge.kind} {edge.target.kind} {edge.target.name}{exact}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_reads_as_expected(case: Path) -> None:
    source = next(case.glob("input.*"))
    folder = "tests" if case.name.endswith("_test") else "src"
    found = json.loads(json.dumps(shown(scan(source.read_text(encoding="utf-8"), f"{folder}/shop/{source.name}"))))
    expected = case / "expected.json"
    if os.environ.get("UPDATE_EXPECTED"):
        expected.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    assert found == json.loads(expected.read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_language_has_a_case(language: object) -> None:
    name = getattr(language, "name", "")

    assert (ROOT / "fixtures/scans/code" / name / "expected.json").exists()


@pytest.mark.parametrize("query", sorted((ROOT / "scanners/queries").glob("*.scm")), ids=lambda query: query.stem)
def test_no_query_uses_a_predicate_of_the_binding(query: Path) -> None:
    assert "(#" not in query.read_text(encoding="utf-8"), "use @when.word: the binding crashes on predicates here"


@pytest.mark.parametrize(
    ("path", "claimed"),
    [
        ("a/b.py", True),
        ("a/b.PY", True),
        ("types/index.d.ts", True),
        ("web/app.min.js", False),
        ("package-lock.json", False),
        ("Cargo.lock", False),
        ("docs/readme.md", False),
        (".py", False),
        ("py", False),
    ],
)
def test_files_are_claimed_by_extension(path: str, claimed: bool) -> None:
    assert CodeScanner().claims(path) is claimed
    assert CodeScanner().companions(path) == ()


def test_importing_the_scanner_loads_no_grammar() -> None:
    code = "import sys, scanners.code; sys.exit(any(name.startswith('tree_sitter') for name in sys.modules))"

    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_missing_grammar_only_means_that_its_files_are_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scanners.code.languages._installed", lambda module: module != "tree_sitter_go")

    assert not CodeScanner().claims("main.go")
    assert CodeScanner().claims("main.py")
    assert CodeScanner().scan(Document("main.go", "package main")) is None


def test_the_line_of_a_symbol_is_that_of_its_name_and_its_text_begins_with_its_comment() -> None:
    text = "# Why.\n@cached\n@other(\n    1,\n)\ndef f():\n    return 1\n\n\nx = 1\n"
    entry = symbols(text, "a.py")["f"]

    assert (entry.line, entry.end_line) == (6, 7)
    assert entry.text == "# Why.\n@cached\n@other(\n    1,\n)\ndef f():\n    return 1"
    assert entry.signature == "def f()"
    assert entry.search_text is not None
    assert "Why." in entry.search_text


def test_overloads_share_a_symbol_but_not_an_anchor() -> None:
    text = "class A {\n  void m() {}\n  void m(int a) {}\n  void m(long a) {}\n}\n"
    result = scan(text, "A.java")
    methods = [entry for entry in result.entries if entry.symbol == "A.m"]

    assert [entry.anchor for entry in methods] == ["A.m", "A.m~2", "A.m~3"]
    assert edges(result, "contains") == [("A", "A.m")] * 3


def test_a_method_written_outside_its_type_belongs_to_it_when_the_file_defines_it() -> None:
    text = "package p\n\ntype Server struct{}\n\nfunc (s *Server) Start() {}\n\nfunc (c Client) Stop() {}\n"
    result = scan(text, "p/server.go")

    assert ("Server", "Server.Start") in edges(result, "contains")
    assert (None, "Client.Stop") in edges(result, "defines")


def test_the_text_of_a_class_ends_where_its_first_member_begins() -> None:
    text = 'class A:\n    """Doc."""\n\n    kind = 1\n\n    # First.\n    def m(self):\n        pass\n'

    assert symbols(text, "a.py")["A"].text == 'class A:\n    """Doc."""\n\n    kind = 1\n'


def test_a_long_function_gives_its_first_two_hundred_lines() -> None:
    text = "def f():\n" + "    call()\n" * 400

    assert symbols(text, "a.py")["f"].text.count("\n") == 199
    assert symbols(text, "a.py")["f"].end_line == 401


def test_a_long_head_gives_a_signature_of_three_hundred_characters() -> None:
    text = "def f(" + ", ".join(f"argument_{n}" for n in range(100)) + "): pass\n"

    assert len(symbols(text, "a.py")["f"].signature or "") == 300


def test_the_words_of_a_body_are_searchable() -> None:
    text = 'func f() {\n\t// wakes the dragon\n\tlog.Print("roar", fireBreath)\n}\n'
    words = symbols("package p\n" + text, "p/f.go")["f"].search_text or ""

    assert {"dragon", "roar", "fireBreath", "log.Print"} <= set(words.split())


def test_a_syntax_error_costs_its_neighbourhood_and_is_reported_once() -> None:
    text = "def a():\n    pass\n\ndef b(:\n    return ((\n\nclass C:\n    def m(self):\n        pass\n\ndef d(]: pass\n"
    result = scan(text, "a.py")

    assert {"a", "C", "C.m"} <= {entry.anchor for entry in result.entries}
    assert len(result.problems) == 1
    assert result.problems[0].message.startswith("syntax error near line 4")


def test_a_decision_is_mentioned_by_the_symbol_whose_comment_names_it() -> None:
    text = (
        "// Package p follows ADR-0001.\npackage p\n\n// Start obeys ADR-0012 and ADR 7.\nfunc Start() {\n"
        '\tx := "ADR-0099" // but RFC-0003\n\t/*\n\t * RFC 7231 is not ours, ADR-13 is\n\t */\n}\n'
    )

    assert edges(scan(text, "p/p.go"), "mentions") == [
        (None, "1"),
        ("Start", "12"),
        ("Start", "7"),
        ("Start", "3"),
        ("Start", "13"),
    ]


def test_relative_imports_are_resolved_against_the_place_of_the_document() -> None:
    python = "from . import a\nfrom ..b.c import D\nimport e.f as g\n"
    script = 'import x from "./x";\nimport y from "../y/z.js";\nimport "left-pad";\nimport q from "../../../out";\n'

    assert [name for _, name in edges(scan(python, "src/pkg/sub/m.py"), "imports")] == [
        "pkg.sub",
        "pkg.sub.a",
        "pkg.b.c",
        "pkg.b.c.D",
        "e.f",
    ]
    assert [name for _, name in edges(scan(script, "web/app/m.ts"), "imports")] == [
        "web/app/x",
        "web/y/z.js",
        "left-pad",
    ]


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("src/pkg/mod.py", "", "pkg.mod"),
        ("pkg/__init__.py", "", "pkg"),
        ("src/org/x/Order.java", "package org.x;", "org.x.Order"),
        ("web/cart/index.ts", "", "cart"),
        ("web/cart/cart.service.ts", "", "cart.service"),
        ("internal/server/http.go", "package server", "server.http"),
        ("crates/a/src/queue.rs", "", "queue"),
    ],
)
def test_a_file_is_named_as_an_import_would_name_it(path: str, text: str, name: str) -> None:
    assert scan(text, path).entries[0].symbol == name


@pytest.mark.parametrize(
    ("path", "text", "anchor"),
    [
        ("tests/test_a.py", "def test_x(): pass\n", "test_x"),
        ("a_test.go", "package a\nfunc TestX(t *testing.T) {}\n", "TestX"),
        ("src/lib.rs", "#[tokio::test]\nasync fn x() {}\n", "x"),
        ("src/ATest.java", "class ATest {\n  @Test\n  void x() {}\n}\n", "ATest.x"),
        ("ATests.cs", "class ATests {\n  [Theory, InlineData(1)]\n  public void X(int a) {}\n}\n", "ATests.X"),
        ("t.kt", "class A {\n  @Test\n  fun `it works`() {}\n}\n", "A.it works"),
    ],
)
def test_a_test_is_marked_as_one(path: str, text: str, anchor: str) -> None:
    entry = symbols(text, path)[anchor]

    assert entry.subkind == "test"
    assert "test" in entry.tags


def test_what_leaves_the_file_is_marked_exported() -> None:
    def exported(text: str, path: str) -> set[str | None]:
        return {anchor for anchor, entry in symbols(text, path).items() if "exported" in entry.tags}

    assert exported("package p\nfunc Open() {}\nfunc shut() {}\n", "p.go") == {"Open"}
    assert exported("export const a = () => 1;\nfunction b() {}\nfunction c() {}\nexport { b };\n", "m.ts") == {
        "a",
        "b",
    }
    assert exported("pub fn a() {}\npub(crate) fn b() {}\nfn c() {}\n", "l.rs") == {"a", "b"}
    assert exported('__all__ = ["a"]\ndef a(): pass\ndef b(): pass\n', "m.py") == {"a"}


def test_a_licence_is_not_the_comment_of_a_file() -> None:
    text = "// Copyright 2024 A. All rights reserved.\n\n// Package p does it.\npackage p\n"

    assert symbols(text, "p.go")[None].text == "Package p does it."


def test_the_comment_of_the_first_symbol_is_not_that_of_the_file() -> None:
    entries = symbols("/** Adds. */\nfunction add() {}\n", "a.js")

    assert entries[None].text == ""
    assert "Adds." in (entries["add"].search_text or "")


def test_a_file_with_too_many_symbols_is_cut_and_says_so() -> None:
    result = scan("".join(f"def f{n}(): pass\n" for n in range(5_100)), "a.py")

    assert len(result.entries) == 5_001
    assert "more than 5,000 symbols" in result.problems[0].message


HOSTILE = """
import resource, sys
from scanners.code import CodeScanner
from scanners.model import Document

def spent():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime

texts = ["}{" * 100_000, "(" * 100_000, "[" * 50_000 + "]" * 50_000, "a " * 100_000, "List<" * 40_000, "\\0" * 100_000]
for text in texts:
    before = spent()
    result = CodeScanner().scan(Document("a" + sys.argv[1], text))
    assert result is not None and result.entries
    assert spent() - before < 5, text[:10]
"""


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_hostile_text_ends_soon(extension: str) -> None:
    """In a process of its own: a parser that hangs in C cannot be stopped from here."""
    done = subprocess.run([sys.executable, "-c", HOSTILE, extension], cwd=ROOT, check=False, timeout=55)

    assert done.returncode == 0


def test_a_text_too_costly_to_parse_still_has_an_entry_and_a_problem() -> None:
    result = scan('"""Doc."""\n' + "}{" * 100_000, "a.py")

    assert [entry.text for entry in result.entries] == ["Doc."]
    assert "too costly to parse" in result.problems[0].message


KEYWORDS = (
    "def class function fn func impl struct type const export import pub namespace package use public static interface "
    "enum trait operator+ ADR-0012 @ #[ ] ( ) { } < > : ; , = => -> :: . \" ' ` // /* */ # a B c1 é"
)
WORDS = st.sampled_from([*KEYWORDS.split(), '"""', "\n", "\n    ", " ", "\r", "\0", "\ud800", "\ufeff"])
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=60).map(" ".join))


@pytest.mark.parametrize("extension", EXTENSIONS)
@settings(max_examples=40, deadline=None)
@given(text=TEXTS)
def test_any_text_gives_a_sound_result(extension: str, text: str) -> None:
    result = scan(text, f"some/where{extension}")
    anchors = [entry.anchor for entry in result.entries]
    last = text.count("\n") + 1

    assert len(set(anchors)) == len(anchors)
    assert anchors[0] is None
    assert all(1 <= entry.line <= entry.end_line <= last for entry in result.entries)
    assert all(entry.symbol is None or entry.title for entry in result.entries)
    assert all(edge.anchor in anchors and 1 <= edge.line <= last and edge.target.name for edge in result.edges)
    assert all(1 <= problem.line <= last for problem in result.problems)
    assert len(set(result.edges)) == len(result.edges)


def test_the_binding_survives_many_files_in_one_process() -> None:
    sources = sorted(Path(os.__file__).parent.glob("*.py"))[:100]
    scanner = CodeScanner()
    first = [scanner.scan(Document(path.name, path.read_text(encoding="utf-8"))) for path in sources]
    again = [scanner.scan(Document(path.name, path.read_text(encoding="utf-8"))) for path in sources]

    assert first == again
    assert sum(len(result.entries) for result in first if result is not None) > 1_000


def test_a_mention_points_at_a_decision_not_at_a_line_of_it() -> None:
    mentions = [edge for edge in scan("# ADR-0012\nx = 1\n", "a.py").edges if edge.kind == "mentions"]

    assert mentions == [Edge("x", "mentions", Ref("decision", "12"), 1)]


def test_a_name_made_up_by_error_recovery_is_no_symbol_and_no_import() -> None:
    for text, path in (("::1:0", "a.hs"), ('import"', "a.go"), ("def (): pass", "a.py"), ("fn () {}", "a.rs")):
        result = scan(text, path)

        assert all(entry.symbol for entry in result.entries)
        assert all(edge.target.name for edge in result.edges)
