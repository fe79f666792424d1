"""The agent clients we can be installed in: where each keeps its servers, and the shape of an entry there.

A table and nothing else; `install.py` reads and writes the files. The paths are those of the user, never of a project,
so that one registration serves every repository.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from indexer.errors import BadInput

SERVER = "lorewatch"
"""The name of our entry in every client: short, without `_`, because clients build tool names from it."""

PASSED_ON = ("LOREWATCH_HOME",)
"""Several clients give a server only the environment that its entry names, so these go into the entry when set."""

RELAUNCH = "restart the client, or reload its MCP servers"


@dataclass(frozen=True, slots=True)
class Place:
    """The machine as far as the location of settings depends on it."""

    home: Path
    environ: Mapping[str, str]
    platform: str

    def variable(self, name: str, default: Path) -> Path:
        """Return the folder or file that the variable `name` moves, else `default`."""
        moved = self.environ.get(name)
        return Path(moved) if moved else default

    def config(self) -> Path:
        """Return the folder of settings on a system that follows XDG; several clients use it on macOS as well."""
        return self.variable("XDG_CONFIG_HOME", self.home / ".config")

    def application(self) -> Path:
        """Return the folder of the platform in which desktop applications keep their settings."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return self.variable("APPDATA", self.home / "AppData" / "Roaming")
        return self.config()


Locate = Callable[[Place], tuple[Path, ...]]
Shape = Callable[[Sequence[str], Mapping[str, str]], dict[str, object]]


@dataclass(frozen=True, slots=True)
class Client:
    """One client. `section` leads to the object of servers; `files` are those it reads, the first of them preferred.

    `form` is `json`, `toml` or `yaml`; `strict` means that the client itself fails on comments in its JSON.
    """

    name: str
    title: str
    section: tuple[str, ...]
    files: Locate
    shape: Shape
    form: str = "json"
    strict: bool = False
    steps: tuple[str, ...] = (RELAUNCH,)

    def file(self, place: Place) -> Path:
        """Return the settings file that exists, else the one to create."""
        files = self.files(place)
        return next((file for file in files if file.exists()), files[0])

    def entry(self, command: Sequence[str], environ: Mapping[str, str]) -> dict[str, object]:
        """Build our entry: the stdio bridge, started by `command` and the verb `mcp`."""
        passed = {name: environ[name] for name in PASSED_ON if environ.get(name)}
        return self.shape((*command, "mcp"), passed)


def named(name: str) -> Client:
    """Return the client called `name`; an unknown one is refused with the names that are known."""
    if name in CLIENTS:
        return CLIENTS[name]
    message = f"unknown client {name!r}; known are {', '.join(sorted(CLIENTS))}"
    raise BadInput(message)


def _plain(command: Sequence[str], environ: Mapping[str, str]) -> dict[str, object]:
    entry: dict[str, object] = {"command": command[0], "args": list(command[1:])}
    return {**entry, "env": dict(environ)} if environ else entry


def _typed(command: Sequence[str], environ: Mapping[str, str]) -> dict[str, object]:
    return {"type": "stdio", **_plain(command, environ)}


def _copilot(command: Sequence[str], environ: Mapping[str, str]) -> dict[str, object]:
    return {"type": "local", **_plain(command, environ), "tools": ["*"]}


def _opencode(command: Sequence[str], environ: Mapping[str, str]) -> dict[str, object]:
    entry: dict[str, object] = {"type": "local", "command": list(command)}
    return {**entry, "environment": dict(environ)} if environ else entry


def _cline(command: Sequence[str], environ: Mapping[str, str]) -> dict[str, object]:
    return {"transport": _typed(command, environ)}


def _goose(command: Sequence[str], environ: Mapping[str, str]) -> dict[str, object]:
    entry: dict[str, object] = {"name": SERVER, "type": "stdio", "cmd": command[0], "args": list(command[1:])}
    return {**entry, "envs": dict(environ), "enabled": True, "timeout": 300}


def _under(folder: str, file: str, variable: str = "") -> Locate:
    """Locate `file` in the folder of the home that belongs to the client, or where `variable` has moved it."""

    def files(place: Place) -> tuple[Path, ...]:
        default = place.home / folder
        return ((place.variable(variable, default) if variable else default) / file,)

    return files


