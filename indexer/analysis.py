"""Text to index tokens. PURE, and the same function on both sides: what is written and what is asked.

Identifiers are kept whole and split (`getUserById`, `MAX_RETRY_COUNT`, `my-kebab-name`), `C++`, `C#` and `.NET` stay
words, English and Russian words are stemmed by their script, runs of Chinese, Japanese and Korean become bigrams.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import snowballstemmer

MAX_TOKEN = 64
"""Longer tokens are dropped: nobody types them, and a line of base64 would fill the index with them."""

MAX_WORD = 256
"""A run of letters, digits and marks that is longer is no word of a language with blanks."""

COMPOUND = re.compile(r"(?:(?<![^\s(\[\"'`,])\.(?=\w))?\w+(?:(?:[-.]|::)\w+)*(?:\+\+|#(?!\w))?")
PIECE = re.compile(r"[-.:_]+")
CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
LETTERS = re.compile(r"\d+|[^\W\d_]+")
CJK = re.compile(r"[\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+")
CYRILLIC = re.compile(r"[\u0400-\u04ff]")

_STOP_ENGLISH = """a an and are as at be been but by can could did do does for from had has have how i if in into is it
its may of on or our should so than that the their them then there these they this those to up us was we were what
when where which who why will with would you your not s t don ll re ve"""
_STOP_RUSSIAN = """и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от
меня еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас там почему где какой какая какие"""
STOP_WORDS = frozenset((_STOP_ENGLISH + " " + _STOP_RUSSIAN).split())
"""Words that say nothing about what is looked for. A question of these alone finds nothing, and says so."""

_english = snowballstemmer.stemmer("english")
_russian = snowballstemmer.stemmer("russian")


def tokens(text: str) -> list[str]:
    """The tokens of `text` in order, repeated as often as they occur."""
    words = COMPOUND.findall(unicodedata.normalize("NFKC", text))
    return [token for word in words for token in (_word_tokens(word) if len(word) <= MAX_WORD else _of_long(word))]


def _of_long(word: str) -> Iterator[str]:
    """Tokens of what has no blank for long: only scripts without blanks mean something then, base64 does not."""
    return (token for run in CJK.findall(word) for token in _bigrams(run))


@lru_cache(maxsize=200_000)
def _word_tokens(word: str) -> tuple[str, ...]:
    if CJK.search(word):
        return tuple(_with_bigrams(word))
    pieces = [piece for piece in PIECE.split(word.rstrip("+#")) if piece]
    parts = [part for piece in pieces for part in _parts(piece)]
    found = [token for part in parts if (token := _term(part))]
    whole = _fold(word)
    if len(parts) > 1 or whole != _fold("".join(parts)):
        found.append(whole)
        found += [_fold(piece) for piece in pieces if piece != word and len(_parts(piece)) > 1]
    return tuple(token for token in found if len(token) <= MAX_TOKEN)


def _parts(piece: str) -> list[str]:
    """Split at case and digits; only ASCII words have a case that means something."""
    return (CAMEL if piece.isascii() else LETTERS).findall(piece)


def _bigrams(run: str) -> Iterator[str]:
    yield from ([run] if len(run) == 1 else (run[i : i + 2] for i in range(len(run) - 1)))


def _with_bigrams(word: str) -> Iterator[str]:
    for run in CJK.findall(word):
        yield from _bigrams(run)
    for rest in CJK.split(word):
        yield from (_word_tokens(rest) if rest else ())


@lru_cache(maxsize=100_000)
def _term(part: str) -> str:
    folded = _fold(part)
    if folded in STOP_WORDS:
        return ""
    if folded.isdigit():
        return folded.lstrip("0") or "0"
    if CYRILLIC.search(folded):
        return str(_russian.stemWord(folded))
    return str(_english.stemWord(folded))


def _fold(word: str) -> str:
    """Lower case; accents of Latin and Greek letters dropped, `ё` as `е`."""
    if word.isascii():
        return word.lower()
    folded = word.casefold().replace("ё", "е")
    if CYRILLIC.search(folded):
        return unicodedata.normalize("NFC", folded)
    return "".join(c for c in unicodedata.normalize("NFD", folded) if unicodedata.category(c) != "Mn")
