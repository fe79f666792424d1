"""The language of a text, by script and by its commonest words."""

from __future__ import annotations

import re
from collections import Counter

SAMPLE = 8_000
ENOUGH = 3
_STOP = {
    "en": "the and of to is in that we this for with be are it as on not by from will which should can",
    "de": "der die das und ist nicht wir für mit werden ein eine den von zu auf wird sich dem im als auch des bei",
    "fr": "le la les des et est une pour dans que nous qui par sur avec pas ce sont du au en cette un ou",
    "es": "el la los las de que y en un una para con por se del es como más no al lo su este está",
    "pt": "o a os as de que e em um uma para com por se do da é não como mais ao no na dos das são foi",
}
_WORDS = {language: frozenset(words.split()) for language, words in _STOP.items()}
_SCRIPTS = tuple(re.compile(f"[{script}]+") for script in ("぀-ヿ", "一-鿿", "Ѐ-ӿ", "A-Za-zÀ-ɏ"))
_WORD = re.compile(r"[^\W\d_]+")


def detect(text: str) -> str | None:
    """The language of the prose: en, ru, de, fr, es, pt, zh or ja; None for too little text to say."""
    sample = text[:SAMPLE]
    kana, han, cyrillic, latin = (sum(map(len, script.findall(sample))) for script in _SCRIPTS)
    if kana + han > latin / 6 and kana + han > ENOUGH:
        return "ja" if kana > han / 10 else "zh"
    if cyrillic > latin / 3 and cyrillic > ENOUGH:
        return "ru"
    counts = Counter(_WORD.findall(sample.casefold()))
    scores = {language: sum(counts[word] for word in words) for language, words in _WORDS.items()}
    best = max(scores, key=lambda language: scores[language])
    if scores[best] >= ENOUGH:
        return best
    return "en" if latin else None
