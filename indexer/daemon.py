"""The daemon: builds the parts, runs the loop, stops in reverse order."""

from __future__ import annotations

import logging
import os
import queue
import secrets
import signal
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import FrameType
from typing import Any, Protocol

from indexer import usage
from indexer.answers import Health
from indexer.catalog import Root
from indexer.config import Config
from indexer.errors import BadInput, IndexerError, Unavailable
from indexer.events import Asked, DecayDue, Event, Events, ReconcileDue, Settled, Stop
from indexer.home import Running, running
from indexer.index import Index
from indexer.ingest import Progress
from indexer.schedule import Schedule
from indexer.service import Answer, Service
from indexer.watch import Watch
from indexer.writer import WRITES, Writer

log = logging.getLogger(__name__)

HEARTBEAT = 5.0
"""Seconds between looks at the roots: gone, back, or watched no longer."""


class Server(Protocol):
    """What serves the answers to others."""

    def start(self) -> None:
        """Begin to serve; returns at once."""

    def stop(self) -> None:
        """End what is being served and join."""


MakeServer = Callable[[Answer, str | None, socket.socket], Server]


class _Interrupted(Exception):
    """Ends a long reconcile between two files; what is committed stays."""


@dataclass(frozen=True, slots=True)
class Options:
    """How one run of the daemon differs from the configuration. `token` None serves without one, for tests only."""

    folders: tuple[str, ...] = ()
    token: str | None = None
    exit_when_idle: float | None = None


