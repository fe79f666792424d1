"""The command line: each command a few lines over `answer(verb, arguments)`. The only importer of click.

Exit status: 0 done, 1 the answer is "no", 2 bad input, 3 unavailable. `--json` writes one JSON value to stdout, all
else goes to stderr. While a daemon runs the commands ask it, otherwise they use the same files themselves. What only
some commands need is imported by them, since a command that asks the daemon should answer at once.
"""

from __future__ import annotations

import json
import logging
import logging.handlers
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from indexer import tables
from indexer.errors import BadInput, IndexerError, Unavailable
from indexer.home import data_folder, make_home, make_private, running
from indexer.progress import ProgressBar
from indexer.remote import Remote
from scanners.model import KINDS, STATUSES

if TYPE_CHECKING:
    from indexer.daemon import MakeServer

Lines = Callable[[Any], Iterable[str]]

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What could move the cursor or name the window, were it written to a terminal as a repository holds it."""

READER = "cli"
INTERRUPTED = 130
LOG_BYTES = 2_000_000


def main(arguments: Sequence[str], make_server: MakeServer) -> int:
    """Run one command and return its exit status; the only place where errors become text."""
    try:
        status = cli.main(list(arguments), prog_name="lorewatch", standalone_mode=False, obj=make_server)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has seen enough
        return 0
    except Exception as error:  # noqa: BLE001 - told in one line, whatever it is
        message, status = _told(error)
        _say(f"lorewatch: {' '.join(message.split())}")
    return status if isinstance(status, int) else 0


def _told(error: Exception) -> tuple[str, int]:
    """What to say of an error, and the exit status. A bug is logged whole."""
    match error:
        case IndexerError():
            return str(error), error.status
        case click.UsageError():
            return f"{error.format_message().rstrip('.')}; see `lorewatch --help`", BadInput.status
        case click.Abort():
            return "interrupted", INTERRUPTED
        case sqlite3.DatabaseError():
            mend = "`lorewatch rebuild` sets it aside and reads the roots anew"
            return f"the index cannot be used ({error}); {mend}", Unavailable.status
        case OSError():
            return f"{error.strerror or error} ({error.filename or data_folder()})", Unavailable.status
    folder = data_folder() / "log"
    _log_to(folder)
    logging.getLogger(__name__).error("a command failed", exc_info=error)
    return f"internal error ({type(error).__name__}); {folder} says more", Unavailable.status


def _say(line: str) -> None:
    click.echo(line, err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="lorewatch", message="lorewatch %(version)s")
def cli() -> None:
    """Make what a repository has already decided findable by coding agents."""


as_json = click.option("--json", "as_json", is_flag=True, help="Write one JSON value to stdout.")
one_root = click.option("--root", help="Name or path of the root to look in; default all.")


def _answer(verb: str, **arguments: object) -> dict[str, Any]:
    """Ask the daemon, or without one do it here."""
    daemon = running(data_folder())
    if daemon and (remote := Remote(daemon)).alive():
        return remote(verb, arguments)
    from indexer import local  # numpy, whoosh and the grammars are not needed to ask a daemon

    return local.answer(verb, arguments, ProgressBar(sys.stderr))


def _print(answer: Any, lines: Iterable[str], *, as_json: bool) -> None:  # noqa: ANN401 - JSON is anything
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False))
    else:
        for line in lines:
            click.echo(CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", line))


@cli.command()
@click.argument("folders", nargs=-1, metavar="[ROOT]...")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to serve at; 0 takes any free one.  [default: 7420]")
@click.option("--no-token", is_flag=True, help="Serve without a token; for loopback test suites only.")
@click.option("--exit-when-idle", type=float, hidden=True, help="Stop after so many seconds without a request.")
@click.pass_obj
def serve(
    make_server: MakeServer, folders: tuple[str, ...], port: int | None, exit_when_idle: float | None, *, no_token: bool
) -> None:
    """Run the daemon in the foreground: compare, watch, serve MCP at http://127.0.0.1:7420/mcp."""
    from indexer import config
    from indexer.daemon import Daemon, Options, listen, new_token

    settings = config.load()
    _refuse_second(settings.home)
    make_home(settings.home)
    _log_to(settings.home / "log")
    if no_token:
        _say("WARNING: serving without a token; every program on this machine can read the index")
    options = Options(tuple(folders), None if no_token else new_token(), exit_when_idle)
    daemon = Daemon(settings, options, listen(settings.port if port is None else port), make_server)
    daemon.stop_on_signals()
    _say(f"lorewatch: comparing the roots; {daemon.url}/mcp answers meanwhile")
    daemon.run(ProgressBar(sys.stderr), lambda: _welcome(daemon.url))
    _say("lorewatch: stopped")


