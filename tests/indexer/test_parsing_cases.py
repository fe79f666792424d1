"""Troubles that other tools had with the text they read, each made anew and asked for through the product's doors."""

from __future__ import annotations

import importlib.metadata
import io
import re
import sqlite3
import struct
import subprocess
import sys
import time
import unicodedata
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from indexer import catalog, reading
from indexer.config import load
from indexer.errors import ConfigError
from indexer.index import Index
from indexer.snippets import MOST_CHARACTERS, snippet
from scanners.model import Entry
from tests.project import CLEAN, Project, adr

TOP = Path(__file__).parent.parent.parent


def status(project: Project) -> dict[str, Any]:
    root: dict[str, Any] = project.answer("status", {})["roots"][0]
    return root


def entries(project: Project) -> list[Entry]:
    return [one.entry for one in catalog.stored(project.index.reader(), "ORDER BY e.path, e.line", ())]


def document(project: Project, path: str) -> Entry:
    rows = catalog.stored(project.index.reader(), "WHERE e.path = ? AND e.anchor IS NULL", (path,))
    return next(iter(rows)).entry


def skip(project: Project, path: str) -> str | None:
    known = catalog.known_file(project.index.reader(), project.writer.roots()[0].id, path)
    assert known is not None
    return known.skip


def warned(project: Project) -> set[str]:
    return {problem["path"] for problem in status(project)["problems"]}


def good_files(project: Project, count: int, word: str) -> None:
    for number in range(count):
        project.write(f"docs/good{number}.md", f"# Good {number}\n\n## Part\n\nThe {word} is here.\n")


def found(project: Project, word: str) -> int:
    return len(set(project.paths(word, limit=100)))


LINES = ["---", "status: accepted", "tags: [walrus]", "---", "", "# Use queues", "", "## Why", "", "Because."]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\r\n".join(LINES), id="windows"),
        pytest.param("\r".join(LINES), id="old-mac"),
        pytest.param(
            "".join(line + end for line, end in zip(LINES, ["\r\n", "\n", "\r"] * 4, strict=False)), id="mixed"
        ),
        pytest.param("\n".join([*LINES[:3], "---  ", *LINES[4:]]), id="blanks-after-the-closing-dashes"),
    ],
)  # parse-02
def test_front_matter_is_read_whatever_ends_its_lines(project: Project, text: str) -> None:
    file = project.write("docs/adr/0001-queues.md", text)
    project.reconcile()

    record = document(project, "docs/adr/0001-queues.md")
    assert (record.title, record.status, record.tags) == ("Use queues", "accepted", ("walrus",))
    assert [(entry.anchor, entry.line, entry.end_line) for entry in entries(project)][-1] == ("why", 8, 10)
    assert file.read_bytes() == text.encode()


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b""), ("utf-16-be", b""),
        ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"),
    ],
)  # fmt: skip  # parse-04
def test_the_encodings_of_older_shells_are_read(project: Project, encoding: str, mark: bytes) -> None:
    project.write("docs/adr/0001-a.md", mark + adr(1, "Use queues", "Der Walrus für alle.").encode(encoding))
    project.reconcile()

    assert project.paths("walrus für")
    assert document(project, "docs/adr/0001-a.md").title == "Use queues"
    assert not any("\0" in entry.title + entry.text for entry in entries(project))
    assert warned(project) == ({"docs/adr/0001-a.md"} if "16" in encoding and not mark else set())
    assert project.verify() == CLEAN


@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be"])  # parse-04
def test_an_encoding_that_is_not_read_is_a_reason_and_leaves_no_zeros_in_the_index(
    project: Project, encoding: str
) -> None:
    project.write("docs/adr/0001-a.md", adr(1, "Use queues").encode(encoding))
    project.reconcile()

    assert skip(project, "docs/adr/0001-a.md") == reading.BINARY
    assert entries(project) == []