class Daemon:
    """One daemon of one data folder. `run` returns after a `Stop`."""

    def __init__(self, config: Config, options: Options, listening: socket.socket, make_server: MakeServer) -> None:
        self._config = config
        self._options = options
        self._listening = listening
        self._make_server = make_server
        self._events: Events = queue.SimpleQueue()
        self._health = Health(daemon=True, catching_up=True)
        self._last_request = time.monotonic()
        self._stopping = False
        self._busy = 0

    @property
    def url(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def post(self, event: Event) -> None:
        """Put an event into the queue; safe from any thread and from a signal handler."""
        if isinstance(event, Stop):
            self._stopping = True
        self._events.put(event)

    def run(self, progress: Progress, ready: Callable[[], None]) -> None:
        """Serve until stopped. `ready` is called once the address answers and every root is compared."""
        with self._listening, Index(self._config.home, write=True, patience=1) as index:
            writer = Writer(index, self._config, time.time, self._watched_progress(progress))
            server = self._make_server(self._service(index), self._options.token, self._listening)
            watch = Watch(self.post, self._config.settle, self._config.longest_wait)
            schedule = Schedule(self.post, self._config.decay_schedule, self._config.reconcile_every)
            self._health.pending = lambda: self._events.qsize() + self._busy + watch.pending()
            self._add_roots(writer)
            server.start()
            self._publish()
            watch.start()
            schedule.start()
            try:
                self._start_up(writer, watch)
                if not self._stopping:
                    ready()
                self._loop(writer, watch)
            finally:
                schedule.stop()
                watch.stop()
                (self._config.home / "daemon.json").unlink(missing_ok=True)
                server.stop()

    def _publish(self) -> None:
        Running(self.url, self._options.token, os.getpid()).write(self._config.home)

    def stop_on_signals(self) -> None:
        """Make SIGINT and SIGTERM finish the batch and end; call it in the main thread."""

        def stop(number: int, frame: FrameType | None) -> None:
            del number, frame
            self.post(Stop())

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)

    # Answers

    def _service(self, index: Index) -> Answer:
        service = Service(index, self._health, self._ask, frozenset(WRITES))

        def answer(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
            self._last_request = time.monotonic()
            return service(verb, arguments)

        return answer

    def _ask(self, verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        asked = Asked(verb, arguments)
        self.post(asked)
        return asked.answer.result()

    def _watched_progress(self, progress: Progress) -> Progress:
        def step(root: str, done: int, total: int) -> None:
            if self._stopping:
                raise _Interrupted
            self._health.progress = (root, done, total)
            progress(root, done, total)

        return step

    # The loop

    def _start_up(self, writer: Writer, watch: Watch) -> None:
        """Watch first and compare then, so that no change falls between the two."""
        for root in writer.roots():
            try:
                self._watch(watch, writer, root)
                writer.reconcile(root, thorough=True)
            except _Interrupted:
                log.info("stopped before every root was compared; the next start goes on")
                break
            except Exception:  # one root's trouble must not cost the others
                log.exception("%s could not be compared", root.name)
                self._health.notes.append(f"{root.name} could not be compared; the log says why")
        self._health.catching_up = False
        self._health.progress = None
        last = usage.last_run(writer.index.reader())
        if self._config.decay_schedule and last and not _same_day(last[1], time.time()):
            self.post(DecayDue())

    def _loop(self, writer: Writer, watch: Watch) -> None:
        beat = time.monotonic()
        while True:
            try:
                event = self._events.get(timeout=HEARTBEAT)
            except queue.Empty:
                event = None
            if isinstance(event, Stop):
                self._refuse_rest()
                return
            if event:
                self._guarded(event, writer, watch)
            self._health.progress = None
            if time.monotonic() - beat >= HEARTBEAT:
                beat = time.monotonic()
                self._guarded_look(writer, watch)

    def _add_roots(self, writer: Writer) -> None:
        """Register what was named; a configured folder that is not there now (a disk, say) must not cost the rest."""
        for folder in self._options.folders:
            writer.add_root(folder)
        for configured in self._config.roots:
            try:
                writer.add_root(configured)
            except BadInput as error:
                log.warning("configured root left out: %s", error)
                self._health.notes.append(str(error))

    def _guarded_look(self, writer: Writer, watch: Watch) -> None:
        try:
            self._look_after(writer, watch)
        except Exception:  # tried again at the next beat
            log.exception("looking after the roots failed")

    def _guarded(self, event: Event, writer: Writer, watch: Watch) -> None:
        self._busy = 1
        try:
            self._handle(event, writer, watch)
        except _Interrupted:
            log.info("stopped in the middle of %s; the next start goes on", type(event).__name__)
        except Exception:  # a bug costs this event; the daemon lives
            log.exception("%s failed", type(event).__name__)
            if isinstance(event, Settled):
                self.post(ReconcileDue(event.root, "a batch of changes failed"))
        finally:
            self._busy = 0

    def _handle(self, event: Event, writer: Writer, watch: Watch) -> None:
        match event:
            case Settled():
                for root in _with_id(writer, event.root):
                    writer.refresh(root, event.paths)
            case ReconcileDue():
                log.info("comparing: %s", event.why)
                for root in _with_id(writer, event.root):
                    writer.reconcile(root, thorough=event.root is None)
                    watch.add(root.id, root.path, writer.tree(root).ignore)
            case DecayDue():
                last = usage.last_run(writer.index.reader())
                if not last or not _same_day(last[1], time.time()):
                    writer.run_decay()
            case Asked():
                self._answer(event, writer, watch)
            case Stop():
                pass

    def _answer(self, event: Asked, writer: Writer, watch: Watch) -> None:
        before = {root.id for root in writer.roots()}
        try:
            event.answer.set_result(writer.answer(event.verb, event.arguments))
        except _Interrupted:
            event.answer.set_exception(Unavailable("the daemon is stopping; ask again when it runs"))
        except IndexerError as error:
            event.answer.set_exception(error)
        except Exception as error:  # the asker learns of the bug, the daemon lives
            log.exception("%s failed", event.verb)
            event.answer.set_exception(error)
        now = {root.id: root for root in writer.roots()}
        for gone in before - set(now):
            watch.remove(gone)
        for new in set(now) - before:
            self._watch(watch, writer, now[new])
            self.post(ReconcileDue(new, "a root was added"))
        self._health.watched = watch.roots

    def _refuse_rest(self) -> None:
        while not self._events.empty():
            event = self._events.get()
            if isinstance(event, Asked):
                event.answer.set_exception(Unavailable("the daemon is stopping; ask again when it runs"))

    def _watch(self, watch: Watch, writer: Writer, root: Root) -> None:
        if os.path.isdir(root.path):
            watch.add(root.id, root.path, writer.tree(root).ignore)
        self._health.watched = watch.roots

    def _look_after(self, writer: Writer, watch: Watch) -> None:
        """Notice roots that went, came back, or are not watched any more; end when nobody needs the daemon."""
        for root in writer.roots():
            there = os.path.isdir(root.path)
            if there and not watch.alive(root.id):  # gone and back, or another folder of the same name
                watch.remove(root.id)
                self._watch(watch, writer, root)
                self.post(ReconcileDue(root.id, "the root is watched again"))
            elif there == root.missing:
                self.post(ReconcileDue(root.id, "the root is gone" if not there else "the root is back"))
        self._health.overflows = watch.overflows
        if running(self._config.home) is None:  # somebody removed it; without it nobody finds us
            self._publish()
        idle = self._options.exit_when_idle
        if idle is not None and time.monotonic() - self._last_request > idle:
            log.info("nobody asked for %.0f s; stopping", idle)
            self.post(Stop())


def listen(port: int) -> socket.socket:
    """A listening socket on loopback; 0 takes any free port. `Unavailable` when the port is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        message = f"port {port} is in use by another process ({error.strerror}); choose one with --port, 0 for any free"
        raise Unavailable(message) from error
    return listening


def new_token() -> str:
    """A token that nobody can guess: 256 bits."""
    return secrets.token_urlsafe(32)


def _with_id(writer: Writer, root: int | None) -> list[Root]:
    return [one for one in writer.roots() if root in (None, one.id)]


def _same_day(one: float, other: float) -> bool:
    """Say whether two moments fall on one day of the local calendar; a clock change cannot make it run twice."""
    return datetime.fromtimestamp(one).astimezone().date() == datetime.fromtimestamp(other).astimezone().date()