def _refuse_second(home: Path) -> None:
    """Say who serves already before the port does it less clearly."""
    daemon = running(home)
    if daemon and Remote(daemon).alive():
        message = (
            f"a daemon (pid {daemon.pid}) already serves {home} at {daemon.url}/mcp; "
            "`lorewatch roots add PATH` adds a folder to it"
        )
        raise Unavailable(message)


def _welcome(url: str) -> None:
    from indexer import config

    program = config.command()
    home = config.environment().get("LOREWATCH_HOME")
    variable = f"-e LOREWATCH_HOME={home} " if home else ""
    answer = _answer("status")
    names = ", ".join(root["name"] for root in answer["roots"]) or "no root yet: `lorewatch roots add PATH`"
    for line in (
        f"lorewatch is ready: {url}/mcp ({names})",
        f"  connect Claude Code: claude mcp add {variable}lorewatch -- {' '.join(program)} mcp",
        f"  connect another agent: {' '.join(program)} install --client NAME   (without --apply it only shows)",
        f'  try: {" ".join(program)} search "{_first_question(answer)}"',
        "  stop with Ctrl-C",
    ):
        _say(line)


def _first_question(status: dict[str, Any]) -> str:
    """A question that the user's own records answer: the words of a decision's title."""
    for root in status["roots"]:
        for kind in ("adr", "rfc", "rule", "doc"):
            entries = _answer("entries", root=root["name"], kinds=[kind])["entries"]
            records = [one for one in entries if one["anchor"] is None and one["kind"] == kind]
            if records:
                accepted = [one for one in records if one["status"] == "accepted"]
                return "why " + str((accepted or records)[-1]["title"]).replace('"', "")
    return "why is it done this way"


def _log_to(folder: Path) -> None:
    make_private(folder)
    file = logging.handlers.RotatingFileHandler(
        folder / "daemon.log", maxBytes=LOG_BYTES, backupCount=3, encoding="utf-8"
    )
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[file], force=True)
    logging.getLogger("mcp").setLevel(logging.WARNING)  # it tells of every request


@cli.command()
@click.argument("folders", nargs=-1, required=True, metavar="ROOT...")
@as_json
def scan(folders: tuple[str, ...], *, as_json: bool) -> None:
    """Compare ROOTs with the index once; register those that are new."""
    answer = _answer("scan", roots=[str(Path(folder).absolute()) for folder in folders])
    _print(answer, tables.scan_lines(answer), as_json=as_json)


@cli.group(invoke_without_command=True)
@click.pass_context
def roots(context: click.Context) -> None:
    """List, add or remove the folders that are watched."""
    if context.invoked_subcommand is None:
        answer = _answer("roots")
        _print(answer, tables.roots_lines(answer), as_json=False)


@roots.command("list")
@as_json
def roots_list(*, as_json: bool) -> None:
    """List the registered roots."""
    answer = _answer("roots")
    _print(answer, tables.roots_lines(answer), as_json=as_json)


@roots.command("add")
@click.argument("folders", nargs=-1, required=True, metavar="ROOT...")
@as_json
def roots_add(folders: tuple[str, ...], *, as_json: bool) -> None:
    """Register folders and compare them once."""
    answer = _answer("roots-add", roots=[str(Path(folder).absolute()) for folder in folders])
    _print(answer, tables.scan_lines(answer), as_json=as_json)


@roots.command("remove")
@click.argument("names", nargs=-1, required=True, metavar="ROOT...")
@as_json
def roots_remove(names: tuple[str, ...], *, as_json: bool) -> None:
    """Forget roots by name or path; their files are not touched."""
    answer = _answer("roots-remove", roots=list(names))
    _print(answer, tables.roots_lines(answer), as_json=as_json)


@cli.command()
@click.argument("query", metavar="QUERY")
@one_root
@click.option("--kind", "kinds", multiple=True, help=f"Only this kind; may be repeated: {', '.join(KINDS)}.")
@click.option("--status", "statuses", multiple=True, help=f"Only this status: {', '.join(STATUSES)}.")
@click.option("--near", metavar="PATH", help="Prefer what lies near this path of the root.")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100), help="Hits at most.")
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
@as_json
def search(  # noqa: PLR0913 - one parameter an option of the command
    query: str,
    root: str | None,
    kinds: tuple[str, ...],
    statuses: tuple[str, ...],
    near: str | None,
    limit: int,
    *,
    explain: bool,
    as_json: bool,
) -> int:
    """Find the records, rules, docs and symbols that answer QUERY."""
    answer = _answer(
        "search", query=query, root=root, kinds=list(kinds), statuses=list(statuses), near=near, limit=limit
    )
    _print(answer, tables.search_lines(answer, explain=explain), as_json=as_json)
    if answer["note"]:
        _say(f"note: {answer['note']}")
    return 0 if answer["hits"] else 1


