"""What holds for every text that a scanner of written documents can be given."""

from __future__ import annotations

import random
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanners import registry
from scanners.model import EDGE_KINDS, ENTITY_KINDS, KINDS, STATUSES, Document, ScanResult
from scanners.page import normal

CORPUS = Path(__file__).parents[3] / "shared/corpus/formats/files.tar.gz"
PATHS = (
    "docs/adr/0012-x.md",
    "docs/decisions/x.rst",
    "ADR-3-x.adoc",
    "bip-0001.mediawiki",
    "memory-bank/decisionLog.md",
    "CLAUDE.md",
    ".cursor/rules/a.mdc",
    "docs/a.mdx",
    "notes.txt",
    "docs/adr/README.md",
)
PIECES = st.sampled_from(
    [
        "# ", "## Status", "\n\n", "\n", "---\n", "+++\n", "status: ", "Accepted", "Superseded by ",
        "[ADR 3](0003-x.md)", "| a | b |\n|---|---|\n", "```\n", "~~~\n", "<!--", "-->", "* Date: 2024-01-02",
        "=====\n",
        "****\n", ".. list-table::\n", "   * - Status\n     - Final\n", "+---+---+\n| a | b |\n", "|===\n",
        ":Status: Draft\n", "<pre>\n", "`a/b.py`", "ADR-0007", "[2024-01-02 03:04:05] - did it", "\t", "    code",
        "> quote ", "- [x] done", "é", "决策", "\x00", "\ufeff", "\r\n", "{", "}",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=400), st.lists(PIECES, max_size=40).map("".join))


def scan(path: str, text: str) -> ScanResult:
    return registry.scan(Document(path, text))


def corpus() -> Iterator[tuple[str, str]]:
    """The real files of the format corpus, where it lies beside the repository."""
    if not CORPUS.exists():
        pytest.skip("the format corpus is not here")
    with tarfile.open(CORPUS) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content:
                yield member.name.split("/", 2)[2], content.read().decode("utf-8", "replace")


def assert_sound(path: str, text: str, result: ScanResult) -> None:
    """The promises that the index relies on."""
    assert not [problem for problem in result.problems if "scanner failed" in problem.message]
    lines = normal(text).split("\n")
    anchors = [entry.anchor for entry in result.entries]
    assert len(anchors) == len(set(anchors))
    assert anchors[0] is None
    for entry in result.entries:
        assert entry.kind in KINDS
        assert entry.status in {None, *STATUSES}
        assert 1 <= entry.line <= max(entry.end_line, 1) <= len(lines)
        assert entry.title
        assert entry.text in "\n".join(lines[entry.line - 1 : entry.end_line]) or entry.anchor is None
    for edge in result.edges:
        assert edge.kind in EDGE_KINDS
        assert edge.anchor in anchors
        assert edge.target.kind in ENTITY_KINDS
        assert 1 <= edge.line <= len(lines)
        assert not edge.target.name.startswith(("/", "../")) or not edge.target.exact
    assert path


@settings(max_examples=300, deadline=None)
@given(path=st.sampled_from(PATHS), text=TEXTS)
def test_any_text_gives_a_sound_result(path: str, text: str) -> None:
    assert_sound(path, text, scan(path, text))


@settings(max_examples=150, deadline=None)
@given(path=st.sampled_from(PATHS), text=TEXTS)
def test_the_same_text_gives_the_same_result(path: str, text: str) -> None:
    assert scan(path, text) == scan(path, text)


@settings(max_examples=100, deadline=None)
@given(text=st.lists(PIECES, max_size=40).map("".join))
def test_windows_line_ends_change_nothing(text: str) -> None:
    text = text.replace("\r\n", "\n")

    assert scan(PATHS[0], text.replace("\n", "\r\n")) == scan(PATHS[0], text)


def test_every_file_of_the_corpus_gives_a_sound_result() -> None:
    for path, text in corpus():
        assert_sound(path, text, scan(path, text))


def test_the_parts_of_every_file_of_the_corpus_are_its_text() -> None:
    for path, text in corpus():
        lines = normal(text).split("\n")
        result = scan(path, text)
        parts = [entry for entry in result.entries[1:] if not entry.anchor or "row" not in entry.anchor]
        covered = {number for entry in parts for number in range(entry.line, entry.end_line + 1)}
        first = min(covered, default=len(lines) + 1)
        left_out = [
            lines[number - 1]
            for number in range(first, len(lines) + 1)
            if number not in covered and lines[number - 1].strip()
        ]
        headings = [heading for entry in result.entries[:1] for heading in entry.headings]
        assert result.entries[0].text == "\n".join(lines)
        assert len(left_out) <= 2 * len(headings), (path, left_out[:3])


HOSTILE = {
    "braces": "}{" * 500_000,
    "brackets": "[" * 50_000,
    "link openers": "[a](" * 200_000,
    "quotes in one line": "> " * 20_000,
    "nested quotes": ("> " * 300 + "\n") * 1_500,
    "nested lists": "".join(" " * (2 * depth) + "- a\n" for depth in range(900)),
    "one long line": "x" * 2_000_000,
    "ticks": "".join("`" * (number + 1) + " " for number in range(1_400)),
    "comments": "a <!--" * 150_000,
    "cells": "|a" * 250_000 + "\n" + "|-" * 250_000,
    "dashes": "-" * 1_000_000 + "x",
    "underscores": "# " + "_" * 900_000 + "a",
    "yaml": "---\na: " + "{a: " * 15_000 + "\n---\n",
    "aliases": "---\na: &a [x]\n" + "".join(f"k{n}: *a\n" for n in range(5_000)) + "---\n",
    "verbs": "## Status\n\n" + "superseded by " * 60_000,
    "slashes": "a/" * 500_000,
    "numbers": "Date: " + "1/" * 400_000,
    "people": "Deciders: " + "a." * 400_000,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("path", [PATHS[0], PATHS[1], PATHS[2]])
def test_hostile_text_is_scanned_in_the_time_of_its_size(name: str, path: str) -> None:
    started = time.process_time()
    result = scan(path, HOSTILE[name])

    assert time.process_time() - started < 2
    assert len(result.entries[0].text) == len(HOSTILE[name])


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_no_mutation_of_a_real_file_raises_or_takes_long() -> None:
    dice = random.Random(7)
    files = list(corpus())
    for _ in range(100_000):
        path, text = dice.choice(files)
        content = bytearray(text.encode()[:60_000])
        for _ in range(dice.randint(1, 12)):
            at = dice.randrange(len(content) + 1)
            cut = dice.randrange(1, 40)
            content[at : at + dice.choice((0, 1, cut))] = dice.choice(
                (b"", bytes([dice.randrange(256)]), content[:cut])
            )
        mutated = bytes(content).decode("utf-8", "replace")
        started = time.process_time()
        result = scan(path, mutated)
        assert time.process_time() - started < 2, path
        assert not [problem for problem in result.problems if "scanner failed" in problem.message], path
