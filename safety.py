"""Advice before running: looks at code and commands, tells what it sees, refuses what the owner blocked.

The boundary is the sandbox. Code can hide what it does from any such look; what this finds goes on the approval card,
and makes the call one of a stricter kind.
"""

from collections.abc import Sequence

from contracts.safety import Finding, Report, Severity
from scans.python_code import scan_bandit, scan_tree
from scans.shell_rules import judge, judge_words

BLOCK = frozenset({"eval", "exec", "compile"})
WATCH = frozenset(
    {"os", "subprocess", "ctypes", "shutil", "socket", "multiprocessing", "signal", "pty", "importlib", "builtins"}
)
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
GRAVITY = (Severity.REFUSE, Severity.ASK, Severity.RAISE, Severity.NOTE)


def check(
    code: str,
    language: str = "python",
    *,
    block: frozenset[str] = BLOCK,
    watch: frozenset[str] = WATCH,
    deep: bool = True,
) -> Report:
    """What a look at code finds. `deep` adds Bandit, which costs tens of milliseconds."""
    if language != "python":
        return Report((Finding("unread", f"code in {language} is not looked into", Severity.NOTE),))
    found = scan_tree(code, block, watch)
    broken = any(finding.rule == "syntax" for finding in found)
    return _sorted(found + (scan_bandit(code) if deep and not broken else []))


def check_command(command: str | Sequence[str], *, programs: frozenset[str] = PROGRAMS) -> Report:
    """What a look at a command finds: a script for a shell, or a program with its words."""
    found = judge(command, programs) if isinstance(command, str) else judge_words(command, programs)
    distinct = {(finding.rule, finding.words): finding for finding in found}
    return _sorted(list(distinct.values()))


def _sorted(findings: list[Finding]) -> Report:
    return Report(tuple(sorted(findings, key=lambda f: (GRAVITY.index(f.severity), f.line or 0))))
