"""Whoosh's own postings, read block by block into numpy arrays and scored with BM25F there.

Whoosh's searcher reads postings one by one in Python; summing the same formula over arrays gives the same ids and
scores many times faster. Only the reading of a block and of a length column touch private attributes, each with a slow
public fall-back; a parity test holds the scores to Whoosh's own searcher.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from whoosh.reading import TermNotFound

K1 = 1.2
B = 0.75
"""The free parameters of BM25 (Robertson and Zaragoza 2009), as Whoosh sets them."""

CACHE_BYTES = 128 * 1024 * 1024

Ids = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Term:
    """One token looked for in one field; its score is multiplied by `boost`."""

    field: str
    token: str
    boost: float


@dataclass(slots=True)
class Posting:
    """The documents of a segment that hold a token, ascending, and how often.

    `part` is the saturated frequency for the average field length `average`; it is made anew when that changes.
    """

    documents: Ids
    weights: Floats
    average: float = 0.0
    part: Floats | None = None

    @property
    def size(self) -> int:
        """Bytes that this takes in the cache."""
        return int(self.documents.nbytes + 2 * self.weights.nbytes)


@dataclass(frozen=True, slots=True)
class Match:
    """A document found: its entry's id, its BM25F score, and the share of the question's tokens that it holds.

    The share is weighed by rarity and lies between 0 and 1.
    """

    id: int
    score: float
    coverage: float


class PostingCache:
    """Decoded postings, the least recently used dropped beyond `CACHE_BYTES`."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], Posting | None] = OrderedDict()
        self._bytes = 0

    def get(self, key: tuple[str, str, str]) -> Posting | None:
        """The posting of (segment, field, token), None when the token is absent; KeyError when it is not known."""
        posting = self._kept[key]
        self._kept.move_to_end(key)
        return posting

    def put(self, key: tuple[str, str, str], posting: Posting | None) -> None:
        """Keep `posting`, dropping others as needed."""
        self._kept[key] = posting
        self._bytes += posting.size if posting else 0
        while self._bytes > CACHE_BYTES and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= dropped.size if dropped else 0

    def keep_segments(self, names: set[str]) -> None:
        """Drop what belongs to segments that are gone."""
        for key in [key for key in self._kept if key[0] not in names]:
            dropped = self._kept.pop(key)
            self._bytes -= dropped.size if dropped else 0


class Segment:
    """One immutable segment of the index; only its deletions differ from snapshot to snapshot."""

    def __init__(self, reader: Any) -> None:  # noqa: ANN401 - whoosh ships no usable types
        self._reader = reader
        self.name: str = reader.segment().segment_id()
        self.size: int = reader.doc_count_all()
        self.ids: Ids = np.fromiter((fields["id"] for fields in self._stored()), dtype=np.int64, count=self.size)
        self._lengths: dict[str, Floats] = {}

    def _stored(self) -> Iterator[dict[str, int]]:
        return (self._reader.stored_fields(number) for number in range(self.size))

    def lengths(self, field: str) -> Floats:
        """The number of tokens of each document in `field`, as Whoosh rounds it to one byte."""
        if field not in self._lengths:
            read = self._reader.doc_field_length
            lengths = (read(number, field) or 0 for number in range(self.size))
            self._lengths[field] = np.fromiter(lengths, dtype=np.float64, count=self.size)
        return self._lengths[field]

    def field_length(self, field: str) -> int:
        """The sum of the lengths of all documents in `field`, deleted ones included."""
        return int(self._reader.field_length(field))

    def decode(self, field: str, token: str) -> Posting | None:
        """Read the postings of `token`; deleted documents are still among them."""
        try:
            matcher = self._reader._terms.matcher(  # noqa: SLF001 - the public door hides deletions one by one
                field, token.encode(), self._reader.schema[field].format
            )
        except (TermNotFound, KeyError):
            return None
        documents, weights = _columns(matcher)
        return Posting(documents, weights)


def _columns(matcher: Any) -> tuple[Ids, Floats]:  # noqa: ANN401 - whoosh ships no usable types
    if not hasattr(matcher, "_read_ids"):
        return _columns_slowly(matcher)
    documents: list[npt.NDArray[np.int64]] = []
    weights: list[npt.NDArray[np.float64]] = []
    while matcher.is_active():
        matcher._read_ids()  # noqa: SLF001 - a block at once is what makes this fast
        matcher._read_weights()  # noqa: SLF001
        documents.append(np.asarray(matcher._ids, dtype=np.int64))  # noqa: SLF001
        weights.append(np.asarray(matcher._weights, dtype=np.float64))  # noqa: SLF001
        matcher._next_block()  # noqa: SLF001
    return np.concatenate(documents), np.concatenate(weights)


def _columns_slowly(matcher: Any) -> tuple[Ids, Floats]:  # noqa: ANN401 - whoosh ships no usable types
    documents: list[int] = []
    weights: list[float] = []
    while matcher.is_active():
        documents.append(matcher.id())
        weights.append(matcher.weight())
        matcher.next()
    return np.asarray(documents, dtype=np.int64), np.asarray(weights, dtype=np.float64)