ODD = {
    "windows-path": "---\nowner: `C:\\Users\\ann`\n---\n\n# Path\n\nOtter one.\n",
    "star": "---\ntitle: *Italic*\n---\n\n# Star\n\nOtter two.\n",
    "wiki": "---\nrelated:\n  - '[[Queues]]' and more\n---\n\n# Wiki\n\nOtter three.\n",
}


def test_front_matter_that_is_no_yaml_costs_a_warning_and_holds_nothing_back(project: Project) -> None:  # parse-06
    for name, text in ODD.items():
        project.write(f"docs/{name}.md", text)
    project.write("docs/rule.md", "---\n\nOtter four, under a line.\n\n---\n\n# Rule\n")
    good_files(project, 10, "walrus")
    project.reconcile()
    good_files(project, 10, "pelican")
    started = time.monotonic()
    project.reconcile()

    assert found(project, "pelican") == 10
    assert time.monotonic() - started < 5
    assert found(project, "otter") == 4
    # The fourth has no front matter at all: a line across the page is nothing to warn about.
    assert warned(project) == {f"docs/{name}.md" for name in ODD}
    assert "Otter one." in document(project, "docs/windows-path.md").text


@pytest.mark.parametrize(
    "line", ["type:", "type: null", "kept: yes", "tags: 7", "tags: {a: {b: c}}", "tags: null", "type: [a, {b: c}]"]
)  # parse-08
def test_a_key_with_an_odd_value_is_read_once_with_defaults(project: Project, line: str) -> None:
    project.write("docs/adr/0001-odd.md", f"---\n{line}\nstatus: accepted\n---\n\n# Odd\n\nAn otter.\n")
    good_files(project, 100, "walrus")
    started = time.monotonic()
    project.reconcile()

    assert time.monotonic() - started < 5
    assert found(project, "walrus") == 100
    record = document(project, "docs/adr/0001-odd.md")
    assert (record.kind, record.status, record.title) == ("adr", "accepted", "Odd")
    assert project.writer.reconcile(project.writer.roots()[0]).read == 0


WINDOWS = "Kraków, Müller".encode("cp1252")


@pytest.mark.parametrize(
    "path",
    [
        "docs/adr/0001-a.md", "memory-bank/activeContext.md", "AGENTS.md", ".cursor/rules/a.mdc", "docs/guide.rst",
        "docs/guide.adoc", "notes.txt", "src/app.py",
    ],
)  # fmt: skip  # parse-10
def test_a_note_in_windows_1252_is_found_by_its_accents(project: Project, path: str) -> None:
    comment = b"# " + WINDOWS + b"\ndef visit() -> None: ..."
    project.write(path, comment if path.endswith(".py") else b"Towns\n\n" + WINDOWS + b" walrus\n")
    good_files(project, 3, "pelican")
    project.reconcile()

    assert path in project.paths("Müller")
    assert path in project.paths("Kraków")
    assert found(project, "pelican") == 3
    assert path in warned(project)
    assert project.verify() == CLEAN


@pytest.mark.parametrize(
    "path", [".lorewatch.toml", ".gitignore", ".lorewatchignore", ".adr-dir", ".log4brains.yml", ".git/info/exclude"]
)  # parse-10
def test_a_setting_in_windows_1252_costs_itself_only(project: Project, path: str) -> None:
    project.write(path, b"# " + WINDOWS + b"\nb\xfcro/\n")
    project.write("docs/adr/0001-a.md", adr(1, "Use queues", "The walrus decides."))
    good_files(project, 3, "pelican")
    project.reconcile()

    assert found(project, "pelican") == 3
    assert "docs/adr/0001-a.md" in project.paths("walrus")
    assert project.verify() == CLEAN


def test_settings_of_the_user_in_windows_1252_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # parse-10
    monkeypatch.setenv("LOREWATCH_HOME", str(tmp_path))
    (tmp_path / "lorewatch.toml").write_bytes(b"# " + WINDOWS + b"\nport = 7421\n")

    with pytest.raises(ConfigError, match=r"lorewatch\.toml cannot be read"):
        load()


