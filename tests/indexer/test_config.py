from __future__ import annotations

from pathlib import Path

import pytest

from indexer import config
from indexer.errors import ConfigError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOREWATCH_HOME", str(tmp_path))
    return tmp_path


def configure(home: Path, text: str) -> None:
    (home / config.FILE).write_text(text, encoding="utf-8")


def test_without_a_file_the_defaults_hold(home: Path) -> None:
    settings = config.load()
    assert settings.home == home
    assert settings.port == 7420
    assert settings.decay_schedule == "30 3 * * *"


def test_every_key_is_read(home: Path) -> None:
    configure(
        home,
        'roots = ["~/src"]\ninclude = ["docs/**"]\nexclude = ["old/"]\nport = 0\nsettle = 0.1\nlongest_wait = 2\n'
        'reconcile_every = 60\n[half_life]\nadr = 10\n[decay]\nschedule = "off"\n',
    )
    settings = config.load()
    assert settings.roots == (Path.home() / "src",)
    assert (settings.include, settings.exclude, settings.port) == (("docs/**",), ("old/",), 0)
    assert (settings.settle, settings.longest_wait, settings.reconcile_every) == (0.1, 2, 60)
    assert settings.half_lives.seconds("adr") == 10 * 86_400
    assert settings.half_lives.seconds("doc") == 180 * 86_400
    assert settings.decay_schedule is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port = 1\n\nprot = 7\n", r"line 3: prot is not a setting here; known are .*port"),
        ('port = "many"\n', r"line 1: port must be a port number"),
        ("port = true\n", r"line 1: port must be"),
        ('exclude = "docs"\n', r"line 1: exclude must be a list of globs"),
        ("settle = 1\n[half_life]\nnonsense = 3\n", r"line 2: half_life must be a table"),
        ('[decay]\nschedule = "daily"\n', r"line 1: decay must be a table"),
        ("port = \n", r"not valid TOML.*line 1"),
    ],
)
def test_a_wrong_setting_is_named_with_key_and_line(home: Path, text: str, expected: str) -> None:
    configure(home, text)
    with pytest.raises(ConfigError, match=expected):
        config.load()


def test_a_file_that_is_not_utf_8_is_a_clear_error(home: Path) -> None:
    (home / config.FILE).write_bytes(b'roots = ["M\xfcller"]\n')
    with pytest.raises(ConfigError, match="mend or remove it"):
        config.load()


def test_kinds_are_read_as_globs_of_a_kind_and_an_unknown_kind_is_named(home: Path, tmp_path: Path) -> None:
    configure(home, '[kinds]\nadr = ["notes/*.md"]\n')
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / config.ROOT_FILE).write_text('[kinds]\nrfc = ["papers/*.md"]\n', encoding="utf-8")
    assert config.load().for_root(tmp_path / "root").kinds == (("papers/*.md", "rfc"), ("notes/*.md", "adr"))
    configure(home, '[kinds]\nnovel = ["notes/*.md"]\n')
    with pytest.raises(ConfigError, match="line 1: kinds must be a table"):
        config.load()


def test_a_root_may_say_what_of_it_is_looked_at_and_nothing_else(home: Path, tmp_path: Path) -> None:
    del home
    root = tmp_path / "root"
    root.mkdir()
    (root / config.ROOT_FILE).write_text('exclude = ["generated/"]\n', encoding="utf-8")
    assert config.load().for_root(root).exclude == ("generated/",)
    (root / config.ROOT_FILE).write_text("\nport = 1\n", encoding="utf-8")
    settings = config.load().for_root(root)
    assert settings.exclude == ()
    assert [(problem.path, problem.line) for problem in settings.problems] == [(config.ROOT_FILE, 2)]
