"""Answers of the index as short texts for models. Pure; the only place that knows these wire shapes.

Ids, words of state and places stand outside the fence and are ours to vouch for. Titles, snippets and texts are the
repository's and stand inside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from mcp_bridge.fence import Draw, Page, bounded, clean, fenced, legend, mark_for, one_line

Json = Mapping[str, Any]

GROUPS = ("governed_by", "superseded_by", "supersedes", "mentions", "mentioned_by", "defined_in")
MOST_ROOTS = 6
MOST_RELATIONS = 12
MOST_CHECKED = 8
SMALLEST_SNIPPET = 80
"""Characters under which the beginning of a snippet says nothing."""


def present_search(answer: Json, max_tokens: int, offset: int, draw: Draw) -> str:
    """Hits from `offset` on: a line of provenance each, then its fenced title and snippet."""
    page = _page(answer, _searched(answer), max_tokens)
    hits = list(answer["hits"])[offset:]
    if not hits:
        return page.end(_nothing(answer, offset))
    quotes = [_quote(hit) for hit in hits]
    mark = mark_for([*quotes, *map(_provenance, hits)], draw)
    page.begin(legend(mark))
    for number, (hit, quote) in enumerate(zip(hits, quotes, strict=True)):
        if not _add_hit(page, f"{offset + number + 1}. {_provenance(hit)}", quote, mark):
            return page.end(
                f"{_count(len(hits) - number, 'more hit')}; ask with offset={offset + number}, "
                "a larger max_tokens, or narrow by kind"
            )
    return page.end()


def present_read(answer: Json, max_tokens: int, from_line: int, draw: Draw) -> str:
    """One entry: what it is, how it stands to others, whether its code still stands, then its text by whole lines."""
    entry, freshness = answer["entry"], answer["freshness"]
    page = _page(answer, [(entry["root"], answer.get("branch"))], max_tokens)
    text = clean(entry["text"])
    head = [_provenance({**entry, "freshness": freshness.get("verdict"), "superseded_by": ()}), *_relations(answer)]
    broken = "\n".join(_broken(freshness.get("details", ())))
    mark = mark_for([text, broken, *head], draw)
    for line in (*head, legend(mark)):
        page.begin(line)
    if broken:
        page.add(f"code it names that does not stand as named:\n{fenced(mark, broken)}")
    return page.end(_add_text(page, entry, text, from_line, mark))


def present_related(answer: Json, max_tokens: int, draw: Draw) -> str:
    """What is related to the target, group by group with one line each, then the fenced titles by number."""
    target, groups = answer["target"], answer["groups"]
    page = _page(answer, [(target.get("root"), answer.get("branch"))], max_tokens)
    name = one_line(target.get("symbol") or target.get("id") or target.get("path") or "the target", 200)
    rows = [(group, hit) for group in GROUPS for hit in groups.get(group, ())]
    if not groups.get("governed_by"):
        page.add(f"nothing governs {name}")
    titles = [f"{number}. {one_line(hit.get('title') or '', 160)}" for number, (_, hit) in enumerate(rows, 1)]
    lines = list(_grouped(rows))
    mark = mark_for([*titles, *lines], draw)
    page.keep += 2 * len(mark) + len(legend(mark)) + 10
    shown = 0
    for line, title in zip(lines, titles, strict=True):
        reserved = len(title.encode()) + 1  # the title stands apart, further down
        page.keep += reserved
        if not page.add(line):
            page.keep -= reserved
            break
        shown += 1
    page.keep = 0
    if shown:
        quoted = fenced(mark, "\n".join(titles[:shown]))
        page.add(f"{legend(mark)}\n{quoted}")
    left = len(rows) - shown
    return page.end(f"{_count(left, 'more')}; ask with a larger max_tokens" if left else "")


def present_status(answer: Json) -> str:
    """State, then one line per root; what keeps the index from being whole is said."""
    page = _page(answer, [], 4_000)
    if not answer.get("roots"):
        page.add("no root is registered; a person adds one with: lorewatch scan PATH")
    for root in answer.get("roots", ()):
        counts = ", ".join(f"{root.get(name, 0)} {name}" for name in ("files", "entries", "symbols"))
        skipped = sum((root.get("skipped") or {}).values())
        line = f"{_named(root['name'], root.get('branch'))}: {counts}, {skipped} skipped"
        gone = "; its folder is gone" if root.get("missing") else ""
        page.add(f"{line}, compared with the disk {root.get('last_reconcile') or 'never'}{gone}")
    if progress := answer.get("progress"):
        root, done, total = progress
        page.add(f"reading {one_line(root, 80)}: {done} of {total} files")
    if answer.get("overflows"):
        page.add(f"{_count(answer['overflows'], 'overflow')} of file events, each followed by a full comparison")
    for note in answer.get("notes") or ():
        page.add(one_line(note))
    return page.end()


def present_feedback(answer: Json) -> str:
    """Whether the judgement counted."""
    what = f"{one_line(answer['verdict'], 20)} for {one_line(answer['id'])}"
    return f"recorded: {what}" if answer.get("recorded") else f"not recorded again, it counted already: {what}"


# The first line


def _page(answer: Json, roots: Sequence[tuple[Any, Any]], max_tokens: int) -> Page:
    """A page that begins with the state: roots with branch, state, moment, what is pending."""
    page = Page(max_tokens)
    named = [_named(name, branch) for name, branch in roots[:MOST_ROOTS] if name]
    if len(roots) > MOST_ROOTS:
        named.append(f"{len(roots) - MOST_ROOTS} more")
    parts = [f"{'root' if len(roots) == 1 else 'roots'} {', '.join(named)}"] if named else []
    parts.append(f"state {one_line(answer.get('state') or 'unknown', 20)}")
    parts.append(f"as of {answer['as_of']}" if answer.get("as_of") else "never compared with the disk")
    pending = [_count(count, name.removesuffix("s")) for name, count in (answer.get("pending") or {}).items() if count]
    if pending:
        parts.append(f"pending {', '.join(pending)}")
    page.begin(" · ".join(parts))
    if note := answer.get("note"):
        page.begin(one_line(note))
    return page


def _searched(answer: Json) -> list[tuple[Any, Any]]:
    branches = answer.get("branch") or {}
    return [(name, branches.get(name)) for name in answer.get("roots") or ()]


def _named(name: object, branch: object) -> str:
    return f"{one_line(name, 80)} ({one_line(branch, 80)})" if branch else one_line(name, 80)


def _nothing(answer: Json, offset: int) -> str:
    if offset and answer["hits"]:
        return f"no more hits: there are {len(answer['hits'])}; ask with a smaller offset"
    where = ", ".join(one_line(name, 80) for name in list(answer.get("roots") or ())[:MOST_ROOTS]) or "no root"
    asked = one_line(answer.get("query", ""), 120)
    wait = "" if answer.get("state") == "ready" else "; the index is not complete yet, so ask again later"
    return f'no good match for "{asked}" in {where}: try other words or fewer filters{wait}'


# Entries


def _provenance(hit: Json) -> str:
    """The line that vouches for a quote: id, kind, status, date, freshness, successor, place."""
    parts: list[object] = [hit["id"], hit["kind"], hit.get("status"), hit.get("date")]
    if hit.get("freshness") not in {None, "unknown"}:
        parts.append(hit["freshness"])
    if successors := hit.get("superseded_by"):
        parts.append("superseded by " + ", ".join(one_line(one, 300) for one in successors[:3]))
    if hit.get("stale"):
        parts.append("changed on disk since it was read")
    end = hit.get("end_line")
    parts.append(f"{hit['path']}:{hit['line']}" + (f"-{end}" if end and end != hit["line"] else ""))
    return " · ".join(one_line(part, 1000) for part in parts if part)


def _quote(hit: Json) -> str:
    """The title with its headings, then the snippet; a title that the snippet begins with is not said twice."""
    snippet = clean(hit.get("snippet") or "").strip("\n")
    names = [hit.get("title") or "", *(hit.get("heading") or ())]
    title = " > ".join(dict.fromkeys(one_line(name, 120) for name in names if name))
    first = snippet.split("\n", 1)[0].strip().lstrip("#").strip()
    return snippet if title == first else f"{title}\n{snippet}".strip("\n")


def _add_hit(page: Page, line: str, quote: str, mark: str) -> bool:
    """Add a hit whole or with a cut snippet; False when not even the beginning of it fits."""
    if page.add(f"{line}\n{fenced(mark, quote)}"):
        return True
    frame = f"{line}\n{fenced(mark, '')}\n(cut; read it)"
    characters, size = page.room()
    beginning = bounded(quote, characters - len(frame), size - len(frame.encode()))
    if len(beginning) < SMALLEST_SNIPPET:
        return False
    return page.add(f"{line}\n{fenced(mark, beginning)}\n(cut; read it)")


def _relations(answer: Json) -> Iterator[str]:
    """One line per kind of relation, successors first: what replaces an entry matters most."""
    found: dict[str, list[str]] = {}
    for relation in answer.get("relations", ()):
        status = f" ({one_line(relation['status'], 20)})" if relation.get("status") else ""
        found.setdefault(str(relation["kind"]), []).append(one_line(relation["id"], 300) + status)
    known = [kind for kind in ("superseded_by", *GROUPS) if kind in found]
    for kind in dict.fromkeys(chain(known, found)):
        ids = found[kind]
        more = f", {len(ids) - MOST_RELATIONS} more by `related`" if len(ids) > MOST_RELATIONS else ""
        yield f"{one_line(kind, 40)}: {', '.join(ids[:MOST_RELATIONS])}{more}"


def _broken(checked: Sequence[Json]) -> Iterator[str]:
    """A line for each piece of code that an entry names and that is not as it says."""
    for one in [one for one in checked if one.get("verdict") not in {"current", "unknown"}][:MOST_CHECKED]:
        target = f", now {one_line(one['target'], 120)}" if one.get("target") else ""
        yield f"line {one['line']}: {one_line(one['name'], 120)} is {one_line(one['verdict'], 20)}{target}"


def _grouped(rows: Sequence[tuple[str, Json]]) -> Iterator[str]:
    """A numbered line per row; the first of a group is headed by its name."""
    before = ""
    for number, (group, hit) in enumerate(rows, 1):
        evidence = hit.get("evidence") or {}
        where = f" · said in {one_line(evidence['path'], 300)}:{evidence['line']}" if evidence.get("path") else ""
        line = f"{number}. {_provenance(hit)}{where}"
        yield line if group == before else f"{group}:\n{line}"
        before = group


def _add_text(page: Page, entry: Json, text: str, from_line: int, mark: str) -> str:
    """Add as many whole lines as fit, and return what to say about the rest."""
    first, lines = int(entry["line"]), text.split("\n")
    skip = min(max(from_line - first, 0), len(lines) - 1)
    characters, size = page.room()
    frame = len(fenced(mark, ""))
    kept = _that_fit(lines[skip:], characters - frame, size - frame)
    cut = ""
    if not kept:
        cut = f"line {first + skip} is longer than this answer may be, only its beginning is shown; "
        kept = [bounded(lines[skip], characters - frame, size - frame)]
    page.add(fenced(mark, "\n".join(kept)))
    after = skip + len(kept)
    if after >= len(lines):
        return cut.removesuffix("; ")
    last = first + len(lines) - 1
    return f"{cut}cut after line {first + after - 1} of {last}; go on with from_line={first + after}"


def _that_fit(lines: Sequence[str], characters: int, size: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        characters, size = characters - len(line) - 1, size - len(line.encode()) - 1
        if characters < -1 or size < -1:  # the last line has no line end
            break
        kept.append(line)
    return kept


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 or what == "more" else f"{number} {what}s"
