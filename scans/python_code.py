"""Looks at Python code: its syntax tree for blocked and watched names, and Bandit for the rest."""

import ast
import tempfile
from collections.abc import Iterator
from pathlib import Path

import python_source
from contracts.safety import Finding, Severity

IMPORTERS = frozenset({"__import__", "import_module"})
BANDIT_SKIPPED = frozenset({"B101"})
"""`assert` is what tests are made of."""


def scan_tree(code: str, block: frozenset[str], watch: frozenset[str]) -> list[Finding]:
    """Uses of blocked names and imports of watched modules, however they are reached by name."""
    try:
        tree = python_source.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        return [Finding("syntax", f"it is not valid Python: {getattr(error, 'msg', error)}", Severity.NOTE, line)]
    found = []
    for name, line in _names(tree):
        root = name.split(".")[0]
        if name in block or root in block:
            found.append(Finding(f"block:{root}", f"it uses `{name}`, which is not allowed", Severity.REFUSE, line))
        elif name in watch or root in watch:
            found.append(
                Finding(f"watch:{root}", f"it uses `{root}`, which reaches files or programs", Severity.RAISE, line)
            )
    return _first_of_each(found)


def _names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every name that is read, imported or spelled out as a text that an importer or `getattr` is given."""
    builtins = _aliases_of(tree, "builtins") | {"builtins", "__builtins__"}
    for node in ast.walk(tree):
        for name in (*_imported(node), *_reached(node, builtins)):
            yield name, getattr(node, "lineno", 0)


def _imported(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            yield module
            if module == "builtins":
                yield from (alias.name for alias in names)
        case ast.Call(func=func, args=[*_, ast.Constant(value=str(text))]) if _is_importer(func):
            yield text


def _reached(node: ast.AST, builtins: set[str]) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            yield "builtins" if name in builtins else name
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in builtins:
            yield name
        case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=str(text))) if owner in builtins:
            yield text
        case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id=owner), ast.Constant(value=str(text)), *_]):
            if owner in builtins:
                yield text


def _aliases_of(tree: ast.AST, module: str) -> set[str]:
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import))
    return {alias.asname or alias.name for node in imports for alias in node.names if alias.name == module}


def _is_importer(func: ast.expr) -> bool:
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in IMPORTERS
    return False


def _first_of_each(findings: list[Finding]) -> list[Finding]:
    """The first place of each rule is enough for a person to judge."""
    seen: dict[str, Finding] = {}
    for finding in sorted(findings, key=lambda f: f.line or 0):
        seen.setdefault(finding.rule, finding)
    return list(seen.values())


def scan_bandit(code: str) -> list[Finding]:
    """What Bandit says of medium severity or above."""
    from bandit.core import config, manager  # noqa: PLC0415  a slow import that only running code needs

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "code.py"
        path.write_text(code, "utf-8", errors="surrogateescape")
        checker = manager.BanditManager(config.BanditConfig(), "file")
        checker.discover_files([str(path)])
        checker.run_tests()
        issues = checker.get_issue_list()
    return _first_of_each(
        [
            Finding(f"bandit:{issue.test_id}", str(issue.text).split("\n")[0], Severity.NOTE, issue.lineno)
            for issue in issues
            if issue.severity in {"MEDIUM", "HIGH"} and issue.test_id not in BANDIT_SKIPPED
        ]
    )