@cli.command()
@click.argument("entry_id", metavar="ID")
@click.option("--peek", is_flag=True, help="Do not count this as a use.")
@as_json
def read(entry_id: str, *, peek: bool, as_json: bool) -> None:
    """Show one entry whole, its relations and whether the code it names still stands."""
    answer = _answer("read", id=entry_id, peek=peek, reader=READER)
    _print(answer, tables.read_lines(answer), as_json=as_json)


@cli.command()
@click.argument("target", metavar="TARGET")
@one_root
@as_json
def related(target: str, root: str | None, *, as_json: bool) -> int:
    """Show what governs TARGET (a path, symbol or id), what it supersedes and what mentions it."""
    answer = _answer("related", target=target, root=root, cwd=str(Path.cwd()))
    _print(answer, tables.related_lines(answer), as_json=as_json)
    return 0 if any(answer["groups"].values()) else 1


@cli.command()
@one_root
@click.option("--kind", "kinds", multiple=True, help="Only this kind; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a line to stdout.")
def entries(root: str | None, kinds: tuple[str, ...], *, as_json: bool) -> int:
    """List what is indexed."""
    answer = _answer("entries", root=root, kinds=list(kinds))["entries"]
    if as_json:
        for one in answer:
            click.echo(json.dumps(one, ensure_ascii=False))
    else:
        _print(answer, tables.entries_lines(answer), as_json=False)
    return 0 if answer else 1


@cli.command()
@as_json
def status(*, as_json: bool) -> int:
    """Show roots, counts and health; exit 1 when something is not as it should be."""
    answer = _answer("status")
    _print(answer, tables.status_lines(answer), as_json=as_json)
    return 0 if answer["state"] in {"ready", "catching_up"} else 1


@cli.command()
@click.option("--dry-run", is_flag=True, help="Show what a run would do, change nothing.")
@click.option("--at", metavar="ISO", help="Weigh as of this date or time; default now.")
@click.option("--undo", type=click.IntRange(1, 2**40), metavar="RUN", help="Put back exactly what RUN changed.")
@as_json
def decay(at: str | None, undo: int | None, *, dry_run: bool, as_json: bool) -> None:
    """Weigh every entry by its use and age once, as the daemon does on schedule."""
    answer = _answer("decay", dry_run=dry_run, at=at, undo=undo)
    _print(answer, tables.decay_lines(answer), as_json=as_json)


@cli.command("lint")
@one_root
@as_json
def lint_command(root: str | None, *, as_json: bool) -> int:
    """List what a maintainer of the records should mend; exit 1 when there is something."""
    answer = _answer("lint", root=root)
    _print(answer, tables.lint_lines(answer), as_json=as_json)
    return 1 if answer["findings"] else 0


@cli.command()
@as_json
def verify(*, as_json: bool) -> int:
    """Compare the index with the disk; exit 1 when they differ."""
    answer = _answer("verify")
    _print(answer, tables.verify_lines(answer), as_json=as_json)
    return 1 if any(answer.values()) else 0


@cli.command()
@as_json
def rebuild(*, as_json: bool) -> None:
    """Write what is derived anew and compare every root."""
    answer = _answer("rebuild")
    _print(answer, tables.scan_lines(answer), as_json=as_json)


@cli.command("doctor")
@as_json
def doctor_command(*, as_json: bool) -> int:
    """Prove file, index, hit, use and decay in a temporary folder, and look at this installation."""
    from indexer import config, doctor

    answer = doctor.examine(data_folder(), config.load())
    _print(answer, (f"{'ok' if one['ok'] else 'NO'}  {one['check']}: {one['detail']}" for one in answer["checks"]),
           as_json=as_json)  # fmt: skip
    return 0 if answer["ok"] else 1


@cli.command("install")
@click.option("--client", required=True, help="The agent client to connect.")
@click.option("--apply", is_flag=True, help="Write the change; without it the change is only shown.")
@click.option("--remove", is_flag=True, help="Take lorewatch out again; shown only, until --apply is given too.")
@as_json
def install_command(client: str, *, apply: bool, remove: bool, as_json: bool) -> None:
    """Connect an agent CLIENT to lorewatch, by its own configuration file."""
    from indexer import config, install

    home, environ = Path.home(), config.environment()
    if remove:
        answer = install.uninstall_answer(client, apply, home, environ)
    else:
        answer = install.install_answer(client, apply, home, config.command(), environ)
    steps = answer["next"]
    lines = [
        f"{answer['action']}: {answer['file']}",
        str(answer["diff"] or answer["snippet"]),
        *(steps if isinstance(steps, list) else ()),
    ]
    _print(answer, lines, as_json=as_json)


@cli.command()
def mcp() -> None:
    """Speak MCP over stdin and stdout; agents start this."""
    message = "start the bridge as `lorewatch mcp` without options before it"
    raise BadInput(message)
