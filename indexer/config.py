"""Configuration: the only reader of TOML and of the environment. Read once, resolved once, passed down as a value.

`lorewatch.toml` lies in the config folder (with `LOREWATCH_HOME`, in that folder); `.lorewatch.toml` in a root may say
what of the root is looked at, and nothing else, since a repository's text must not configure the daemon.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import platformdirs

from indexer.decay import HALF_LIFE_DAYS, HalfLives
from indexer.errors import ConfigError
from indexer.home import APPLICATION, data_folder
from indexer.ignore import is_pattern
from indexer.reading import read_small
from scanners.model import KINDS, Problem

FILE = "lorewatch.toml"
ROOT_FILE = ".lorewatch.toml"
MAX_BYTES = 1_000_000
LONGEST = 3_650_000.0
"""No duration or number of days is longer: enough for 10,000 years, and no arithmetic overflows."""


@dataclass(frozen=True, slots=True)
class RootSettings:
    """What is looked at in one root: gitignore-style globs; `include` empty means everything.

    `kinds` are pairs of a glob and the kind that documents matching it have, whatever they look like.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, resolved. Durations in seconds; `decay_schedule` is a cron line or None for never."""

    home: Path = field(default_factory=data_folder)
    roots: tuple[Path, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    port: int = 7420
    decay_schedule: str | None = "30 3 * * *"
    half_lives: HalfLives = field(default_factory=HalfLives)
    settle: float = 0.3
    longest_wait: float = 1.0
    reconcile_every: float = 3600.0

    def for_root(self, root: Path) -> RootSettings:
        """The settings of one root: ours, then those of its own `.lorewatch.toml`; a broken one is a problem there."""
        own = RootSettings(self.include, self.exclude, self.kinds)
        path = root / ROOT_FILE
        try:
            read = _read(path, ROOT_KEYS)
        except ConfigError as error:
            return replace(own, problems=(Problem(ROOT_FILE, _line_of(str(error)), str(error)),))
        return RootSettings(
            (*own.include, *read.get("include", ())),
            (*own.exclude, *read.get("exclude", ())),
            (*_pairs(read.get("kinds", {})), *own.kinds),
        )


def config_file() -> Path:
    """Where the user's configuration lies, whether it exists or not."""
    if home := os.environ.get("LOREWATCH_HOME"):
        return Path(home).expanduser() / FILE
    return Path(platformdirs.user_config_dir(APPLICATION, appauthor=False)) / FILE


def load() -> Config:
    """Read the user's configuration; a missing file means the defaults, a wrong one raises `ConfigError`."""
    read = _read(config_file(), KEYS)
    days = {**HALF_LIFE_DAYS, **read.pop("half_life", {})}
    roots = tuple(Path(one).expanduser() for one in read.pop("roots", ()))
    kinds = _pairs(read.pop("kinds", {}))
    schedule = read.pop("decay", {}).get("schedule", Config.__dataclass_fields__["decay_schedule"].default)
    return Config(
        roots=roots,
        kinds=kinds,
        half_lives=HalfLives(days),
        decay_schedule=None if schedule == "off" else schedule,
        **read,
    )


def command() -> list[str]:
    """How this program is started again: by its installed script when there is one beside the interpreter."""
    script = Path(sys.executable).with_name("lorewatch.exe" if sys.platform == "win32" else "lorewatch")
    return [str(script)] if script.exists() else [sys.executable, "-m", "mcp_bridge"]


def environment() -> Mapping[str, str]:
    """The environment, for the parts that pass it on."""
    return os.environ


# One table for reading, checking and the documentation: key -> (check, what is expected)

Check = Callable[[Any], bool]


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _globs(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and is_pattern(one) for one in value)


def _seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= LONGEST


def _port(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 65_535  # noqa: PLR2004 - TCP


def _days(value: object) -> bool:
    return isinstance(value, dict) and set(value) <= set(KINDS) and all(_seconds(one) for one in value.values())


def _kinds(value: object) -> bool:
    return isinstance(value, dict) and set(value) <= set(KINDS) and all(_globs(one) for one in value.values())


def _pairs(kinds: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((glob, kind) for kind, globs in kinds.items() for glob in globs)


def _schedule(value: object) -> bool:
    return isinstance(value, dict) and set(value) <= {"schedule"} and all(_cron(one) for one in value.values())


def _cron(value: object) -> bool:
    return value == "off" or (isinstance(value, str) and len(value.split()) == 5)  # noqa: PLR2004 - fields of cron


ROOT_KEYS: Mapping[str, tuple[Check, str]] = {
    "include": (_globs, "a list of globs"),
    "exclude": (_globs, "a list of globs"),
    "kinds": (_kinds, f"a table of lists of globs by kind ({', '.join(KINDS)})"),
}
KEYS: Mapping[str, tuple[Check, str]] = {
    **ROOT_KEYS,
    "roots": (_texts, "a list of folders"),
    "port": (_port, "a port number from 0 to 65535"),
    "settle": (_seconds, "a number of seconds above 0"),
    "longest_wait": (_seconds, "a number of seconds above 0"),
    "reconcile_every": (_seconds, "a number of seconds above 0"),
    "half_life": (_days, f"a table of days above 0 by kind ({', '.join(KINDS)})"),
    "decay": (_schedule, 'a table with schedule = "MINUTE HOUR DAY MONTH WEEKDAY" or "off"'),
}


def _read(path: Path, keys: Mapping[str, tuple[Check, str]]) -> dict[str, Any]:
    if not os.path.lexists(path):
        return {}
    read = read_small(path.resolve() if keys is KEYS else path, MAX_BYTES)
    if read is None:
        message = f"{path} is no file of at most {MAX_BYTES} bytes that can be read; mend or remove it"
        raise ConfigError(message)
    try:
        text = read.decode("utf-8-sig")
        content = tomllib.loads(text)
    except UnicodeDecodeError as error:
        message = f"{path} cannot be read: {error}; mend or remove it"
        raise ConfigError(message) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = f"{path} is not valid TOML: {error}"
        raise ConfigError(message) from error
    for key, value in content.items():
        place = f"{path}, line {_find(text, key)}: {key}"
        if key not in keys:
            message = f"{place} is not a setting here; known are {', '.join(sorted(keys))}"
            raise ConfigError(message)
        check, expected = keys[key]
        if not check(value):
            message = f"{place} must be {expected}"
            raise ConfigError(message)
    return {key: tuple(value) if isinstance(value, list) else value for key, value in content.items()}


def _find(text: str, key: str) -> int:
    """The line of a top-level key or table; TOML parsers do not say."""
    pattern = re.compile(rf"^\s*(?:\[\s*)?[\"']?{re.escape(key)}[\"']?\s*[\].=]")
    lines: Sequence[str] = text.splitlines()
    return next((number for number, line in enumerate(lines, start=1) if pattern.match(line)), 1)


def _line_of(message: str) -> int:
    found = re.search(r"line (\d+)", message)
    return int(found[1]) if found else 1
