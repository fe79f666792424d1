"""The files a user copies: they start what exists, and the example configuration means the defaults."""

from __future__ import annotations

import configparser
import plistlib
import re
from pathlib import Path

import pytest

from indexer import config
from indexer.config import Config

TOP = Path(__file__).parent.parent
DEPLOY = TOP / "deploy"


def test_the_example_configuration_says_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREWATCH_HOME", str(DEPLOY))

    assert config.load() == Config()


def test_the_systemd_unit_serves_and_gives_up_when_trying_again_mends_nothing() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their case, as documented
    unit.read(DEPLOY / "lorewatch.service", encoding="utf-8")

    assert unit["Service"]["ExecStart"].endswith("/lorewatch serve")
    assert unit["Service"]["RestartPreventExitStatus"] == "2 3"
    assert unit["Service"]["UMask"] == "0077"


def test_the_launchd_agent_serves() -> None:
    agent = plistlib.loads((DEPLOY / "lorewatch.plist").read_bytes())

    assert agent["ProgramArguments"][-1].endswith('/lorewatch" serve')
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert agent["Umask"] == 0o77


def test_every_pin_is_exact_and_every_dependency_has_one() -> None:
    pins = (TOP / "constraints.txt").read_text(encoding="utf-8").splitlines()
    project = (TOP / "pyproject.toml").read_text(encoding="utf-8")
    wanted = set(re.findall(r'^    "([a-z0-9-]+)[>=]=', project, re.MULTILINE))

    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*", pin) for pin in pins)
    assert wanted - {pin.split("==", maxsplit=1)[0].lower().replace("_", "-") for pin in pins} == set()
    assert wanted >= {"whoosh3", "ruff"}


def test_the_continuous_integration_calls_make() -> None:
    script = TOP / ".ci" / "run"

    assert script.stat().st_mode & 0o111
    assert script.read_text(encoding="utf-8").rstrip().endswith("exec make ci")
