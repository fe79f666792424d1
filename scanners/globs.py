"""Path patterns with `*`, `**` and `?`, as the user's configuration and rule files write them."""

from __future__ import annotations

import re
from functools import lru_cache


def matches(glob: str, path: str) -> bool:
    """Say whether the whole path matches; a pattern without a slash is held against the file name."""
    glob = glob.strip().removeprefix("./").lstrip("/")
    target = path if "/" in glob else path.rpartition("/")[2]
    return bool(_compiled(glob).fullmatch(target))


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str]:
    pattern = re.sub(r"\*{2,}", "**", glob[:500])
    parts, at = [], 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            parts.append("(?:[^/]+/)*")
            at += 3
        elif pattern.startswith("**", at):
            parts.append(".*")
            at += 2
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(pattern[at], re.escape(pattern[at])))
            at += 1
    return re.compile("".join(parts))
