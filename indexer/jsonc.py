"""JSON with comments as people write it: read, and edited in place so that every other byte stays.

Comments and trailing commas are understood, and kept. What cannot be parsed is refused with `JsoncError`; the caller
proves an edit by parsing its result again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
      | (?P<comment>//[^\r\n]*|/\*.*?\*/)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<word>-?[0-9][0-9.eE+-]*|true|false|null)
      | (?P<mark>[][{},:])""",
    re.VERBOSE | re.DOTALL,
)
SAME_LINE_COMMENT = re.compile(r"(?:[ \t]*(?:/\*(?:(?!\*/)[^\r\n])*\*/|//[^\r\n]*))*")

DEEPEST = 200
"""Settings nest a few levels; deeper is an accident or an attack on the recursion of this parser."""


class JsoncError(ValueError):
    """The text is no JSON, even with comments allowed; or the place to edit is no object."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text that means something; `end` is exclusive."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the next piece may begin."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands; `members` is None unless it is an object."""

    value: object
    start: int
    end: int
    members: tuple[Member, ...] | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """One key and value of an object; `comma` is where the comma after it stands, None without one."""

    key: str
    start: int
    node: Node
    comma: int | None


@dataclass(frozen=True, slots=True)
class Text:
    """A parsed text: its value with positions, and what strict JSON would not allow in it."""

    root: Node
    comments: tuple[str, ...]
    trailing_comma: bool

    @property
    def strict(self) -> bool:
        """Whether a parser that knows nothing of comments can read it."""
        return not self.comments and not self.trailing_comma


@lru_cache(maxsize=4)  # an edit asks for the same text several times, and settings of some MB exist
def parse(text: str) -> Text:
    """Read `text`, which must hold exactly one value."""
    comments: list[str] = []
    parser = _Parser(text, comments)
    root = parser.value(0)
    if parser.token.kind != "end":
        raise _error(text, parser.token.start, "the end is expected")
    return Text(root, tuple(comments), parser.trailing_comma)


def put(text: str, path: Sequence[str], value: object) -> str:
    """Set the member at `path`, adding the objects that are missing on the way; the indentation around is imitated."""
    root = node = parse(text).root
    style = Style.of(text, root)
    for depth, key in enumerate(path):
        member = _member(node, key)
        if member is None:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _insert(text, node, f"{json.dumps(key, ensure_ascii=False)}: ", value, style)
        node = member.node
    return text[: node.start] + style.render(value, _indent(text, node.start)) + text[node.end :]


def drop(text: str, path: Sequence[str]) -> str:
    """Remove the member at `path` together with the comma it needed; a path that is not there changes nothing."""
    node, member = _find(text, path)
    if member is None or node.members is None:
        return text
    place = node.members.index(member)
    end = member.node.end if member.comma is None else member.comma + 1
    start = len(text[: member.start].rstrip())
    text = text[:start] + text[end:]
    before = node.members[place - 1] if place else None
    if before is not None and before.comma is not None and member.comma is None:
        text = text[: before.comma] + text[before.comma + 1 :]
    rest = text[node.start + 1 :].lstrip()
    return text[: node.start + 1] + rest if rest.startswith("}") else text


def source(text: str, path: Sequence[str]) -> str:
    """Return the value at `path` as it is written, "" where there is none."""
    member = _find(text, path)[1]
    return "" if member is None else text[member.node.start : member.node.end]


