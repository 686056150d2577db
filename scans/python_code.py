"""Looks at Python code: its syntax tree for blocked and watched names, and for commands that it spells out."""

import ast
import threading
import warnings
from collections.abc import Iterator

from contracts.safety import Finding, Severity
from scans.python_names import IMPORTERS, Names, folded, known_names, plain, used_names

BLOCK = frozenset({"eval", "exec", "compile"})
WATCH = frozenset(
    {"os", "subprocess", "ctypes", "shutil", "socket", "multiprocessing", "signal", "pty", "importlib", "builtins"}
)
MAX_LETTERS = 200_000
INNER = frozenset({"__subclasses__", "__globals__", "__code__", "__closure__", "f_globals", "f_builtins", "f_locals"})
"""Attributes through which everything can be reached without its name."""
RUN_SHELL = frozenset({"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"})
RUN = frozenset({f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen")})
REMOVE = {"shutil.rmtree": "-rf", **dict.fromkeys(("os.remove", "os.unlink", "os.rmdir", "os.removedirs"), "-f")}
PARSING = threading.Lock()
"""Parsing warns about odd texts, and warnings can only be kept quiet for the whole process at once."""


def parsed(code: str) -> ast.Module | Finding:
    """The syntax tree, or what is wrong."""
    if len(code) > MAX_LETTERS:
        return Finding("too-long", "it is too long to be looked into", Severity.ASK)
    try:
        with PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        words = f"it is not valid Python: {getattr(error, 'msg', None) or error}"
        return Finding("syntax", words, Severity.RAISE, getattr(error, "lineno", None))


def scan_tree(code: str, block: frozenset[str], watch: frozenset[str]) -> list[Finding]:
    """Uses of blocked and watched names, however they are reached by name."""
    tree = parsed(code)
    return [tree] if isinstance(tree, Finding) else scan_names(tree, block, watch)


def scan_names(tree: ast.Module, block: frozenset[str], watch: frozenset[str]) -> list[Finding]:
    names = known_names(tree)
    found = []
    for used in used_names(tree, names):
        parts = used.name.split(".")
        prefixes = [".".join(parts[:length]) for length in range(1, min(len(parts), 8) + 1)]
        if blocked := next((name for name in prefixes if name in block), None):
            words = f"it uses `{blocked}`, which is not allowed"
            found.append(Finding(f"block:{blocked}", words, Severity.REFUSE, used.line))
        elif watched := next((name for name in prefixes if name in watch), None):
            words = f"it uses `{watched}`, which reaches files or programs"
            found.append(Finding(f"watch:{watched}", words, Severity.RAISE, used.line))
    return first_of_each([*found, *_hidden(tree, names)])


def _hidden(tree: ast.Module, names: Names) -> Iterator[Finding]:
    """Ways to reach something whose name is only put together when the code runs."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=attribute) if attribute in INNER:
                words = f"it reaches into Python itself through `{attribute}`, which can hide what it does"
                yield Finding("hidden", words, Severity.RAISE, node.lineno)
            case ast.Call(func=func, args=[first, *rest]):
                called = {plain(name) for name in names.of(func)}
                if called & IMPORTERS and folded(first) is None:
                    yield Finding(
                        "hidden", "it loads a module by a name made up as it runs", Severity.RAISE, node.lineno
                    )
                if "getattr" in called and rest and folded(rest[0]) is None and _builtins(first, names):
                    yield _made_up(node.lineno)
            case ast.Subscript(value=value, slice=key) if folded(key) is None and _builtins(value, names):
                yield _made_up(node.lineno)


def _builtins(node: ast.expr, names: Names) -> bool:
    return any(plain(name) == "builtins" for name in names.of(node))


def _made_up(line: int) -> Finding:
    return Finding("hidden", "it uses a function of Python by a name made up as it runs", Severity.ASK, line)


def commands_in(tree: ast.Module) -> Iterator[tuple[str | tuple[str, ...], int]]:
    """Commands that the code spells out in full, and the line of each."""
    names = known_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            called = set(names.of(node.func))
            command = _command(called, node)
            if command:
                yield command, node.lineno


def _command(called: set[str], call: ast.Call) -> str | tuple[str, ...] | None:
    first = call.args[0]
    text = folded(first)
    if called & RUN_SHELL or (called & RUN and _through_shell(call)):
        return text
    if called & RUN:
        return _words(first) if text is None else (text,)
    for name in called & REMOVE.keys():
        return ("rm", REMOVE[name], text) if text is not None else None
    return None


def _through_shell(call: ast.Call) -> bool:
    return any(
        keyword.arg == "shell" and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
        for keyword in call.keywords
    )


def _words(node: ast.expr) -> tuple[str, ...] | None:
    if not isinstance(node, ast.List | ast.Tuple):
        return None
    words = [folded(item) for item in node.elts]
    return None if None in words or not words else tuple(word for word in words if word is not None)


def first_of_each(findings: list[Finding]) -> list[Finding]:
    """The first place of each is enough for a person to judge."""
    seen: dict[tuple[str, str], Finding] = {}
    for finding in sorted(findings, key=lambda found: found.line or 0):
        seen.setdefault((finding.rule, finding.words), finding)
    return list(seen.values())
