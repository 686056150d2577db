"""Advice before running: looks at code and commands, tells what it sees, refuses what the owner blocked.

The boundary is the sandbox. Code can hide what it does from any such look; what this finds goes on the approval card,
and makes the call one of a stricter kind.
"""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace

from contracts.safety import Finding, Report, Severity
from scans.bandit_scan import scan_bandit
from scans.javascript_code import javascript_commands, scan_javascript
from scans.python_code import BLOCK, WATCH, commands_in, parsed, scan_names
from scans.shell_launchers import Code
from scans.shell_rules import judge, unknown_programs
from scans.shell_state import marks_of

PROGRAMS = frozenset(
    {
        *("python", "python3", "pytest", "node", "npm", "npx", "ruff", "mypy", "pip", "tsc", "eslint", "vite"),
        *(
            "ls",
            "cat",
            "head",
            "tail",
            "wc",
            "sort",
            "uniq",
            "grep",
            "find",
            "echo",
            "printf",
            "pwd",
            "cut",
            "tr",
            "sed",
        ),
        *(
            "awk",
            "diff",
            "cmp",
            "file",
            "stat",
            "du",
            "tree",
            "basename",
            "dirname",
            "date",
            "true",
            "false",
            "test",
            "[",
        ),
        *("mkdir", "touch", "cp", "mv", "ln", "rm", "rmdir", "chmod", "tee", "tar", "zip", "unzip", "gzip", "gunzip"),
        *("git", "sh", "bash", "env", "xargs", "cd", "export", "set", "which", "sleep", "seq", "jq", "make", "sqlite3"),
    }
)
"""Programs that may run by trust; any other one asks."""
JAVASCRIPT = frozenset({"javascript", "js", "node", "bun", "deno"})
SHELL = frozenset({"shell", "sh", "bash"})
UNREAD = frozenset({"awk", "sed"})
"""Languages of which a file is as good as any other argument."""
GRAVITY = (Severity.REFUSE, Severity.ASK, Severity.RAISE, Severity.NOTE)
Command = str | Sequence[str]


def check(
    code: str,
    language: str = "python",
    *,
    block: frozenset[str] = BLOCK,
    watch: frozenset[str] = WATCH,
    deep: bool = True,
) -> Report:
    """What a look at code finds. `deep` adds Bandit, which costs tens of milliseconds."""
    if language in SHELL:
        return check_command(code, block=block, watch=watch)
    return _sorted(_check_code(Code(language, code), block, watch, deep=deep))


def check_command(
    command: Command,
    *,
    programs: frozenset[str] = PROGRAMS,
    block: frozenset[str] = BLOCK,
    watch: frozenset[str] = WATCH,
) -> Report:
    """What a look at a command finds: a script for a shell, or a program with its words."""
    found, reading = judge(command)
    found += unknown_programs(reading, programs)
    for code, line in reading.codes:
        found += (replace(finding, line=line) for finding in _check_code(code, block, watch, deep=False))
    lined = isinstance(command, str) and "\n" in command.strip()
    return _sorted(found if lined else [replace(finding, line=None) for finding in found])


def _check_code(code: Code, block: frozenset[str], watch: frozenset[str], *, deep: bool) -> list[Finding]:
    if marks_of(code.text):
        return [Finding("unknown-code", "it runs code that is only known when it runs", Severity.ASK)]
    if code.language == "python":
        return _check_python(code.text, block, watch, deep=deep)
    if code.language in JAVASCRIPT:
        return [*scan_javascript(code.text), *_refused(javascript_commands(code.text))]
    if code.language in UNREAD:
        return []
    return [Finding("unread", f"it is code in {code.language}, which is not looked into", Severity.ASK)]


def _check_python(code: str, block: frozenset[str], watch: frozenset[str], *, deep: bool) -> list[Finding]:
    tree = parsed(code)
    if not isinstance(tree, ast.Module):
        return [tree]
    found = [*scan_names(tree, block, watch), *_refused(commands_in(tree))]
    return found + (scan_bandit(tree, code) if deep else [])


def _refused(commands: Iterable[tuple[Command, int]]) -> list[Finding]:
    """Commands in code are run in the sandbox like the code itself; only what would be refused anyway is refused."""
    judged = ((judge(command)[0], line) for command, line in commands)
    return [
        replace(finding, line=line)
        for found, line in judged
        for finding in found
        if finding.severity is Severity.REFUSE
    ]


def _sorted(findings: list[Finding]) -> Report:
    distinct: dict[tuple[str, str], Finding] = {}
    for finding in sorted(findings, key=lambda found: (GRAVITY.index(found.severity), found.line or 0)):
        distinct.setdefault((finding.rule, finding.words), finding)
    return Report(tuple(distinct.values()))