def at(value: object, path: Sequence[str]) -> object:
    """Return the value at `path` of a parsed value, None where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _tokens(text: str, comments: list[str]) -> Iterator[Token]:
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise _error(text, position, "this is no JSON")
        position = match.end()
        if match.lastgroup == "comment":
            comments.append(match.group())
        elif match.lastgroup != "space":
            yield Token(str(match.lastgroup), match.group(), match.start())


class _Parser:
    """Recursive descent with one token in hand."""

    def __init__(self, text: str, comments: list[str]) -> None:
        self.text = text
        self._tokens = _tokens(text, comments)
        self.trailing_comma = False
        self.token = self._next()

    def value(self, depth: int) -> Node:
        """Read the value that begins with the token in hand."""
        token = self.token
        if depth > DEEPEST:
            raise _unexpected(self, "this is nested too deep")
        if token.text == "{":
            return self._object(depth)
        if token.text == "[":
            return self._array(depth)
        if token.kind not in {"string", "word"}:
            raise _unexpected(self, "a value is expected")
        try:
            value = json.loads(token.text)
        except ValueError as error:
            raise _unexpected(self, "this is no JSON value") from error
        self.token = self._next()
        return Node(value, token.start, token.end)

    def _next(self) -> Token:
        return next(self._tokens, Token("end", "", len(self.text)))

    def _take(self, mark: str) -> Token:
        token = self.token
        if token.kind != "mark" or token.text != mark:
            raise _unexpected(self, f"{mark!r} is expected")
        self.token = self._next()
        return token

    def _comma(self, closing: str) -> int | None:
        if self.token.text != ",":
            return None
        comma = self._take(",")
        self.trailing_comma |= self.token.text == closing
        return comma.start

    def _object(self, depth: int) -> Node:
        start = self._take("{").start
        members: list[Member] = []
        comma: int | None = start
        while self.token.text != "}":
            if comma is None:
                raise _unexpected(self, "a comma is expected")
            if self.token.kind != "string":
                raise _unexpected(self, "a key is expected")
            key = self.value(depth)
            self._take(":")
            node = self.value(depth + 1)
            comma = self._comma("}")
            members.append(Member(str(key.value), key.start, node, comma))
        end = self._take("}").end
        keys = [member.key for member in members]
        if len(keys) != len(set(keys)):
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise _error(self.text, start, f"the key {repeated!r} stands twice in one object")
        return Node({member.key: member.node.value for member in members}, start, end, tuple(members))

    def _array(self, depth: int) -> Node:
        start = self._take("[").start
        values: list[object] = []
        comma: int | None = start
        while self.token.text != "]":
            if comma is None:
                raise _unexpected(self, "a comma is expected")
            values.append(self.value(depth + 1).value)
            comma = self._comma("]")
        return Node(values, start, self._take("]").end)


def _member(node: Node, key: str) -> Member | None:
    if node.members is None:
        message = f"there is no object to hold {key!r}"
        raise JsoncError(message)
    return next((member for member in node.members if member.key == key), None)


def _find(text: str, path: Sequence[str]) -> tuple[Node, Member | None]:
    """Find the member at `path` and the object that holds it."""
    node = parse(text).root
    for key in path[:-1]:
        outer = _member(node, key)
        if outer is None:
            return node, None
        node = outer.node
    return node, _member(node, path[-1])


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is laid out: its line end, and one step of its indentation."""

    newline: str
    step: str
    in_one_line: bool

    @classmethod
    def of(cls, text: str, root: Node) -> Style:
        """Read the style off a whole text; a lone `{}` counts as a form to fill in, not as text in one line."""
        newline = "\r\n" if "\r\n" in text else "\n"
        step = _indent(text, root.members[0].start) if root.members else ""
        return cls(newline, step or "  ", bool(root.members) and "\n" not in text[root.start : root.end])

    def render(self, value: object, indent: str) -> str:
        """Write `value` over several lines, all but the first of them beginning with `indent`."""
        lines = json.dumps(value, ensure_ascii=False, indent=self.step).split("\n")
        return (self.newline + indent).join(lines)


def _insert(text: str, node: Node, head: str, value: object, style: Style) -> str:
    """Add a member at the end of the object `node`, before whatever stands between its last value and its brace."""
    if not node.members:
        return _fill(text, node, head, value, style)
    last = node.members[-1]
    if "\n" not in text[node.start : node.members[0].start]:
        member = f" {head}{json.dumps(value, ensure_ascii=False)}"
        return text[: last.node.end] + "," + member + text[last.node.end :]
    indent = _indent(text, last.start)
    member = style.newline + indent + head + style.render(value, indent)
    if last.comma is not None:
        place = _after_comment(text, last.comma + 1)
        return text[:place] + member + "," + text[place:]
    place = _after_comment(text, last.node.end)
    return text[: last.node.end] + "," + text[last.node.end : place] + member + text[place:]


def _fill(text: str, node: Node, head: str, value: object, style: Style) -> str:
    """Put the first member into an object that holds nothing, or only comments."""
    before = text[: node.end - 1].rstrip()
    after = text[node.end - 1 :]
    if style.in_one_line:
        return before + head + json.dumps(value, ensure_ascii=False) + after
    outer = style.newline + _indent(text, node.start)
    return before + outer + style.step + head + style.render(value, outer.lstrip("\r\n") + style.step) + outer + after


def _after_comment(text: str, place: int) -> int:
    match = SAME_LINE_COMMENT.match(text, place)
    return match.end() if match else place


def _indent(text: str, place: int) -> str:
    """Return the white space that the line of `place` begins with."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unexpected(parser: _Parser, message: str) -> JsoncError:
    return _error(parser.text, parser.token.start, message)


def _error(text: str, place: int, message: str) -> JsoncError:
    line = text.count("\n", 0, place) + 1
    return JsoncError(f"line {line}: {message}")
