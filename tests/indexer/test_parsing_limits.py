"""Troubles that other tools had with texts too large for their memory: cut, bounded or not read at all."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer import catalog, ingest, reading
from indexer.index import Batch, Index
from scanners.sections import MAX_CHARACTERS
from tests.project import CLEAN, Project

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
MB = 1_000_000


def good_files(project: Project, count: int, word: str) -> None:
    for number in range(count):
        project.write(f"docs/good{number}.md", f"# Good {number}\n\n## Part\n\nThe {word} is here.\n")


def found(project: Project, word: str) -> int:
    return len(set(project.paths(word, limit=100)))


def skipped(project: Project) -> dict[str, int]:
    root = project.writer.roots()[0]
    return dict(ingest.skipped(project.index.reader(), root.id))


def noise(size: int, seed: int) -> str:
    return "".join(random.Random(seed).choices(BASE64, k=size))


def peak(work: Callable[[], object]) -> int:
    """The most bytes that `work` held at a time, beyond what was held before."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("sign", ["x", "aB3", "中"], ids=["one-letter", "camel", "chinese"])  # parse-24
def test_a_line_without_blanks_gives_no_large_part_and_takes_no_large_memory(project: Project, sign: str) -> None:
    line = (sign * 200_000)[:200_000]
    project.write("docs/line.md", f"# Line\n\n{line}\n")
    project.write("docs/line.json", f'"{line}"')
    good_files(project, 30, "walrus")

    assert peak(project.reconcile) < 50 * MB  # the limit for 2 MB is 500 MB
    assert found(project, "walrus") == 30
    rows = catalog.stored(project.index.reader(), "WHERE e.anchor IS NOT NULL", ())
    assert all(len(one.entry.text) <= MAX_CHARACTERS for one in rows)
    assert skipped(project) == {reading.UNCLAIMED: 1}


@pytest.mark.parametrize(
    ("pictures", "notes", "rebuilds"), [(1, 20, 1), pytest.param(11, 500, 5, marks=pytest.mark.slow)]
)  # parse-26
def test_pictures_written_out_as_text_do_not_pile_up_in_memory(
    tmp_path: Path, pictures: int, notes: int, rebuilds: int
) -> None:
    def most(name: str, pictures: int) -> int:
        (tmp_path / name).mkdir()
        with Index(tmp_path / f"home-{name}", write=True) as index:
            project = Project(tmp_path / name, index)
            good_files(project, notes, "walrus")
            for number in range(pictures):
                text = f"# Picture {number}\n\n```\n{noise(24_000, number)}\n```\n\nA pelican.\n"
                project.write(f"docs/picture{number}.md", text)

            def rebuild_often() -> None:
                project.reconcile()
                for _ in range(rebuilds):
                    project.writer.answer("rebuild", {})

            held = peak(rebuild_often)
            assert found(project, "pelican") == pictures
            return held

    assert most("with", pictures) - most("without", 0) < 10 * MB * pictures


def change_log(size: int, seed: int) -> str:
    chance = random.Random(seed)
    lines = []
    while size > 0:
        lines.append(f"walrus {chance.randrange(1_000)} has changed for the reason {chance.randrange(1_000)}\n")
        size -= len(lines[-1])
    return "".join(lines)


def most_for_logs(folder: Path, files: int, size: int) -> int:
    folder.mkdir()
    with Index(folder.with_name(f"home-{folder.name}"), write=True) as index:
        project = Project(folder, index)
        for number in range(files):
            project.write(f"docs/changes{number}.md", change_log(size, number))
        held = peak(project.reconcile)
        assert project.verify() == CLEAN
        return held


def test_a_batch_is_written_before_it_holds_much_text(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "COMMIT_BYTES", 15_000)
    for number in range(20):
        project.write(f"docs/changes{number}.md", change_log(8_000, number))
    batches, commit = [], project.index.commit

    def count(batch: Batch) -> None:
        batches.append(len(batch.files()))
        commit(batch)

    monkeypatch.setattr(project.index, "commit", count)
    project.reconcile()

    assert batches == [2] * 10  # parse-30
    assert project.verify() == CLEAN


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_files_of_a_megabyte(tmp_path: Path) -> None:  # parse-30
    few, many = most_for_logs(tmp_path / "few", 5, 1_000_000), most_for_logs(tmp_path / "many", 20, 1_000_000)

    assert many - few < 50 * MB


def test_change_logs_of_ten_megabytes_are_not_even_read(project: Project) -> None:  # parse-30
    for number in range(20):
        with (project.folder / f"changes{number}.md").open("wb") as file:
            file.truncate(10 * MB)

    assert peak(project.reconcile) < 5 * MB
    assert skipped(project) == {reading.TOO_LARGE: 20}
