"""Rules for coding agents: AGENTS.md and its kin, rule folders of editors, skills, agents and commands."""

from __future__ import annotations

import posixpath
import re

from scanners import prose
from scanners.model import Document, Edge, Ref, ScanResult
from scanners.page import Page
from scanners.paths import Name, name_of
from scanners.prose import Verdict, Writing

FILES = {
    "agents.md": "agents", "agents.override.md": "agents", "agents.local.md": "agents", "agent.md": "agents",
    "claude.md": "claude", "claude.local.md": "claude", "gemini.md": "gemini", "qwen.md": "qwen", "codex.md": "codex",
    "copilot-instructions.md": "copilot", ".cursorrules": "cursor", ".windsurfrules": "windsurf",
    ".clinerules": "cline",
    ".roorules": "roo", ".goosehints": "goose", "warp.md": "warp", "crush.md": "crush", ".rules": "rules",
    ".roomodes": "roo",
    "conventions.md": "conventions", "jules.md": "jules", "replit.md": "replit", ".aiderrules": "aider",
}  # fmt: skip
MODE_FILES = (".clinerules-", ".roorules-")
RULE_FOLDERS = (
    (".cursor/rules", "cursor"), (".cursor/commands", "command"), (".windsurf/rules", "windsurf"),
    (".windsurf/workflows", "workflow"),
    (".github/instructions", "copilot"), (".github/prompts", "prompt"), (".github/agents", "agent"),
    (".github/chatmodes", "agent"),
    (".clinerules", "cline"), (".kiro/steering", "kiro"), (".kilocode/rules", "kilocode"), (".roo/rules", "roo"),
    (".roo/commands", "command"),
    (".claude/rules", "claude"), (".claude/agents", "agent"), (".claude/commands", "command"),
    (".claude/output-styles", "claude"),
    (".gemini/commands", "command"), (".codex/prompts", "prompt"), (".agents/rules", "agents"),
    (".agent/rules", "agents"),
    (".agent/workflows", "workflow"), (".continue/rules", "continue"), (".trae/rules", "trae"),
    (".augment/rules", "augment"), (".qoder/rules", "qoder"),
    (".amazonq/rules", "amazonq"), (".junie", "junie"), (".opencode/agent", "agent"),
    (".opencode/command", "command"), (".ai/rules", "rules"),
    (".agent_instructions", "rules"), (".agents/commands", "command"), (".agents/agents", "agent"),
    ("agent-os/standards", "standards"),
)  # fmt: skip
SUFFIXES = {".instructions": "copilot", ".prompt": "prompt", ".agent": "agent", ".chatmode": "agent"}
GLOBS = ("globs", "applyto", "apply-to", "filematchpattern", "file-match-pattern", "paths", "glob")
IMPORT = re.compile(r"(?<![\w`@.])@((?:\.{0,2}/|~/)?[\w./-]{1,200}\.[A-Za-z]{2,10}|\.{0,2}/[\w./-]{1,200})")


class RuleScanner:
    """Finds what tells agents how to work in a repository, and where each rule holds."""

    name = "rules"
    version = 1

    def claims(self, path: str) -> bool:
        """Written documents and the dot files that hold rules."""
        base = posixpath.basename(path).casefold()
        if base in FILES or base.startswith(MODE_FILES):
            return True
        return prose.is_written(path) or (base.endswith(".xml") and "/.roo/" in f"/{path}")

    def companions(self, path: str) -> tuple[str, ...]:  # noqa: ARG002 - part of the protocol
        """None: what a rule imports is a document of its own."""
        return ()

    def scan(self, document: Document) -> ScanResult | None:
        """The rule or skill and its sections, None for what is neither."""
        wanted = prose.kind_wanted(document)
        name = name_of(document.path)
        if wanted and wanted not in {"rule", "skill"}:
            return None
        found = (wanted, None) if wanted else rule_of(name)
        if found is None:
            return None
        writing = prose.read(document, line_wise=True)
        kind, subkind = found
        imports = tuple(_imports(writing.page, name))
        return prose.result(
            writing, Verdict(kind=kind, subkind=subkind, scope=scope_of(writing), edges=imports, title=_title(writing))
        )


def rule_of(name: Name) -> tuple[str, str | None] | None:
    """The kind and subkind of a rule file by its path."""
    base = posixpath.basename(name.path).casefold()
    if base == "skill.md":
        return "skill", None
    if base in FILES and not (base == "conventions.md" and name.folder):
        return "rule", FILES[base]
    if base.startswith(MODE_FILES):
        return "rule", base.partition("-")[0].strip(".")
    if base == "constitution.md" and ".specify" in name.folders:
        return "rule", "constitution"
    subkind = _subkind_of(name)
    return ("rule", subkind) if subkind else None


def _subkind_of(name: Name) -> str | None:
    """Whose rule a file is by its folder, its extension or the end of its name."""
    joined = "/" + "/".join(name.folders) + "/"
    if "/memory-bank/" in joined:
        return None
    for folder, subkind in RULE_FOLDERS:
        if f"/{folder}/" in joined or f"/{folder}-" in joined:
            return subkind
    if name.extension == ".mdc":
        return "cursor"
    return SUFFIXES.get(posixpath.splitext(name.file.casefold())[1]) if name.extension == ".md" else None


def scope_of(writing: Writing) -> tuple[str, ...]:
    """The globs a rule holds for: those it names, else the folder that a nested file lies in."""
    field = writing.page.matter_of(*GLOBS)
    name = writing.name
    if field:
        parts = [part for value in field.values for part in _split_globs(value)]
        return tuple(dict.fromkeys(part.strip(" \"'[]") for part in parts if part.strip(" \"'[]")))
    base = posixpath.basename(name.path).casefold()
    if base in FILES and name.folder and not name.folder.rpartition("/")[2].startswith("."):
        return (f"{name.folder}/**",)
    return ()


def _split_globs(value: str) -> list[str]:
    """Split at commas outside braces."""
    return re.split(r",(?![^{}]{0,200}\})", value)


def _title(writing: Writing) -> str | None:
    """A rule without a title goes by its file name."""
    if writing.record.heading or writing.page.matter_of("title", "name"):
        return None
    return writing.name.file or posixpath.basename(writing.name.path)


def _imports(page: Page, name: Name) -> list[Edge]:
    """`@path` imports; one in a code block or code span is no import."""
    edges = []
    coded = {(code.line, code.text) for code in page.codes}
    for number, line in page.between(1, len(page.lines)):
        if "@" not in line:
            continue
        for match in IMPORT.finditer(line[:2_000]):
            if any(at == number and match[0] in text for at, text in coded) or match[1].startswith("~"):
                continue
            path = match[1].rstrip(".,;:")
            full = posixpath.normpath(posixpath.join(name.folder, path))
            if not full.startswith("..") and not path.startswith("/"):
                edges.append(Edge(None, "imports", Ref("file", full, exact=True), number))
    return edges
