"""The state of a decision: from the words of the file to one of `model.STATUSES`."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX = 300
FINALITY = ("superseded", "deprecated", "rejected", "accepted", "proposed", "draft")
"""Most final first: of two states that a file gives itself, the later one in its life holds."""

_WORDS: dict[str, tuple[str, ...]] = {
    "superseded": (
        r"super[sc]e{1,2}[cd]{1,2}ed", r"superse?ded?by", r"replaced", r"supplanted", r"obsoleted by",
        r"invalidated by",
        r"remplacée?s?", r"ersetzt", r"abgelöst", r"reemplazad[oa]", r"sustituid[oa]", r"substituíd[oa]",
        r"заменен[оа]?", r"заменён", r"заменена", r"замещен[оа]?",
        "已替代", "已取代", "被替代", "被取代", "已被", "置き換え",
        "廃止", "置換",
    ),
    "deprecated": (
        r"deprecated", r"discontinued", r"invalidated", r"obsolete", r"abandoned", r"retired", r"expired", r"outdated",
        r"reverted", r"dropped",
        r"obsolète", r"déprécié", r"veraltet", r"überholt", r"obsolet[oa]", r"deprecad[oa]", r"descontinuad[oa]",
        r"устарел[оа]?", r"устаревшее", "已废弃", "废弃", "弃用", "已弃用", "非推奨",
    ),
    "rejected": (
        r"rejected", r"declined", r"withdrawn", r"denied", r"refused", r"closed without", r"won'?t do", r"cancell?ed",
        r"rejetée?", r"refusée?", r"abgelehnt", r"verworfen", r"zurückgezogen", r"rechazad[oa]", r"rejeitad[oa]",
        r"отклонен[оа]?", r"отклонён", r"отклонена", r"отвергнут[оа]?", "已拒绝", "拒绝", "否决", "却下", "❌",
    ),
    "accepted": (
        r"accepted", r"approved", r"active(?! review| discussion)", r"adopted", r"implemented",
        r"ready[- ]for[- ]release",
        r"final(?! review| comment)", r"finalized", r"deployed",
        r"in effect", r"ratified", r"agreed", r"decided", r"done", r"complete", r"completed", r"implementable",
        r"in force", r"merged", r"released", r"recommended", r"enforced", r"living", r"stable", r"amended",
        r"akzeptiert", r"angenommen", r"beschlossen", r"entschieden", r"genehmigt", r"umgesetzt", r"aktiv", r"gültig",
        r"acceptée?", r"adoptée?", r"approuvée?", r"validée?", r"aceptad[oa]", r"aprobad[oa]", r"implementad[oa]",
        r"aceit[oa]", r"aprovad[oa]", r"принят[оаы]?", r"принято", r"утвержден[оа]?", r"утверждён", r"одобрен[оа]?",
        r"внедрено", r"реализован[оа]?", r"действует",
        "已接受", "已采纳", "接受", "采纳", "已批准", "已通过", "生效", "已实施", "承認", "承認済み", "採用",
        "受理", "採択", "✅", "✔",
    ),
    "proposed": (
        r"proposed", r"provisional", r"under review", r"in review", r"review", r"deferred", r"rfc", r"pending",
        r"under discussion", r"under ongoing discussion", r"in discussion", r"discussion", r"proposal", r"open",
        r"in progress", r"revision", r"awaiting", r"request for comments?", r"postponed", r"on hold", r"submitted",
        r"tentative", r"suggested", r"exploring", r"planned",
        r"vorgeschlagen", r"in diskussion", r"vorschlag", r"in prüfung", r"offen", r"proposée?", r"en discussion",
        r"propuest[oa]", r"pendiente", r"en revisión", r"propost[oa]", r"pendente", r"предложен[оа]?", r"предлагается",
        r"на рассмотрении", r"обсуждается", r"в обсуждении", r"отложен[оа]?",
        "提议", "已提议", "提案中", "提案", "待定", "讨论中", "审核中", "検討中",
        "保留", "レビュー中", "🟡",
    ),
    "draft": (
        r"draft", r"wip", r"work in progress", r"brouillon", r"entwurf", r"borrador", r"rascunho", r"черновик",
        "草稿", "草案", "ドラフト", "下書き",
    ),
}  # fmt: skip
_IDEOGRAPH = re.compile(r"[^\x00-ɏЀ-ӿ]")
_PATTERNS = tuple(
    (state, re.compile("|".join(word if _IDEOGRAPH.search(word) else rf"(?<![\w-]){word}(?!\w)" for word in words)))
    for state, words in _WORDS.items()
)
_NEGATED = re.compile(r"\b(?:not|never|nicht|no|non|не|pas)\s+(?:yet\s+|been\s+|noch\s+|encore\s+|еще\s+|ещё\s+)?$")


def normalise(raw: str) -> str | None:
    """The state that a status text tells, None when it tells none (a placeholder, an unknown word)."""
    text = " ".join(raw[:MAX].casefold().split())
    if not text or is_placeholder(text):
        return None
    found = {state: at for state, pattern in _PATTERNS if (at := _position(pattern, text)) is not None}
    if not found:
        return None
    if "superseded" in found:
        return "superseded"
    return min(found, key=lambda state: (found[state], FINALITY.index(state)))


def is_placeholder(raw: str) -> bool:
    """Say whether a status text offers choices or waits to be filled in."""
    text = raw.strip().strip("\"'`* \\").casefold()
    if text in {"status", "{status}", "[status]", "<status>", "tbd", "todo", "xxx", "…", "..."}:
        return True
    words = [state for state, pattern in _PATTERNS if pattern.search(text)]
    if text[:1] in "{[<" and ("|" in text or "/" in text or not words):
        return True
    choices = max(text.count("/"), text.count(","), text.count(" or ") + text.count(" oder "))
    return (len(words) >= 2 and "|" in text) or (len(words) > 2 and choices >= len(words) - 2)  # noqa: PLR2004 - a choice


def most_final(states: Iterable[str]) -> str | None:
    """Of several states the one that comes last in the life of a decision."""
    known = [state for state in states if state in FINALITY]
    return min(known, key=FINALITY.index, default=None)


def _position(pattern: re.Pattern[str], text: str) -> int | None:
    for match in pattern.finditer(text):
        if not _NEGATED.search(text[max(0, match.start() - 30) : match.start()]):
            return match.start()
    return None
