"""The installed program from outside: arguments in; stdout, stderr and exit status out."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.project import adr


class Program:
    """`lorewatch` with a data folder of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = {**os.environ, "LOREWATCH_HOME": str(home)}

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "mcp_bridge", *arguments], capture_output=True, text=True, check=False, timeout=60,
            encoding="utf-8", env=self.environment, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def json(self, *arguments: str) -> dict[str, object]:
        value: dict[str, object] = json.loads(self(*arguments, "--json").stdout)
        return value


@pytest.fixture
def lorewatch(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "docs/adr").mkdir(parents=True)
    (folder / "docs/adr/0001-use-walruses.md").write_text(adr(1, "Use walruses"), encoding="utf-8")
    return folder


def test_scan_search_read_related_and_verify_without_a_daemon(lorewatch: Program, shop: Path) -> None:
    scanned = lorewatch.json("scan", str(shop))["roots"]
    assert isinstance(scanned, list)
    assert {"root", "files", "entries", "symbols", "edges", "skipped", "problems", "seconds"} <= set(scanned[0])
    found = lorewatch.json("search", "walruses")
    keys = {"query", "state", "as_of", "pending", "no_good_match", "hits", "took_ms"}
    assert keys <= set(found)
    hits = found["hits"]
    assert isinstance(hits, list)
    assert hits[0]["id"] == "shop:docs/adr/0001-use-walruses.md"
    assert "Use walruses" in lorewatch("read", hits[0]["id"]).stdout
    assert "a rule" not in lorewatch("related", "docs/adr/0001-use-walruses.md").stdout
    assert lorewatch.json("verify") == {"ghosts": [], "missing": [], "stale": []}
    assert lorewatch.json("status")["state"] == "ready"


def test_entries_are_one_json_object_a_line_and_a_table_for_people(lorewatch: Program, shop: Path) -> None:
    lorewatch("scan", str(shop))
    lines = [json.loads(line) for line in lorewatch("entries", "--kind", "adr", "--json").stdout.splitlines()]
    assert [(line["number"], line["title"], line["status"]) for line in lines if line["anchor"] is None] == [
        (1, "Use walruses", "accepted")
    ]
    assert "Use walruses  accepted" in lorewatch("entries", "--kind", "adr").stdout


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["scan", "/does/not/exist"], 2, "does not exist"),
        (["scan", __file__], 2, "is a file"),
        (["scan"], 2, "Missing argument"),
        (["search", ""], 2, "the query is empty"),
        (["search", "--limit", "0", "x"], 2, "--limit"),
        (["nonsense"], 2, "No such command"),
        (["read", "shop:nope"], 1, "no entry has the id"),
        (["search", "x", "--root", "nope"], 1, "no root is named"),
        (["decay", "--at", "tomorrow"], 2, "ISO date"),
        (["decay", "--undo", "7"], 1, "no decay run 7"),
        (["install", "--client", "nope"], 2, "nope"),
    ],
)
def test_bad_input_is_one_line_and_an_exit_status(
    lorewatch: Program, shop: Path, arguments: Sequence[str], status: int, said: str
) -> None:
    lorewatch("scan", str(shop))
    done = lorewatch(*arguments)
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_before_the_first_scan_a_question_is_answered_with_what_to_do(lorewatch: Program) -> None:
    done = lorewatch("search", "x")
    assert (done.returncode, done.stdout) == (3, "")
    assert "run `lorewatch scan PATH`" in done.stderr


def test_nothing_found_is_exit_status_one(lorewatch: Program, shop: Path) -> None:
    lorewatch("scan", str(shop))
    done = lorewatch("search", "quaternion")
    assert done.returncode == 1
    assert "no good match" in done.stdout


def test_a_data_folder_of_a_newer_version_is_refused_and_left_alone(lorewatch: Program, shop: Path) -> None:
    lorewatch("scan", str(shop))
    with sqlite3.connect(lorewatch.home / "lorewatch.sqlite") as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    for arguments in (["search", "walruses"], ["scan", str(shop)], ["rebuild"]):
        done = lorewatch(*arguments)
        assert (done.returncode, len(done.stderr.splitlines())) == (3, 1)
        assert "newer lorewatch" in done.stderr


def test_a_broken_configuration_names_key_and_line(lorewatch: Program, shop: Path) -> None:
    lorewatch.home.mkdir()
    (lorewatch.home / "lorewatch.toml").write_text("port = 7420\nprot = 1\n", encoding="utf-8")
    done = lorewatch("scan", str(shop))
    assert done.returncode == 2
    assert "line 2: prot" in done.stderr


def test_a_data_folder_inside_a_root_is_refused(tmp_path: Path, shop: Path) -> None:
    done = Program(shop / "data")("scan", str(shop))
    assert done.returncode == 2
    assert "data folder" in done.stderr
    assert tmp_path.exists()


def test_a_scan_writes_nothing_into_the_root(lorewatch: Program, shop: Path) -> None:
    def state() -> list[tuple[str, int, int]]:
        return [(str(p), p.lstat().st_mtime_ns, p.lstat().st_size) for p in sorted(shop.rglob("*"))]

    before = state()
    lorewatch("scan", str(shop))
    lorewatch("search", "walruses")
    assert state() == before


def test_the_doctor_proves_the_whole_path(lorewatch: Program) -> None:
    done = lorewatch("doctor")
    assert done.returncode == 0, done.stdout + done.stderr
