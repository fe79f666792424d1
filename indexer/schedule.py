"""What is due at a time: posts events and does no work. The only importer of apscheduler."""

from __future__ import annotations

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

from indexer.errors import ConfigError
from indexer.events import DecayDue, ReconcileDue
from indexer.watch import Post

JITTER = 0.25
"""Share by which the reconcile is spread, so that several daemons do not read the disk at once."""


class Schedule:
    """A background scheduler with the decay job and the periodic reconcile."""

    def __init__(self, post: Post, decay: str | None, reconcile_every: float) -> None:
        # A run that was missed while the machine slept is run once, late: hence no grace time and coalescing.
        self._scheduler = BackgroundScheduler(job_defaults={"coalesce": True, "misfire_grace_time": None})
        self._scheduler.add_job(
            lambda: post(ReconcileDue(None, "periodic")),
            IntervalTrigger(seconds=reconcile_every, jitter=int(reconcile_every * JITTER)),
        )
        if decay:
            self._scheduler.add_job(lambda: post(DecayDue()), _cron(decay))

    def start(self) -> None:
        """Begin to post."""
        self._scheduler.start()

    def stop(self) -> None:
        """Post no more."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)


def _cron(line: str) -> CronTrigger:
    try:
        return CronTrigger.from_crontab(line)
    except ValueError as error:
        message = f'decay.schedule "{line}" is not a cron line ({error}); write for example "30 3 * * *"'
        raise ConfigError(message) from error