def test_a_heading_keeps_its_parent_across_a_fence_with_comments(project: Project) -> None:  # parse-12
    fence = "```bash\n# install deps\nmake\n```\n"
    chapters = "# Chapter Two\n\nThe pelican.\n\n## Empty\n\n\n\n\n\n\n\n\n\n\n## Later\n\nThe otter.\n"
    project.write("docs/guide.md", f"# Guide\n\n## Setup\n\n{fence}\n### Details\n\nThe walrus.\n\n{chapters}")
    project.reconcile()

    parts = {entry.anchor: entry for entry in entries(project) if entry.anchor}
    assert parts["details"].heading == ("Setup", "Details")
    assert parts["chapter-two"].heading == ("Chapter Two",)
    assert parts["later"].heading == ("Chapter Two", "Later")
    bodies = [[line for line in part.text.splitlines() if line.strip()] for part in parts.values()]
    assert all(len(body) > 1 for body in bodies)


def test_only_headings_that_a_reader_sees_are_headings(project: Project) -> None:  # parse-14
    fences = "```\n~~~\n# one\n```\n\n````\n```\n# two\n```\n# three\n````\n\n    # four\n"
    project.write("docs/a.md", f"# Page\n\n{fences}\n## C#\n\nx\n\n## F##\n\ny\n\n## Title ##\n\nz\n")
    project.reconcile()

    assert document(project, "docs/a.md").headings == ("C#", "F##", "Title")


@pytest.mark.parametrize(
    "end",
    [
        "<!-- secret otter -->\n",
        "<!-- secret otter\nnever closed\n",
        "<!--\nsecret otter\n\nmore otter\n-->\n",
        "By all. <!-- otter -->\n",
    ],
)  # parse-16
def test_a_comment_in_a_record_is_not_shown(project: Project, end: str) -> None:
    project.write("docs/adr/0001-a.md", adr(1, "Use queues", f"The walrus decides.\n\n{end}"))
    project.reconcile()

    hits = project.answer("search", {"query": "walrus decides"})["hits"]
    assert hits
    assert all("walrus" in hit["snippet"] for hit in hits)
    assert not any("otter" in hit["snippet"] for hit in hits)


def test_the_sign_that_ends_a_comment_is_text_in_a_code_span(project: Project) -> None:  # parse-16
    text = "The walrus goes from `<!--` to `-->` and on.\n\n```html\n<!-- shown -->\n```\n\n<!-- -->\n"
    project.write("docs/adr/0001-a.md", adr(1, "Use queues", text))
    project.reconcile()

    snippets = [hit["snippet"] for hit in project.answer("search", {"query": "walrus"})["hits"]]
    assert snippets
    assert all("from `<!--` to `-->` and on." in one and "<!-- shown -->" in one for one in snippets)


@pytest.mark.parametrize("text", ["<!--" * 400_000, "`" * 1_000_000, "``` " * 300_000, "`<!-- " * 200_000])  # parse-16
def test_signs_of_comments_and_code_without_end_take_no_time(text: str) -> None:
    started = time.process_time()
    snippet(f"walrus <!-- x -->{text}", ["walrus"])
    snippet(f"<!-- x -->\n{text}", ["walrus"])

    assert time.process_time() - started < 3


def test_what_lies_beside_the_records_is_no_record(project: Project) -> None:  # parse-18
    for number, name in enumerate("abc", start=1):
        project.write(f"docs/adr/000{number}-{name}.md", adr(number, f"Use {name}", "The walrus decides."))
    links = "".join(f"* [{name}](000{number}-{name}.md)\n" for number, name in enumerate("abc", start=1))
    project.write("docs/adr/README.md", f"# Decisions\n\n{links}")
    project.write("docs/adr/index.md", "# All walrus decisions\n\nSee the list.\n")
    project.write(
        "docs/adr/template.md", "# {short title}\n\n## Status\n\n{proposed | accepted}\n\n## Decision\n\n{text}\n"
    )
    project.write("docs/adr/picture.png", b"\x89PNG\r\n\x1a\n\0")
    project.reconcile()

    records = {f"docs/adr/000{number}-{name}.md" for number, name in enumerate("abc", start=1)}
    listed = project.answer("entries", {"kinds": ["adr"]})["entries"]
    assert {one["path"] for one in listed} == records
    assert {document(project, f"docs/adr/{name}.md").kind for name in ("README", "index")} == {"index"}
    assert document(project, "docs/adr/template.md").kind == "template"
    assert warned(project) == set()