class Snapshot:
    """The index as of one commit: what readers search, whatever is written meanwhile. Safe to share between threads."""

    def __init__(self, reader: Any, previous: Snapshot | None = None) -> None:  # noqa: ANN401 - whoosh has no types
        leaves = [leaf for leaf, _ in reader.leaf_readers()] if reader.doc_count_all() else []
        known = {segment.name: segment for segment in previous.segments} if previous else {}
        self.segments: list[Segment] = [known.get(leaf.segment().segment_id()) or Segment(leaf) for leaf in leaves]
        self._live = [_live(leaf) for leaf in leaves]
        self._documents = sum(segment.size for segment in self.segments)
        self._cache: PostingCache = previous._cache if previous else PostingCache()  # noqa: SLF001 - a successor inherits it
        self._lock: threading.Lock = previous._lock if previous else threading.Lock()  # noqa: SLF001 - it guards the shared cache
        with self._lock:
            self._cache.keep_segments({segment.name for segment in self.segments})

    def ids(self) -> set[int]:
        """The ids of all documents that are not deleted."""
        found = [segment.ids[live] for segment, live in zip(self.segments, self._live, strict=True)]
        return set(np.concatenate(found).tolist()) if found else set()

    def __len__(self) -> int:
        return sum(int(live.sum()) for live in self._live)

    def search(self, terms: Sequence[Term], only: Mapping[str, Sequence[str]], limit: int) -> list[Match]:
        """The best `limit` documents by BM25F, best first, ties by age in the index.

        `only` maps a field to the tokens of which a document must hold at least one.
        """
        if not self.segments:
            return []
        with self._lock:
            rarity = self._token_rarity(terms)
            scored = [self._scores(number, terms, rarity) for number in range(len(self.segments))]
            masks = [self._mask(number, only) for number in range(len(self.segments))]
        hits = [np.flatnonzero((score > 0) & mask) for (score, _), mask in zip(scored, masks, strict=True)]
        ids = np.concatenate([segment.ids[at] for segment, at in zip(self.segments, hits, strict=True)])
        scores = np.concatenate([score[at] for (score, _), at in zip(scored, hits, strict=True)])
        covered = np.concatenate([cover[at] for (_, cover), at in zip(scored, hits, strict=True)])
        covered /= sum(rarity.values()) or 1.0
        best = _best(scores, limit)
        columns = zip(ids[best].tolist(), scores[best].tolist(), covered[best].tolist(), strict=True)
        return [Match(*column) for column in columns]

    def _token_rarity(self, terms: Sequence[Term]) -> dict[str, float]:
        """How much each token says: its rarity in the field where it is most common; the most for an unknown one."""
        rarity: dict[str, float] = {}
        for term in terms:
            rare = self._rarity(term.field, term.token)
            rarity[term.token] = min(rarity.get(term.token, rare), rare)
        return rarity

    def _scores(self, number: int, terms: Sequence[Term], rarity: Mapping[str, float]) -> tuple[Floats, Floats]:
        """The BM25F score of each document of a segment, and the summed rarity of the tokens that it holds."""
        segment = self.segments[number]
        total = np.zeros(segment.size, dtype=np.float64)
        held = {token: np.zeros(segment.size, dtype=np.bool_) for token in rarity}
        for term in terms:
            posting = self._posting(segment, term.field, term.token)
            if posting is None:
                continue
            average = self._average(term.field)
            if posting.part is None or posting.average != average:
                posting.part = _saturated(posting, segment.lengths(term.field), average)
                posting.average = average
            total[posting.documents] += term.boost * self._rarity(term.field, term.token) * posting.part
            held[term.token][posting.documents] = True
        covered = np.zeros(segment.size, dtype=np.float64)
        for token, mask in held.items():
            covered[mask] += rarity[token]
        return total, covered

    def _mask(self, number: int, only: Mapping[str, Sequence[str]]) -> Mask:
        mask = self._live[number].copy()
        for field, wanted in only.items():
            allowed = np.zeros(len(mask), dtype=np.bool_)
            for token in wanted:
                if posting := self._posting(self.segments[number], field, token):
                    allowed[posting.documents] = True
            mask &= allowed
        return mask

    def _posting(self, segment: Segment, field: str, token: str) -> Posting | None:
        key = (segment.name, field, token)
        try:
            return self._cache.get(key)
        except KeyError:
            posting = segment.decode(field, token)
            self._cache.put(key, posting)
            return posting

    def _rarity(self, field: str, token: str) -> float:
        postings = (self._posting(segment, field, token) for segment in self.segments)
        count = sum(len(posting.documents) for posting in postings if posting)
        return math.log(self._documents / (count + 1)) + 1

    def _average(self, field: str) -> float:
        return sum(segment.field_length(field) for segment in self.segments) / (self._documents or 1) or 1.0


def _live(leaf: Any) -> Mask:  # noqa: ANN401 - whoosh ships no usable types
    live = np.ones(leaf.doc_count_all(), dtype=np.bool_)
    if leaf.has_deletions():
        live[list(leaf.segment().deleted_docs())] = False
    return live


def _saturated(posting: Posting, lengths: Floats, average: float) -> Floats:
    norm = K1 * ((1 - B) + B * lengths[posting.documents] / average)
    saturated: Floats = posting.weights * (K1 + 1) / (posting.weights + norm)
    return saturated


def _best(scores: Floats, limit: int) -> Ids:
    """Positions of the `limit` highest scores, highest first."""
    kept = np.arange(len(scores))
    if len(scores) > limit:
        # Everything that ties with the last place is kept, so that the order below decides and not the partition.
        threshold = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        kept = np.flatnonzero(scores >= threshold)
    order = np.argsort(-scores[kept], kind="stable")[:limit]
    best: Ids = kept[order]
    return best
