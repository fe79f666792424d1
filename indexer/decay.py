"""What use and age make of an entry. PURE: a function of the uses and now, never of how often it was computed.

`weight = floor + (1 - floor) * strength`: each use adds 1 and halves every half-life of its kind (exponential
forgetting, after Ebbinghaus); creation and the last change count as a use at the end of their grace. The strength is
`1 - 0.5 ** sum`, so it lies between 0 and 1, and one fresh use gives one half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

DAY = 86_400.0
GRACE = 30 * DAY

HALF_LIFE_DAYS: Mapping[str, float] = MappingProxyType(
    {
        "adr": 365.0,
        "rfc": 365.0,
        "decision-log": 365.0,
        "rule": 365.0,
        "skill": 180.0,
        "doc": 180.0,
        "memory-bank": 60.0,
        "symbol": 180.0,
        "index": 90.0,
        "template": 90.0,
    }
)

FLOOR: Mapping[str, float] = MappingProxyType(
    {"adr": 0.5, "rfc": 0.5, "decision-log": 0.5, "rule": 0.8, "skill": 0.5, "doc": 0.4, "symbol": 0.6}
)
LOWEST_FLOOR = 0.2
STATUS_FLOOR: Mapping[str, float] = MappingProxyType(
    {"accepted": 0.8, "rejected": 0.3, "superseded": 0.2, "deprecated": 0.2}
)

FADED = 0.45
"""Below this weight an entry counts as faded."""

FACTOR_LOW, FACTOR_HIGH = 0.55, 1.5

VERDICT_USES: Mapping[str, float] = MappingProxyType({"read": 1.0, "useful": 2.0, "stale": -2.0, "wrong": -4.0})


@dataclass(frozen=True, slots=True)
class Use:
    """An entry was opened or judged: `verdict` is `read`, `useful`, `stale` or `wrong`; `at` in seconds."""

    at: float
    verdict: str = "read"


@dataclass(frozen=True, slots=True)
class Aging:
    """What the weight of an entry depends on besides its uses; moments in seconds since the epoch."""

    kind: str
    status: str | None
    born: float
    changed: float


@dataclass(frozen=True, slots=True)
class HalfLives:
    """Half-lives in days by kind; those not named are the defaults."""

    days: Mapping[str, float] = field(default_factory=lambda: HALF_LIFE_DAYS)

    def seconds(self, kind: str) -> float:
        """The half-life of `kind`."""
        return self.days.get(kind, HALF_LIFE_DAYS.get(kind, 180.0)) * DAY


def floor(kind: str, status: str | None) -> float:
    """The weight below which an entry never falls. A status speaks louder than the kind."""
    return STATUS_FLOOR.get(status or "", FLOOR.get(kind, LOWEST_FLOOR))


def weight(uses: Sequence[Use], aging: Aging, now: float, half_lives: HalfLives) -> float:
    """The weight at `now`, from floor to 1; moments after `now` (a clock that jumped) count as now."""
    half_life = half_lives.seconds(aging.kind)
    last = max(aging.born, aging.changed) + GRACE
    total = 3.0 * _left(last, now, half_life)
    total += sum(VERDICT_USES.get(use.verdict, 0.0) * _left(use.at, now, half_life) for use in uses)
    strength = 1 - 0.5 ** max(total, 0.0)
    lowest = floor(aging.kind, aging.status)
    return float(lowest + (1 - lowest) * strength)


def factor(weight_now: float) -> float:
    """What ranking multiplies by: 1 for a weight of 0.75, bounded so that no weight hides an entry."""
    return min(max(0.25 + weight_now, FACTOR_LOW), FACTOR_HIGH)


def _left(at: float, now: float, half_life: float) -> float:
    return float(0.5 ** (max(now - at, 0.0) / half_life))