def test_windows_line_ends_leave_no_sign_in_the_title_of_a_record(project: Project) -> None:  # parse-20
    project.write("docs/adr/0007-queues.md", adr(7, "Use queues").replace("\n", "\r\n"))
    project.reconcile()

    hit = project.answer("search", {"query": "queues"})["hits"][0]
    listed = project.answer("entries", {})["entries"][0]
    assert (hit["title"], listed["number"], listed["title"]) == ("Use queues", 7, "Use queues")
    shown = [text for entry in entries(project) for text in (entry.title, *entry.headings, entry.status_raw or "")]
    assert not any(unicodedata.category(sign) == "Cc" for text in shown for sign in text)


BOTH = {"docs/adr/ADR-027-a.md", "docs/adr/ADR-027-b.md"}


def same_number(project: Project) -> None:
    for path in BOTH:
        project.write(path, "# Use queues\n\n## Status\n\nAccepted\n\n## Decision\n\nThe walrus decides.\n")
    project.write("docs/guide.md", "# Guide\n\nFor the reasons see ADR-027.\n")
    project.reconcile()


def test_two_records_with_one_number_are_both_there_and_the_clash_is_named(project: Project) -> None:  # parse-22
    same_number(project)

    listed = [one for one in project.answer("entries", {"kinds": ["adr"]})["entries"] if one["anchor"] is None]
    assert {one["path"] for one in listed} == BOTH
    assert len({one["id"] for one in listed}) == 2
    findings = project.answer("lint", {})["findings"]
    assert {one["path"] for one in findings if one["rule"] == "same-number"} == BOTH


def test_a_mention_of_a_number_that_two_records_share_names_both(project: Project) -> None:  # parse-22
    same_number(project)

    related = project.answer("related", {"target": "docs/guide.md"})["groups"]["relates_to"]
    assert {one["path"] for one in related} == BOTH


def test_minified_files_are_skipped_and_counted(project: Project) -> None:  # parse-28
    project.write("web/app.min.js", "function walrus(b){return b+1};" * 10_000)
    project.write("web/style.min.css", ".walrus{color:red}" * 10_000)
    good_files(project, 3, "walrus")
    project.reconcile()

    assert status(project)["skipped"] == {reading.MINIFIED: 2}
    assert found(project, "walrus") == 3


def png() -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = zlib.compress(b"\0\xff\0\0" * 16)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 16, 8, 2, 0, 0, 0)) + chunk(b"IDAT", rows)


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "The otter.")
    return file.getvalue()


def test_a_file_that_only_claims_to_be_text_is_skipped_and_harms_nothing(tmp_path: Path) -> None:  # parse-32
    folder = tmp_path / "shop"
    folder.mkdir()
    sprinkled = ("otter " + "x" * 93 + "\0") * 50
    with Index(tmp_path / "home", write=True) as index:
        project = Project(folder, index)
        good_files(project, 50, "walrus")
        for name, content in (("picture", png()), ("data", zipped()), ("sprinkled", sprinkled)):
            project.write(f"docs/{name}.md", content)
        project.write("docs/marked.md", b"\xff\xfe" + ("# Marked otter\n\n\0\n").encode("utf-16-le"))
        project.reconcile()
        assert status(project)["skipped"] == {reading.BINARY: 4}
        assert project.paths("otter") == []
        assert found(project, "walrus") == 50
        assert project.verify() == CLEAN
    with Index(tmp_path / "home", write=False) as index:
        assert Project(folder, index).answer("search", {"query": "walrus"})["state"] == "ready"
        checked: sqlite3.Row = index.reader().execute("PRAGMA integrity_check").fetchone()
        assert checked[0] == "ok"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = " + "(" * 20_000 + ")" * 20_000 + "\n", id="brackets"),
        pytest.param("x = " + "[" * 20_000 + "\n", id="never-closed"),
        pytest.param("".join(f"{' ' * depth}if a:\n" for depth in range(1_500)), id="blocks"),
        pytest.param("x = " + "not " * 20_000 + "a\n", id="operators"),
    ],
)  # parse-34
def test_a_file_nested_too_deeply_costs_itself_only(project: Project, text: str) -> None:
    project.write("src/deep.py", text)
    for number in range(30):
        project.write(f"src/good{number}.py", f'def walrus_{number}() -> int:\n    """Count the walrus."""\n')
    project.reconcile()

    assert found(project, "walrus") == 30
    assert warned(project) <= {"src/deep.py"}
    assert skip(project, "src/deep.py") is None
    assert project.verify() == CLEAN