def _claude_code(place: Place) -> tuple[Path, ...]:
    return (place.variable("CLAUDE_CONFIG_DIR", place.home) / ".claude.json",)


def _claude_desktop(place: Place) -> tuple[Path, ...]:
    return (place.application() / "Claude" / "claude_desktop_config.json",)


def _vscode(place: Place) -> tuple[Path, ...]:
    return (place.application() / "Code" / "User" / "mcp.json",)


def _open_code(place: Place) -> tuple[Path, ...]:
    folder = place.config() / "opencode"
    return folder / "opencode.json", folder / "opencode.jsonc"


def _zed(place: Place) -> tuple[Path, ...]:
    if place.platform == "win32":
        return (place.application() / "Zed" / "settings.json",)
    folder = place.home / ".config" if place.platform == "darwin" else place.config()
    return (folder / "zed" / "settings.json",)


def _cline_file(place: Place) -> tuple[Path, ...]:
    data = place.variable("CLINE_DATA_DIR", place.home / ".cline" / "data")
    return (place.variable("CLINE_MCP_SETTINGS_PATH", data / "settings" / "cline_mcp_settings.json"),)


def _goose_file(place: Place) -> tuple[Path, ...]:
    if place.platform == "win32":
        return (place.application() / "Block" / "goose" / "config" / "config.yaml",)
    return (place.config() / "goose" / "config.yaml",)


SERVERS = ("mcpServers",)
TABLES = ("mcp_servers",)

CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client("claude-code", "Claude Code", SERVERS, _claude_code, _typed, steps=("check with: claude mcp list",)),
        Client(
            "claude-desktop",
            "Claude Desktop",
            SERVERS,
            _claude_desktop,
            _plain,
            strict=True,
            steps=("quit Claude Desktop wholly and start it again",),
        ),
        Client("cline", "Cline", SERVERS, _cline_file, _cline),
        Client(
            "codex",
            "Codex",
            TABLES,
            _under(".codex", "config.toml", "CODEX_HOME"),
            _plain,
            form="toml",
            steps=("check with: codex mcp list",),
        ),
        Client(
            "copilot-cli",
            "Copilot CLI",
            SERVERS,
            _under(".copilot", "mcp-config.json", "COPILOT_HOME"),
            _copilot,
            steps=("check with: copilot mcp list",),
        ),
        Client("cursor", "Cursor", SERVERS, _under(".cursor", "mcp.json"), _plain),
        Client(
            "gemini",
            "Gemini CLI",
            SERVERS,
            _under(".gemini", "settings.json"),
            _plain,
            steps=("trust the folders you work in: Gemini starts no server elsewhere", "check with: gemini mcp list"),
        ),
        Client("goose", "Goose", ("extensions",), _goose_file, _goose, form="yaml"),
        Client(
            "grok",
            "Grok Build",
            TABLES,
            _under(".grok", "config.toml", "GROK_HOME"),
            _plain,
            form="toml",
            steps=(
                "Grok also reads the servers of Claude Code and Cursor: one registration is enough",
                "check with: grok mcp doctor",
            ),
        ),
        Client("kimi", "Kimi Code", SERVERS, _under(".kimi-code", "mcp.json", "KIMI_CODE_HOME"), _plain),
        Client("kiro", "Kiro", SERVERS, _under(".kiro/settings", "mcp.json"), _plain),
        Client("opencode", "OpenCode", ("mcp",), _open_code, _opencode, steps=("check with: opencode mcp list",)),
        Client(
            "qwen",
            "Qwen Code",
            SERVERS,
            _under(".qwen", "settings.json", "QWEN_HOME"),
            _plain,
            steps=("check with: qwen mcp list",),
        ),
        Client(
            "vscode",
            "VS Code",
            ("servers",),
            _vscode,
            _typed,
            steps=("start the server and confirm that you trust it",),
        ),
        Client("windsurf", "Windsurf", SERVERS, _under(".codeium/windsurf", "mcp_config.json"), _plain),
        Client("zed", "Zed", ("context_servers",), _zed, _plain, steps=()),
    )
}
