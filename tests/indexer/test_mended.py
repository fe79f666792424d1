"""Defects that were found by trying to break the product; each stays mended."""

from __future__ import annotations

import gc
import os
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from indexer import db, local
from indexer.answers import Health, state
from indexer.errors import BadInput, Unavailable
from indexer.fulltext import FullText
from indexer.index import Index
from indexer.writer import Writer
from scanners.model import Document
from scanners.registry import scan
from tests.project import CLEAN, Project, adr


def test_a_rebuild_that_died_is_done_again_by_the_next_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with Index(tmp_path / "home", write=True) as index:
        project = Project(folder, index)
        project.write("a.md", "# A\n\nwalrus\n")
        project.reconcile()
        with monkeypatch.context() as dying:
            dying.setattr(FullText, "write", die)
            with pytest.raises(KeyboardInterrupt):
                index.rebuild_fulltext()
        assert project.verify()["stale"] == ["shop:a.md"]
    with Index(tmp_path / "home", write=True) as index:
        assert Project(folder, index).verify() == CLEAN


def test_a_root_whose_removal_died_is_gone_all_the_same(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("a.md", "# A\n\nwalrus\n")
    project.reconcile()

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(FullText, "drop_root", die)
    with pytest.raises(KeyboardInterrupt):
        project.answer("roots-remove", {"roots": ["shop"]})
    assert project.writer.roots() == []


def test_a_thread_that_ends_takes_its_connection_along(project: Project) -> None:
    project.write("a.md", "# A\n\nwalrus\n")
    project.reconcile()
    for _ in range(20):
        thread = threading.Thread(target=lambda: project.answer("search", {"query": "walrus"}))
        thread.start()
        thread.join()
    gc.collect()
    assert len(project.index._readers) <= 1


@pytest.mark.parametrize("content", ['exclude = ["!"]', 'include = ["[z-a]"]', "a = " + "[" * 5_000, "\x00"])
def test_a_hostile_configuration_of_a_root_is_a_problem_of_that_root(project: Project, content: str) -> None:
    project.write("a.md", "# A\n\nwalrus\n")
    project.write(".lorewatch.toml", content)
    project.reconcile()
    assert project.paths("walrus")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("path", [".lorewatch.toml", ".git/HEAD", ".gitignore", ".adr-dir"])
def test_a_pipe_in_the_place_of_a_file_that_is_read_by_name_stops_nothing(project: Project, path: str) -> None:
    project.write("a.md", "# A\n\nwalrus\n")
    (project.folder / path).parent.mkdir(exist_ok=True)
    os.mkfifo(project.folder / path)
    project.reconcile()
    assert project.paths("walrus")


def test_a_git_file_that_names_no_path_costs_the_branch_only(project: Project) -> None:
    project.write("a.md", "# A\n\nwalrus\n")
    project.write(".git", b"gitdir: a\0b\n")
    project.reconcile()
    assert project.answer("roots", {})["roots"][0]["branch"] is None


def test_a_link_in_the_place_of_a_folder_is_not_followed(project: Project, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "s.md").write_text("# S\n\nchinchilla\n", encoding="utf-8")
    project.write("lnk/s.md", "# S\n\nwalrus\n")
    project.reconcile()
    (project.folder / "lnk").rename(project.folder / "lnk2")
    (project.folder / "lnk").symlink_to(outside)
    project.writer.refresh(project.writer.roots()[0], {"lnk", "lnk/s.md", "lnk2"})
    assert project.paths("chinchilla") == []
    project.reconcile()
    assert project.verify() == CLEAN


def test_a_moment_that_no_calendar_holds_is_refused_before_anything_is_written(project: Project) -> None:
    project.write("a.md", "# A\n")
    project.reconcile()
    for moment in ("9999-12-31T23:59:59-12:00", "0001-01-01T00:00+14:00"):
        with pytest.raises(BadInput, match="too far away"):
            project.answer("decay", {"at": moment})
    assert project.answer("status", {})["last_decay"] is None


def test_a_long_decision_log_is_read_in_the_time_of_its_length() -> None:
    text = "# Decision log\n\n" + "".join(f"## 2020-01-01 a{number}\n\nb\n\n" for number in range(6_000))
    started = time.process_time()
    scan(Document("docs/decision-log.md", text))
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        ("search", {"query": "a", "limit": "x"}),
        ("search", {"query": "a", "near": 5}),
        ("search", {"query": "a", "root": 5}),
        ("related", {"target": "\ud800"}),
        ("scan", {"roots": "/tmp"}),
        ("scan", {"roots": [5]}),
        ("scan", {"roots": ["\x00"]}),
        ("scan", {"roots": ["~nouser/x"]}),
        ("roots-remove", {"roots": ["\x00"]}),
        ("decay", {"at": 5}),
        ("decay", {"undo": 10**30}),
    ],
)
def test_arguments_of_the_wrong_shape_are_bad_input(project: Project, verb: str, arguments: dict[str, object]) -> None:
    project.write("a.md", "# A\n")
    project.reconcile()
    with pytest.raises(BadInput):
        project.answer(verb, arguments)


def test_a_damaged_database_is_set_aside_by_rebuild_and_its_roots_are_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, folder = tmp_path / "home", tmp_path / "shop"
    monkeypatch.setenv("LOREWATCH_HOME", str(home))
    folder.mkdir()
    with Index(home, write=True) as index:
        project = Project(folder, index)
        for number in range(200):
            project.write(f"docs/adr/{number:04}-a.md", adr(number, f"Walrus {number}"))
        project.reconcile()
    file = home / db.FILE
    content = bytearray(file.read_bytes())
    content[40_960 : len(content) - 4_096] = os.urandom(len(content) - 45_056)
    file.write_bytes(content)
    assert db.damaged(home)
    local.answer("rebuild", {}, lambda *_: None)
    assert not db.damaged(home)
    assert (home / f"{db.FILE}.damaged").exists()


def test_an_index_that_cannot_be_searched_is_not_ready(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    with Index(tmp_path / "home", write=True) as index:
        Project(folder, index).reconcile()
    next((tmp_path / "home" / "fulltext").glob("*.toc")).write_bytes(b"damaged")
    with Index(tmp_path / "home", write=False) as index:
        assert state(index, Health())["state"] == "degraded"


def test_a_folder_that_holds_other_things_is_not_made_our_own(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"x")
    tmp_path.chmod(0o755)
    with pytest.raises(Unavailable, match="holds other things"):
        Index(tmp_path, write=True)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_hash_in_a_file_name_does_not_make_it_another_entry(project: Project) -> None:
    project.write("cls/a.py", "class Foo:\n    def md(self):\n        pass\n")
    project.write("cls/a.py#Foo.md", "# Other\n\nwalrus\n")
    project.reconcile()
    ids = [one["id"] for one in project.answer("entries", {})["entries"]]
    assert len(ids) == len(set(ids))
    assert "shop:cls/a.py#Foo.md" in ids
    assert "shop:cls/a.py%23Foo.md" in ids


def test_a_root_inside_another_has_its_files_to_itself(project: Project) -> None:
    project.write("inner/a.md", "# A\n\nwalrus\n")
    project.writer.add_root(project.folder / "inner")
    project.reconcile()
    project.writer.reconcile(project.writer.root("inner"))
    hits = project.answer("search", {"query": "walrus"})["hits"]
    assert {hit["root"] for hit in hits} == {"inner"}


def test_the_writer_is_the_only_one_who_opens_for_writing(project: Project) -> None:
    assert isinstance(project.writer, Writer)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        project.index.reader().execute("DELETE FROM roots")
