"""Words of states, shapes of dates, names of people, languages."""

from __future__ import annotations

import pytest

from scanners import dates, language, people, status


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("Accepted.", "accepted"),
        ("**Accepted** 2023-06-05", "accepted"),
        ("ACTIVE", "accepted"),
        ("Implemented (Swift 3.0)", "accepted"),
        ("This decision is currently in effect.", "accepted"),
        ("Accepted (PR #2897)", "accepted"),
        ("accepted; supersedes ADR-0045", "accepted"),
        ("✅ Aceptada", "accepted"),
        ("Angenommen", "accepted"),
        ("Принято", "accepted"),
        ("已采纳", "accepted"),
        ("承認済み", "accepted"),
        ("provisional", "proposed"),
        ("Under Review", "proposed"),
        ("Active review", "proposed"),
        ("This decision is currently under ongoing discussion.", "proposed"),
        ("🟡 Proposto", "proposed"),
        ("提案中", "proposed"),
        ("Brouillon", "draft"),
        ("WIP", "draft"),
        ("Rejected in favour of ADR 111", "rejected"),
        ("Withdrawn", "rejected"),
        ("Отклонено", "rejected"),
        ("却下", "rejected"),
        ("*deprecated*", "deprecated"),
        ("Obsolete", "deprecated"),
        ("veraltet", "deprecated"),
        ("非推奨", "deprecated"),
        ("Superceded by 3", "superseded"),
        ("Supersedced", "superseded"),
        ("Superseded (as never implemented) by [ADR 32](/adr/32)", "superseded"),
        ("Accepted, superseded by ADR-3", "superseded"),
        ("Withdrawn (superseded by PEP 4)", "superseded"),
        ("remplacé par 0012", "superseded"),
        ("Ersetzt durch ADR-9", "superseded"),
        ("被 ADR-3 取代\uff0c已替代", "superseded"),
        ("Not accepted", None),
        ("[Proposed | Accepted | Rejected]", None),
        ("{Deprecated|Proposed|Accepted}", None),
        ("proposed, accepted, rejected or deprecated", None),
        ("STATUS", None),
        ("RESOLVED", None),
        ("", None),
    ],
)
def test_a_status_is_understood_in_the_words_of_the_file(raw: str, wanted: str | None) -> None:
    assert status.normalise(raw) == wanted


def test_of_several_states_the_most_final_one_counts() -> None:
    assert status.most_final(["accepted", "superseded", "draft"]) == "superseded"
    assert status.most_final([]) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2024-03-09", "2024-03-09"),
        ("2016-11-05T00:00:00.000Z", "2016-11-05"),
        ("2024/3/9", "2024-03-09"),
        ("20240309", "2024-03-09"),
        ("28-Apr-2005", "2005-04-28"),
        ("29/06/2025 15:20", "2025-06-29"),
        ("03/03/2022: initial draft", "2022-03-03"),
        ("12/31/2024", "2024-12-31"),
        ("9.3.2024", "2024-03-09"),
        ("March 9th, 2024", "2024-03-09"),
        ("9 March 2024", "2024-03-09"),
        ("14. Januar 2026", "2026-01-14"),
        ("5 марта 2024 г.", "2024-03-05"),
        ("27 de mayo de 2025", "2025-05-27"),
        ("2024年3月9日", "2024-03-09"),
        ("2019-04", "2019-04"),
        ("April 2019", "2019-04"),
        ("2024-02-30", None),
        ("Python 3.11.2", None),
        ("DATE", None),
        ("1.2.3", None),
    ],
)
def test_a_date_is_read_in_the_shape_it_has(text: str, wanted: str | None) -> None:
    assert dates.parse(text) == wanted


def test_other_dates_of_the_document_tell_which_part_is_the_month() -> None:
    assert dates.month_comes_first(["04/02/2024", "03/25/2024"])
    assert not dates.month_comes_first(["04/02/2024", "25/03/2024"])
    assert dates.parse("04/02/2024", month_first=True) == "2024-04-02"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("2023-05-06_014-keep", ("2023-05-06", "014-keep")),
        ("20240219-revisit", ("2024-02-19", "revisit")),
        ("2021_09_21_choose", ("2021-09-21", "choose")),
        ("2026-01-content-system", ("2026-01", "content-system")),
        ("0012-x", None),
        ("20249999-x", None),
    ],
)
def test_a_name_may_begin_with_a_date(name: str, wanted: tuple[str, str] | None) -> None:
    assert dates.leading(name) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("Ada Bell <ada@example.org>, Grace Holt", ("Ada Bell", "Grace Holt")),
        ("Ada Bell (ada@example.org) and Grace Holt", ("Ada Bell", "Grace Holt")),
        ("[@bell][gh-bell], [Grace](https://example.org)", ("@bell", "Grace")),
        ("link:https://example.org/bell[Ada Bell]", ("Ada Bell",)),
        ("Ada Bell (CTO); Lin", ("Ada Bell", "Lin")),
        ("Ada Bell\nGrace Holt", ("Ada Bell", "Grace Holt")),
        ("张三、李四", ("张三", "李四")),
        ("ada@example.org", ("ada",)),
        ("[list everyone involved in the decision]", ()),
        ("TBD", ()),
        ("Ada Bell, others to be determined.", ("Ada Bell",)),
    ],
)
def test_people_are_named_without_their_addresses(value: str, wanted: tuple[str, ...]) -> None:
    assert people.names([value]) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We will use this, and that is the decision of the team.", "en"),
        ("Wir werden das nicht mit der Tabelle machen und es ist gut.", "de"),
        ("Nous avons une table qui est dans la base, et ce sont les données.", "fr"),
        ("La tabla no es lo que se usa para los pedidos de la tienda.", "es"),
        ("A tabela não é o que se usa para os pedidos da loja.", "pt"),
        ("Мы берём очередь, потому что таблица не успевает.", "ru"),
        ("我们使用 Redis 队列\uff0c因为表太慢。", "zh"),
        ("テーブルは遅いので Redis を使います。", "ja"),
        ("12 + 34", None),
    ],
)
def test_the_language_is_that_of_the_prose(text: str, wanted: str | None) -> None:
    assert language.detect(text) == wanted
