"""Places in a Python file where a change must be seen by anybody who tests it."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

import python_source

STATUS = {200: 202, 201: 200, 204: 200, 302: 303, 400: 409, 401: 403, 404: 400, 409: 400, 422: 400}
LASTING = frozenset(
    "execute executemany add_url_rule register_blueprint init_app write_text write_bytes dump save writerow writerows "
    "replace rename remove delete echo set_data abort".split()
)
"""Calls by which something is kept, shown or reached; without one of them an app is plainly broken."""
SURROUNDINGS = re.compile(
    r"environ|getenv|TYPE_CHECKING|__name__|VERCEL|PRAGMA|\bsys\.|platform|chmod|\blog\.|\blogging\b|\b(MOST|LIMIT|SHOWN|WIDTH|TIMEOUT)"
)
"""What depends on where the app runs, and how much of something is shown at most."""
DESCRIBES = re.compile(r"descri|schema|openapi|__repr__|__str__", re.IGNORECASE)
"""Functions that tell others what the app does; what they say is checked from outside."""
SHOWN = 60


@dataclass(frozen=True, slots=True)
class Spot:
    """Where to change what, in bytes from the beginning of the file."""

    line: int
    start: int
    end: int
    instead: str
    way: str
    words: str


def python_spots(text: str) -> Iterator[Spot]:
    """All of them, in the order of the file. None for a file that is no Python."""
    try:
        tree = python_source.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    yield from _Finder(text).find(tree)


class _Finder:
    def __init__(self, text: str) -> None:
        self._data = text.encode()
        self._begins = [0]
        for line in self._data.split(b"\n"):
            self._begins.append(self._begins[-1] + len(line) + 1)

    def find(self, tree: ast.Module) -> Iterator[Spot]:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not self._is_quiet(node):
                for statement in node.body:
                    yield from self._statement(statement)

    def _is_quiet(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """What only Python itself calls, and what stands for something that is never run."""
        dunder = function.name.startswith("__") and function.name != "__init__"
        apart = function.name == "main" or bool(DESCRIBES.search(function.name))
        return dunder or apart or "overload" in ast.dump(ast.List(function.decorator_list))

    def _statement(self, node: ast.stmt) -> Iterator[Spot]:
        """In one statement and those below it, without functions of their own, which are found by themselves."""
        apart = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or _is_minor_call(node)
        if apart or self._about_surroundings(node):
            return
        yield from self._itself(node)
        yield from self._inside(node)
        for block in _blocks(node):
            for statement in block:
                yield from self._statement(statement)

    def _itself(self, node: ast.stmt) -> Iterator[Spot]:
        match node:
            case ast.If():
                yield from self._condition(node)
            case ast.Return():
                yield from self._returned(node)
            case ast.Raise(exc=ast.expr()):
                yield self._spot(node, "pass", "error", f"`{self._brief(node)}` is left out")
            case ast.Expr(value=ast.Call()):
                yield self._spot(node, "pass", "statement", f"`{self._brief(node)}` is left out")

    def _about_surroundings(self, node: ast.stmt) -> bool:
        if not isinstance(node, ast.If | ast.While | ast.With | ast.Assign | ast.Return | ast.Expr):
            return False
        head = node.test if isinstance(node, ast.If | ast.While) else node
        return bool(SURROUNDINGS.search(self._source(head).decode("utf-8", "replace")))

    def _condition(self, node: ast.If) -> Iterator[Spot]:
        brief = self._brief(node.test)
        yield self._spot(
            node.test,
            f"not ({self._source(node.test).decode()})",
            "condition",
            f"the condition `{brief}` is turned round",
        )

    def _returned(self, node: ast.Return) -> Iterator[Spot]:
        value = node.value
        if value is None or (isinstance(value, ast.Constant) and not value.value):
            return
        yield self._spot(node, "return None", "result", f"`{self._brief(node)}` gives nothing")

    def _inside(self, node: ast.stmt) -> Iterator[Spot]:
        """Comparisons and status codes in what a statement computes; conditions of `if` are turned as a whole."""
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr) or (isinstance(node, ast.If) and child is node.test):
                continue
            for inner in ast.walk(child):
                if isinstance(inner, ast.Compare):
                    yield self._compared(inner)
                elif isinstance(inner, ast.Constant) and type(inner.value) is int and inner.value in STATUS:
                    other = STATUS[inner.value]
                    yield self._spot(inner, str(other), "status", f"{inner.value} is {other}")

    def _compared(self, node: ast.Compare) -> Spot:
        instead = f"(not ({self._source(node).decode()}))"
        return self._spot(node, instead, "comparison", f"`{self._brief(node)}` is turned round")

    def _spot(self, node: ast.stmt | ast.expr, instead: str, way: str, words: str) -> Spot:
        start, end = self._reach(node)
        return Spot(node.lineno, start, end, instead, way, words)

    def _reach(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        last = node.end_lineno or node.lineno
        return self._begins[node.lineno - 1] + node.col_offset, self._begins[last - 1] + (node.end_col_offset or 0)

    def _source(self, node: ast.stmt | ast.expr) -> bytes:
        start, end = self._reach(node)
        return self._data[start:end]

    def _brief(self, node: ast.stmt | ast.expr) -> str:
        words = " ".join(self._source(node).decode("utf-8", "replace").split())
        return words if len(words) <= SHOWN else words[: SHOWN - 1] + "…"


def _is_minor_call(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _called(node.value) not in LASTING


def _called(call: ast.Call) -> str:
    """The name of what is called: `commit` for `db.commit()`."""
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Statements below a statement, but for those that only run when something unforeseen happens."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
