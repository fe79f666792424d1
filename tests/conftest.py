"""Fixtures that tests of several packages share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.index import Index
from tests.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    folder = tmp_path / "shop"
    folder.mkdir()
    with Index(tmp_path / "home", write=True) as index:
        yield Project(folder, index)


@pytest.fixture(scope="session")
def update_expected() -> bool:
    """Whether expectations that are kept in files are written anew: `UPDATE_EXPECTED=1`."""
    return os.environ.get("UPDATE_EXPECTED") == "1"
