"""The table of languages: adding one takes a row here, a `.scm` file in `scanners/queries` and a fixture.

Nothing is imported for a row until a document of that language is scanned, and a grammar that is not installed only
means that its files are not claimed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How one language is read.

    `comment` are the marks that begin a comment of one line, `block` those that open one of several. The patterns say
    what the language shows in the text: `exported` and `test` are looked for in the head of a definition with its
    annotations, `exported_name` and `test_name` in its name (the latter in test files only), `constant_name` in that of
    a variable; `annotation` is cut off the front of a signature. `imports` names the reading in `imports.READINGS`.
    With `clauses` a function may be written several times over, and the first counts. With `lenient` a syntax error is
    not reported: macros and dialects make a correct file look wrong to the grammar.
    """

    name: str
    module: str
    extensions: tuple[str, ...]
    imports: str
    factory: str = "language"
    query: str = ""
    comment: tuple[str, ...] = ("//",)
    block: tuple[str, ...] = ("/*",)
    package: bool = False
    docstring: bool = False
    clauses: bool = False
    lenient: bool = False
    constant_name: str = ""
    exported: str = ""
    exported_name: str = ""
    test: str = ""
    test_name: str = ""
    annotation: str = ""


_AT = r"(?:@(?!interface\b)[\w.:]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*)+"

LANGUAGES: tuple[Language, ...] = (
    Language(
        name="python",
        module="tree_sitter_python",
        extensions=(".py", ".pyi", ".pyw"),
        imports="python",
        comment=("#",),
        block=(),
        docstring=True,
        constant_name=r"_*[A-Z][A-Z0-9_]*$",
        test_name=r"test",
    ),
    Language(
        name="typescript",
        module="tree_sitter_typescript",
        factory="language_typescript",
        extensions=(".ts", ".mts", ".cts"),
        imports="javascript",
        exported=r"^(?:declare\s+)?export\b|^(?:module\.)?exports\.",
    ),
    Language(
        name="tsx",
        module="tree_sitter_typescript",
        factory="language_tsx",
        query="typescript",
        extensions=(".tsx",),
        imports="javascript",
        exported=r"^(?:declare\s+)?export\b|^(?:module\.)?exports\.",
    ),
    Language(
        name="javascript",
        module="tree_sitter_javascript",
        extensions=(".js", ".jsx", ".mjs", ".cjs"),
        imports="javascript",
        exported=r"^export\b|^(?:module\.)?exports\.",
    ),
    Language(
        name="go",
        module="tree_sitter_go",
        extensions=(".go",),
        imports="go",
        package=True,
        exported_name=r"[^\W\d_a-z]",
        test_name=r"(?:Test|Benchmark|Fuzz|Example)(?![a-z])",
    ),
    Language(
        name="rust",
        module="tree_sitter_rust",
        extensions=(".rs",),
        imports="rust",
        exported=r"^\s*(?:#\[[^\]]*\]\s*)*pub\b",
        test=r"#\[(?:\w+::)*(?:test|rstest|test_case|bench)\b",
    ),
    Language(
        name="java",
        module="tree_sitter_java",
        extensions=(".java",),
        imports="dotted",
        package=True,
        exported=r"\bpublic\b",
        test=r"@(?:\w+\.)*(?:\w*Test|TestFactory|TestTemplate)\b",
        annotation=_AT,
    ),
    Language(
        name="kotlin",
        module="tree_sitter_kotlin",
        extensions=(".kt", ".kts"),
        imports="dotted",
        package=True,
        test=r"@(?:\w+\.)*(?:\w*Test|TestFactory|TestTemplate)\b",
        annotation=_AT,
    ),
    Language(
        name="c",
        module="tree_sitter_c",
        extensions=(".c",),
        imports="include",
        lenient=True,
    ),
    Language(
        name="cpp",
        module="tree_sitter_cpp",
        extensions=(".cpp", ".cc", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".ipp"),
        imports="include",
        lenient=True,
    ),
    Language(
        name="csharp",
        module="tree_sitter_c_sharp",
        extensions=(".cs",),
        imports="dotted",
        package=True,
        exported=r"\bpublic\b",
        test=r"\[(?:[\w.]+\.)?(?:Fact|Theory|Test|TestCase|TestMethod|TestCaseSource|DataTestMethod)\b",
        annotation=r"(?:\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]\s*)+",
    ),
    Language(
        name="ruby",
        module="tree_sitter_ruby",
        extensions=(".rb", ".rake", ".gemspec"),
        imports="required",
        comment=("#",),
        block=(),
        test_name=r"test_",
    ),
    Language(
        name="php",
        module="tree_sitter_php",
        factory="language_php",
        extensions=(".php",),
        imports="dotted",
        comment=("//", "#"),
        package=True,
        exported=r"\bpublic\b",
        test=r"#\[[^\]]*\bTest\b|@test\b",
        test_name=r"test",
        annotation=r"(?:#\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]\s*)+",
    ),
    Language(
        name="swift",
        module="tree_sitter_swift",
        extensions=(".swift",),
        imports="dotted",
        exported=r"\b(?:public|open)\b",
        test=r"@Test\b",
        test_name=r"test",
        annotation=_AT,
    ),
    Language(
        name="scala",
        module="tree_sitter_scala",
        extensions=(".scala", ".sc"),
        imports="scala",
        package=True,
        test=r"@(?:\w+\.)*Test\b",
        annotation=_AT,
    ),
    Language(
        name="bash",
        module="tree_sitter_bash",
        extensions=(".sh", ".bash", ".bats"),
        imports="include",
        comment=("#",),
        block=(),
        constant_name=r"_*[A-Z][A-Z0-9_]*$",
    ),
    Language(
        name="haskell",
        module="tree_sitter_haskell",
        extensions=(".hs",),
        imports="dotted",
        comment=("--",),
        block=("{-",),
        clauses=True,
    ),
    Language(
        name="sql",
        module="tree_sitter_sql",
        extensions=(".sql",),
        imports="dotted",
        comment=("--",),
        lenient=True,
    ),
    Language(
        name="hcl",
        module="tree_sitter_hcl",
        extensions=(".tf", ".hcl"),
        imports="dotted",
        comment=("#", "//"),
    ),
)

_BY_EXTENSION = {extension: language for language in LANGUAGES for extension in language.extensions}
_TEST_PATH = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|testing|testdata|[\w.-]*\.Tests?)/"
    r"|(?:^|/)(?:test_[^/]*|conftest|[^/]*[_.-](?:test|tests|spec|cy)|[^/]*[a-z0-9](?:Test|Tests|IT|Spec))\.\w+$"
)


def language_of(path: str) -> Language | None:
    """Return the language that the name of the file says, None when there is none or its grammar is not installed."""
    name = path.rsplit("/", 1)[-1]
    stem, dot, extension = name.rpartition(".")
    if not stem or stem.endswith(".min"):
        return None
    language = _BY_EXTENSION.get(dot + extension.lower())
    return language if language is not None and _installed(language.module) else None


def is_test_path(path: str) -> bool:
    """Say by the conventions of the usual test runners whether a file holds tests."""
    return _TEST_PATH.search(path) is not None


@cache
def _installed(module: str) -> bool:
    return find_spec(module) is not None
