from __future__ import annotations

import os
from pathlib import Path

import pytest

from indexer import reading
from indexer.reading import look, read


def reason(root: Path, name: str, content: bytes) -> str | None:
    (root / name).write_bytes(content)
    return read(root, name).skip


def test_a_byte_order_mark_and_windows_line_ends_are_harmless(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf# Title\r\n\r\ntext\r")
    assert read(tmp_path, "a.md").text == "# Title\n\ntext\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_with_a_mark_is_read(tmp_path: Path, encoding: str) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    (tmp_path / "a.md").write_bytes(mark + "# Schlüssel".encode(encoding))
    assert read(tmp_path, "a.md").text == "# Schlüssel"


def test_text_that_is_not_utf_8_is_read_as_windows_1252_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("# Ort\n\nMüller".encode("cp1252"))
    found = read(tmp_path, "a.md")
    assert found.text == "# Ort\n\nMüller"
    assert [problem.line for problem in found.problems] == [3]


def test_binary_empty_and_missing_files_have_reasons(tmp_path: Path) -> None:
    assert reason(tmp_path, "picture.md", b"\x89PNG\r\n\x1a\n\0\0\0") == reading.BINARY
    assert reason(tmp_path, "blank.md", b" \n\n") == reading.EMPTY
    assert read(tmp_path, "gone.md").skip == reading.UNREADABLE


def test_a_file_that_grew_beyond_the_limit_is_not_kept(tmp_path: Path) -> None:
    assert reason(tmp_path, "big.md", b"x" * (reading.MAX_BYTES + 1)) == reading.TOO_LARGE


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (".env", reading.SECRET), (".env.local", reading.SECRET), ("server.pem", reading.SECRET),
        ("id_rsa", reading.SECRET), ("notes.md", None), (".env.example", None), ("credentials.md", None),
        ("app.min.js", reading.MINIFIED), ("sign_rsa.md", None),
    ],
)  # fmt: skip
def test_names_alone_tell_secrets_and_minified_code(tmp_path: Path, name: str, expected: str | None) -> None:
    (tmp_path / name).write_text("x", encoding="utf-8")
    assert look(name, (tmp_path / name).lstat(), claimed=True).skip == expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_and_a_link_are_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "notes.md")
    (tmp_path / "link.md").symlink_to(tmp_path / "notes.md")
    assert look("notes.md", (tmp_path / "notes.md").lstat(), claimed=True).skip == reading.NOT_REGULAR
    assert look("link.md", (tmp_path / "link.md").lstat(), claimed=True).skip == reading.LINK
    assert read(tmp_path, "notes.md").skip == reading.NOT_REGULAR
    assert read(tmp_path, "link.md").skip == reading.UNREADABLE
