"""The pipeline on a real folder: what is read, skipped, forgotten and read again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from indexer import catalog, reading
from indexer.index import Index
from indexer.ingest import Tree
from tests.project import CLEAN, Project, adr


def skips(project: Project) -> dict[str, str]:
    root = project.writer.roots()[0]
    known = catalog.known_files(project.index.reader(), root.id)
    return {path: one.skip for path, one in known.items() if one.skip}


def test_every_file_is_indexed_or_has_a_reason(project: Project) -> None:
    project.write("docs/adr/0001-queues.md", adr(1, "Use queues"))
    project.write("empty.md", "")
    project.write("huge.md", b"# x\n" + b"word " * 10_000_000)
    project.write("picture.md", b"\x89PNG\r\n\x1a\n\0\0")
    project.write("logo.png", b"\x89PNG")
    project.write(".env", "TOKEN=zebra\n")
    (project.folder / "link.md").symlink_to("docs/adr/0001-queues.md")
    project.reconcile()
    assert skips(project) == {
        "empty.md": reading.EMPTY,
        "huge.md": reading.TOO_LARGE,
        "picture.md": reading.BINARY,
        "logo.png": reading.UNCLAIMED,
        ".env": reading.SECRET,
        "link.md": reading.LINK,
    }
    assert project.paths("queues") == ["docs/adr/0001-queues.md"] * len(project.paths("queues"))
    assert project.paths("zebra") == []
    assert project.verify() == CLEAN


def test_an_edit_is_found_and_the_old_text_is_not(project: Project) -> None:
    project.write("docs/adr/0001-store.md", adr(1, "Choose a store", "We use cassandra."))
    project.reconcile()
    assert project.paths("cassandra")
    project.write("docs/adr/0001-store.md", adr(1, "Choose a store", "We use postgres."))
    project.reconcile()
    assert project.paths("cassandra") == []
    assert project.paths("postgres")
    assert project.verify() == CLEAN


def test_the_same_length_and_time_stamp_do_not_hide_an_edit_from_a_thorough_look(project: Project) -> None:
    file = project.write("notes.md", "# Notes\n\nalpaca here\n")
    project.reconcile()
    stamp = file.stat().st_mtime_ns
    project.write("notes.md", "# Notes\n\nbuffalo he\n")
    os.utime(file, ns=(stamp, stamp))
    assert project.verify()["stale"] == ["shop:notes.md"]
    project.writer.reconcile(project.writer.roots()[0], thorough=True)
    assert project.paths("buffalo")
    assert project.verify() == CLEAN


def test_a_deleted_folder_takes_its_records_along(project: Project) -> None:
    for number in range(3):
        project.write(f"docs/adr/{number:04}-x.md", adr(number, "Some giraffe"))
    project.write("README.md", "# Shop\n\nSells things.\n")
    project.reconcile()
    shutil.rmtree(project.folder / "docs")
    project.writer.refresh(project.writer.roots()[0], {"docs"})
    assert project.paths("giraffe") == []
    assert project.paths("shop") == ["README.md"]
    assert project.verify() == CLEAN


def test_a_renamed_folder_is_found_under_its_new_name_only(project: Project) -> None:
    project.write("docs/old/a.md", "# A\n\nwalrus\n")
    project.reconcile()
    (project.folder / "docs/old").rename(project.folder / "docs/new")
    project.writer.refresh(project.writer.roots()[0], {"docs/old", "docs/new"})
    assert set(project.paths("walrus")) == {"docs/new/a.md"}
    assert project.verify() == CLEAN


def test_a_new_ignore_rule_takes_files_out_and_its_removal_brings_them_back(project: Project) -> None:
    project.write("docs/a.md", "# A\n\nwalrus\n")
    project.reconcile()
    project.write(".gitignore", "docs/\n")
    project.reconcile()
    assert project.paths("walrus") == []
    (project.folder / ".gitignore").unlink()
    project.reconcile()
    assert project.paths("walrus")


def test_a_root_that_is_not_there_keeps_its_entries_and_is_not_answered_from(project: Project) -> None:
    project.write("docs/a.md", "# A\n\nwalrus\n")
    project.reconcile()
    project.folder.rename(project.folder.with_name("elsewhere"))
    project.writer.reconcile(project.writer.roots()[0])
    answer = project.answer("search", {"query": "walrus"})
    assert (answer["state"], answer["hits"]) == ("degraded", [])
    project.folder.with_name("elsewhere").rename(project.folder)
    project.writer.reconcile(project.writer.roots()[0])
    assert project.paths("walrus") == ["docs/a.md"] * len(project.paths("walrus"))
    assert project.answer("status", {})["state"] == "ready"


def test_a_hit_whose_file_changed_since_is_marked_and_one_that_is_gone_is_not_returned(project: Project) -> None:
    file = project.write("docs/a.md", "# A\n\nwalrus one\n")
    project.write("docs/b.md", "# B\n\nwalrus two\n")
    project.reconcile()
    file.write_text("# A\n\nwalrus changed\n", encoding="utf-8")
    (project.folder / "docs/b.md").unlink()
    hits = project.answer("search", {"query": "walrus"})["hits"]
    assert {(hit["path"], hit["stale"]) for hit in hits} == {("docs/a.md", True)}


def test_a_crash_between_full_text_and_catalog_is_healed_by_the_next_reconcile(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project.write("docs/a.md", "# A\n\nwalrus\n")
    project.reconcile()
    before = file.read_bytes()
    file.write_text("# A\n\npelican\n", encoding="utf-8")

    def die(*_: object) -> None:
        message = "power cut"
        raise RuntimeError(message)

    with monkeypatch.context() as broken:
        broken.setattr(catalog, "put_result", die)
        with pytest.raises(RuntimeError):
            project.reconcile()
    assert project.answer("status", {})["state"] == "catching_up"
    file.write_bytes(before)
    project.reconcile()
    assert project.paths("walrus")
    assert project.paths("pelican") == []
    assert project.answer("status", {})["state"] == "ready"
    assert project.verify() == CLEAN


@pytest.mark.parametrize("damage", ["flip", "empty", "remove", "extra", "list"])
def test_a_damaged_full_text_index_is_set_aside_and_written_anew(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    with Index(tmp_path / "home", write=True) as index:
        project = Project(folder, index)
        project.write("docs/a.md", "# A\n\nwalrus\n")
        project.reconcile()
    files = sorted((tmp_path / "home" / "fulltext").glob("*.seg"))
    content = bytearray(files[0].read_bytes())
    if damage == "flip":
        content[len(content) // 2] ^= 1
        files[0].write_bytes(content)
    elif damage == "empty":
        files[0].write_bytes(b"")
    elif damage == "remove":
        files[0].unlink()
    elif damage == "extra":
        (files[0].parent / "_MAIN_999.toc").write_bytes(b"cos\nsystem\n(S'touch /tmp/owned'\ntR.")
    else:
        (files[0].parent / "checksums.json").write_text("{}", encoding="utf-8")
    with Index(tmp_path / "home", write=True) as index:
        assert Project(folder, index).paths("walrus")
        assert Project(folder, index).verify() == CLEAN


def test_a_broken_configuration_of_a_root_costs_that_configuration_only(project: Project) -> None:
    project.write("docs/a.md", "# A\n\nwalrus\n")
    project.write(".lorewatch.toml", "port = 1\n")
    project.reconcile()
    root = project.writer.roots()[0]
    assert "not a setting here" in Tree(root, project.writer._config).problems[0].message
    assert project.paths("walrus")


def test_a_glob_of_the_user_says_what_kind_a_document_is(project: Project) -> None:
    project.write("choices/walrus.md", "# Keep the walrus\n\nIt is kind.\n")
    project.write(".lorewatch.toml", '[kinds]\nadr = ["choices/*.md"]\n')
    project.reconcile()
    assert {hit["kind"] for hit in project.answer("search", {"query": "walrus"})["hits"]} == {"adr"}


def test_file_names_that_are_not_utf_8_do_not_stop_a_scan(project: Project) -> None:
    project.write("docs/a.md", "# A\n\nwalrus\n")
    try:
        (project.folder / os.fsdecode(b"bad-\xff.md")).write_text("# B\n", encoding="utf-8")
    except OSError:
        pytest.skip("this file system knows UTF-8 names only")
    project.reconcile()
    assert project.paths("walrus")
    assert project.verify() == CLEAN
