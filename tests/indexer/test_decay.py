from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.decay import DAY, FACTOR_HIGH, FACTOR_LOW, Aging, HalfLives, Use, factor, floor, weight

NOW = 1_800_000_000.0
LIVES = HalfLives()
moments = st.floats(NOW - 3_000 * DAY, NOW + 3_000 * DAY)


def aging(kind: str = "memory-bank", status: str | None = None, age: float = 400 * DAY) -> Aging:
    return Aging(kind, status, NOW - age, NOW - age)


def test_an_unused_note_falls_with_time_to_its_floor() -> None:
    weights = [weight([], aging(), NOW + days * DAY, LIVES) for days in (0, 100, 1_000, 10_000)]
    assert weights == sorted(weights, reverse=True)
    assert abs(weights[-1] - floor("memory-bank", None)) < 1e-3


def test_a_use_raises_the_weight_and_fades_with_the_half_life() -> None:
    unused = weight([], aging(), NOW, LIVES)
    fresh = weight([Use(NOW)], aging(), NOW, LIVES)
    old = weight([Use(NOW - 120 * DAY)], aging(), NOW, LIVES)
    assert fresh > old > unused


def test_an_accepted_record_never_falls_below_its_high_floor() -> None:
    assert weight([], aging("adr", "accepted"), NOW + 100_000 * DAY, LIVES) >= 0.8


def test_a_superseded_record_falls_further_than_an_accepted_one() -> None:
    later = NOW + 3_000 * DAY
    assert weight([], aging("adr", "superseded"), later, LIVES) < weight([], aging("adr", "accepted"), later, LIVES)


def test_feedback_that_it_is_wrong_lowers_the_weight() -> None:
    recent = aging(age=100 * DAY)
    assert weight([Use(NOW, "wrong")], recent, NOW, LIVES) < weight([], recent, NOW, LIVES)


def test_grace_after_a_change_counts_as_use() -> None:
    changed = Aging("memory-bank", None, NOW - 900 * DAY, NOW - DAY)
    assert weight([], changed, NOW, LIVES) > weight([], aging(age=900 * DAY), NOW, LIVES)


@given(st.lists(st.builds(Use, moments, st.sampled_from(["read", "useful", "stale", "wrong"]))), moments, moments)
def test_weights_lie_between_floor_and_one_and_factors_within_their_bounds(
    uses: list[Use], born: float, now: float
) -> None:
    found = weight(uses, Aging("doc", None, born, born), now, LIVES)
    assert floor("doc", None) <= found <= 1.0
    assert FACTOR_LOW <= factor(found) <= FACTOR_HIGH


@given(st.lists(st.builds(Use, moments)), moments)
def test_the_order_of_the_uses_does_not_matter(uses: list[Use], now: float) -> None:
    one = weight(uses, aging(), now, LIVES)
    assert abs(one - weight(list(reversed(uses)), aging(), now, LIVES)) < 1e-9