WALK = """
import os, sys
from pathlib import Path
from scanners.code.grammar import parsed
from scanners.code.languages import LANGUAGES

python = next(language for language in LANGUAGES if language.name == "python")
files = sorted(Path(os.__file__).parent.rglob("*.py"), key=lambda file: file.stat().st_size)
kept, seen = [], 0
for _ in range(2):
    for file in [file for file in files if file.stat().st_size > 2_000][:200]:
        for _, captures in parsed(python, file.read_bytes()).matches:
            for node in (node for nodes in captures.values() for node in nodes):
                kept.append(node)
                seen += len(node.children)
                while (node := node.parent) is not None:
                    seen += node.child_count
assert len(kept) > 1_000 and seen > 10_000, (len(kept), seen)
assert all(node.type and node.start_byte <= node.end_byte for node in kept)
"""


def test_nodes_that_are_kept_across_many_files_stay_sound() -> None:  # parse-36
    done = subprocess.run([sys.executable, "-c", WALK], cwd=TOP, check=False, timeout=50, capture_output=True)

    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_the_binding_of_the_parser_is_pinned_to_what_is_tested() -> None:  # parse-36
    pinned = re.search(r"^tree-sitter==(\S+)$", (TOP / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)

    assert pinned
    assert pinned[1] == importlib.metadata.version("tree-sitter")


FAMILY = "👩\u200d👩\u200d👧"
SCRIPTS = f"```\n{FAMILY} e\u0301 中文 שלום\n```"


def test_scripts_of_all_kinds_keep_their_sections(project: Project) -> None:  # parse-38
    project.write("docs/a.md", f"# Page\n\n{SCRIPTS}\n\n## 🎉🎉\n\nwalrus שלום עולם\n\n## 中文\n\n决定 walrus\n")
    project.reconcile()

    page = document(project, "docs/a.md")
    assert page.headings == ("🎉🎉", "中文")
    assert SCRIPTS in page.text
    hits = {hit["title"]: hit for hit in project.answer("search", {"query": "walrus"})["hits"]}
    assert (hits["🎉🎉"]["line"], hits["🎉🎉"]["end_line"], hits["🎉🎉"]["snippet"]) == (7, 9, "walrus שלום עולם")
    assert hits["中文"]["snippet"] == "决定 walrus"


@pytest.mark.parametrize("sign", ["e\u0301", "👍🏽", FAMILY, "é", "नि", "中"])  # parse-38
@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "abcd", "abcde", "abcdef"])
def test_a_passage_that_is_cut_ends_between_two_signs(sign: str, before: str) -> None:
    passage = snippet(before + sign * MOST_CHARACTERS, [])

    shown = passage.removesuffix("…").rstrip()
    assert 0 < len(passage) <= MOST_CHARACTERS
    assert shown == before + sign * shown.count(sign)
    assert len(shown) > MOST_CHARACTERS - 20


def test_a_blank_near_the_beginning_does_not_cost_the_rest_of_a_chinese_passage() -> None:  # parse-38
    assert len(snippet("使用 Redis " + "决定" * MOST_CHARACTERS, [])) == MOST_CHARACTERS
