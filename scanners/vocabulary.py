"""The words that metadata and headings of records use, in the languages they are written in.

A key or heading is compared by its canonical name (`key_of`); the words of a language stand in one tuple each.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType

_KEYS: dict[str, tuple[str, ...]] = {
    "status": (
        "status", "decision status", "adr status", "current status", "rfc status", "approval status", "stage",
        "statut", "état", "estado", "situação", "статус", "состояние решения",
        "状态", "狀態", "ステータス", "状態", "stato",
    ),
    "date": (
        "date", "decision date", "date decided", "decided on", "decided at", "decided", "date of decision", "datum",
        "fecha", "data", "дата", "дата решения", "日期", "日付", "决策日期", "決定日", "adr date",
    ),
    "created": (
        "created", "creation date", "created at", "created on", "created date", "date created", "start date",
        "assigned", "date proposed", "proposed on", "proposed date", "date submitted", "ratified", "erstellt",
        "erstellt am", "creado", "fecha de creación", "date de création", "créé le", "создано", "дата создания",
        "criado em", "创建日期", "创建时间", "作成日", "accepted date", "date accepted", "accepted on",
    ),
    "updated": (
        "updated", "last updated", "last update", "last modified", "last amended", "updated at", "modified",
        "last change", "last changed", "date updated", "update date", "last reviewed", "zuletzt aktualisiert",
        "aktualisiert", "dernière mise à jour", "última actualización", "обновлено", "última atualização", "更新日",
        "更新日期", "最后更新",
    ),
    "deciders": (
        "deciders", "decider", "decision makers", "decision maker", "decision owner", "decision owners", "decided by",
        "author", "authors", "author s", "co authors", "co author", "owner", "owners", "sponsor", "sponsors",
        "proposed by", "proposer", "champion", "champions", "approvers", "approved by", "made by", "created by",
        "written by",
        "décisionnaires", "décideurs", "participants", "participant", "auteur", "auteurs", "entscheider",
        "entscheidungsträger", "autor", "autoren", "verantwortlich", "beteiligte", "decisores", "autores", "autor es",
        "responsable", "responsables", "decisor", "responsáveis", "responsável", "авторы", "автор", "ответственный",
        "ответственные", "участники", "принимающие решение", "лица принимающие решение", "决策者", "作者", "决策人",
        "負責人", "负责人", "決定者", "意思決定者", "著者", "担当者", "feature author", "rfc author", "rfc authors",
    ),
    "supersedes": (
        "supersedes", "supercedes", "superseded adrs", "replaces", "obsoletes", "remplace", "ersetzt", "reemplaza a",
        "reemplaza", "sustituye a", "substitui", "заменяет", "取代", "替代", "置き換え対象",
    ),
    "superseded-by": (
        "superseded by", "superceded by", "supersededby", "replaced by", "replacement", "proposed replacement",
        "obsoleted by", "successor", "remplacé par", "ersetzt durch", "abgelöst durch", "reemplazada por",
        "reemplazado por", "sustituido por", "sustituida por", "substituído por", "substituída por", "заменено на",
        "заменён на", "заменено", "被替代", "被取代", "取代者", "置き換え先",
    ),
    "amends": ("amends", "modifies", "extends", "updates", "refines", "modifie", "ergänzt", "modifica", "amplía"),
    "amended-by": ("amended by", "modified by", "extended by", "refined by", "updated by"),
    "related": (
        "related", "related adrs", "related adr", "related decisions", "related decision", "related records",
        "relates to", "related to", "see also", "requires", "depends on",
        "defers to", "related rfcs", "related proposals", "related documents", "verwandte adrs", "siehe auch",
        "related prd", "related issues", "adrs relacionados", "связанные решения", "связанные adr", "相关决策", "関連",
    ),
    "title": ("title", "name", "titel", "titre", "título", "заголовок", "标题", "タイトル", "feature name", "feature"),
    "number": (
        "number", "adr", "id", "dep", "pep", "bip", "jep", "oep", "sep", "tep", "rfc", "kep number", "adr number",
        "record", "adr id", "nummer", "número", "номер", "编号", "番号", "slug", "proposal", "decision id",
    ),
    "tags": ("tags", "tag", "keywords", "labels", "category", "categories", "topics", "schlagworte", "теги", "标签"),
}  # fmt: skip


MAX_KEY = 60
ASIDE = re.compile(r"\s*\([^()]{0,60}\)\s*$")


@lru_cache(maxsize=4_096)
def words_of(text: str) -> str:
    """The text as keys are compared: small letters, single blanks, no marks and no trailing colon."""
    text = re.sub(r"[\s_()/-]+", " ", re.sub(r"^[^\w#]+", "", text.casefold()))
    return text.strip(" *_`#.:\uff1a·•–—[]")


KEYS = MappingProxyType({words_of(word): key for key, words in _KEYS.items() for word in words})
"""Canonical key of each word."""

SECTION_ONLY = frozenset(
    words_of(word)
    for word in (
        "summary", "purpose", "abstract", "context", "motivation", "status", "overview", "introduction", "background",
        "problem", "problem statement", "goals", "decision", "decisions", "metadata", "why", "what changes", "tl;dr",
        "proposal", "changelog", "context and problem statement", "problem statement and context", "rationale",
        "consequences", "table of contents", "contents", "intro", "requirements", "description", "date", "impact",
        "design", "scope", "objective", "vote", "feature name", "basic example", "how to use", "usage", "rules",
        "contexte", "contexte et énoncé du problème", "décision", "conséquences", "statut", "résumé", "kontext",
        "entscheidung", "konsequenzen", "zusammenfassung", "einleitung", "contexto", "decisión", "consecuencias",
        "estado", "resumen", "decisão", "consequências", "resumo", "контекст", "решение", "последствия", "статус",
        "введение", "背景", "决策", "决定", "影响", "后果", "状态", "概述", "決定",
        "結果", "ステータス", "概要", "コンテキスト",
        "issue", "group", "assumptions", "constraints", "positions", "argument", "implications", "added requirements",
        "modified requirements", "removed requirements", "renamed requirements", "core principles",
    )
)  # fmt: skip
"""Headings that name a part of a document and are never its title."""

_DECISION = (
    "context", "decision", "decisions", "consequences", "decision outcome", "considered options", "decision drivers",
    "context and problem statement", "options considered", "alternatives considered", "pros and cons of the options",
    "rationale", "alternatives", "problem and context", "proposal", "status", "implications", "positions",
    "contexte", "contexte et énoncé du problème", "décision", "conséquences", "résultat de la décision",
    "options considérées", "options envisagées", "facteurs de décision", "kontext", "entscheidung", "konsequenzen",
    "kontext und problemstellung", "betrachtete optionen", "betrachtete alternativen", "contexto", "decisión",
    "consecuencias", "alternativas consideradas", "decisão", "consequências", "контекст", "решение", "последствия",
    "рассмотренные варианты", "варианты", "背景", "决策", "决定", "影响", "后果", "备选方案", "決定",
    "結果", "コンテキスト",
    "決定内容", "代替案", "検討した選択肢",
)  # fmt: skip
DECISION_SECTIONS = frozenset(map(words_of, _DECISION))
"""Headings that decision records have."""

_OUTCOME = (
    "decision", "decisions", "decision outcome", "décision", "résultat de la décision", "entscheidung", "decisión",
    "decisão", "решение", "决策", "决定", "決定", "決定内容", "our decision", "the decision",
)  # fmt: skip
OUTCOME_SECTIONS = frozenset(map(words_of, _OUTCOME))

DESIGN_SECTIONS = frozenset(
    map(
        words_of,
        (
            "alternatives considered", "proposed solution", "detailed design", "unresolved questions", "drawbacks",
            "rejected alternatives", "prior art", "open questions", "considered options", "guide-level explanation",
            "reference-level explanation", "how we teach this", "alternatives", "risks and mitigations",
            "graduation criteria", "non-goals", "problem statement", "problem statement and context",
            "proposed design", "backwards compatibility", "security considerations", "resource usage",
            "single point of failure and multi client considerations", "risks & uncertainties",
            "failure mode analysis", "impact on developer experience",
        ),
    )
)  # fmt: skip
"""Headings that design documents and requests for comments have."""


def key_of(name: str) -> str | None:
    """The canonical key of a metadata key or heading, None when it is no metadata."""
    if len(name) > MAX_KEY:
        return None
    return KEYS.get(words_of(name)) or KEYS.get(words_of(ASIDE.sub("", name)))


@lru_cache(maxsize=4_096)
def section_word(heading: str) -> str:
    """A heading as section words are compared: without its number and pictures."""
    return words_of(re.sub(r"^[\W\d_]+(?=\w)", "", heading) or heading)
