"""Reads what a Python project asks for. Its files may name packages and versions, and nothing else."""

import posixpath
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from contracts.errors import BadInput
from contracts.files import Draft, Kind
from contracts.paths import shown

LARGEST = 1_000_000
MOST_FILES = 20
MOST_PACKAGES = 1000
MAIN, DEVELOPMENT, PROJECT = "requirements.txt", "requirements-dev.txt", "pyproject.toml"
GROUPS = ("dev", "test", "tests")
BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
COMMENT = re.compile(r"(^|\s)#.*$")
HASH = re.compile(r"--hash[= ](sha(?:256|384|512):[0-9a-fA-F]{64,128})")
OPTION = re.compile(r"(--?[A-Za-z][\w-]*)[=\s]?\s*(.*)")
SHORT = re.compile(r"(-[rcefi])\s*(.*)")
ELSEWHERE = "where packages come from is set for the whole machine, not by a project"
HARMLESS = {"--prefer-binary", "--require-hashes", "--only-binary"}
REFUSED = {
    "-e": "a folder cannot be installed in place: name the packages that it needs",
    "--editable": "a folder cannot be installed in place: name the packages that it needs",
    "-i": ELSEWHERE,
    "-f": ELSEWHERE,
    "--index-url": ELSEWHERE,
    "--extra-index-url": ELSEWHERE,
    "--find-links": ELSEWHERE,
    "--no-index": ELSEWHERE,
    "--trusted-host": ELSEWHERE,
    "--no-binary": "packages are installed as they are published, not built from source",
    "--pre": "name the version of the pre-release instead, such as `flask==4.0b1`",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One requirement and where it stands."""

    requirement: Requirement
    where: str
    hashes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([str(self.requirement), *(f"--hash={value}" for value in sorted(self.hashes))])


@dataclass(slots=True)
class Requirements:
    """All that was found; `problems` is empty if all of it can be used."""

    wanted: list[Line] = field(default_factory=list)
    constraints: list[Line] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_requirements(files: Draft) -> Requirements:
    """`requirements.txt`, with `requirements-dev.txt` beside it; else `pyproject.toml`.

    Raises BadInput that names every line which cannot be used.
    """
    found = Requirements()
    listed = [name for name in (MAIN, DEVELOPMENT) if _is_file(files, name)]
    if listed:
        reader = _Reader(files, found)
        for name in listed:
            reader.read(name, found.wanted)
    elif _is_file(files, PROJECT):
        _read_project(_text(files, PROJECT), found)
    if len(found.wanted) > MOST_PACKAGES:
        found.problems.append(f"the project names {len(found.wanted)} packages, and {MOST_PACKAGES} is the most")
    if found.problems:
        raise _unusable(found.problems)
    return found


def _unusable(problems: list[str]) -> BadInput:
    one = len(problems) == 1
    words = problems[0] if one else f"{len(problems)} things are wrong:" + "".join(f"\n- {line}" for line in problems)
    return BadInput(
        f"the packages of this project cannot be installed: {words}",
        hint="Correct these lines; each names one package and, if it matters, its version, such as `flask>=3`",
        details={"problems": problems},
    )


def _is_file(files: Draft, path: str) -> bool:
    node = files.node(path)
    return node is not None and node.kind is Kind.FILE


def _text(files: Draft, path: str) -> str:
    """Raises BadInput if it is too long or not text."""
    node = files.node(path)
    if node and node.size > LARGEST:
        raise BadInput(f"`{path}` is too large to be read", hint="A list of packages has a few kilobytes")
    data = files.read(path)
    encoding = next((name for mark, name in BOMS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadInput(f"`{path}` is not text", hint="Save it as UTF-8") from error


class _Reader:
    """Follows `-r` and `-c` inside the project."""

    def __init__(self, files: Draft, found: Requirements) -> None:
        self._files = files
        self._found = found
        self._seen: set[tuple[str, bool]] = set()

    def read(self, path: str, into: list[Line]) -> None:
        mark = (path, into is self._found.constraints)
        if mark in self._seen or len(self._seen) >= MOST_FILES:
            return
        self._seen.add(mark)
        for number, text in logical_lines(_text(self._files, path)):
            where = f"`{shown(path)}` line {number}"
            try:
                self._line(text, path, where, into)
            except ValueError as error:
                self._found.problems.append(f"{where}, `{shown(text[:100])}`: {error}")

    def _line(self, text: str, path: str, where: str, into: list[Line]) -> None:
        if not text.startswith("-"):
            into.append(parse_requirement(text, where))
            return
        match = SHORT.fullmatch(text) if not text.startswith("--") else OPTION.fullmatch(text)
        option, value = match.groups() if match else (text, "")
        if option in {"-r", "--requirement"}:
            self._include(value, path, into)
        elif option in {"-c", "--constraint"}:
            self._include(value, path, self._found.constraints)
        elif option not in HARMLESS:
            raise ValueError(REFUSED.get(option, "this option is not known here"))

    def _include(self, value: str, path: str, into: list[Line]) -> None:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), value.strip()))
        if not value or target.startswith(("../", "/")) or "://" in value:
            raise ValueError("only a file of this project can be included")
        if not _is_file(self._files, target):
            raise ValueError(f"there is no file `{target}` in this project")
        self.read(target, into)


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines without comments, continued ones joined, each with the number of its first."""
    held, began = "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        began = began if held else number
        comment = raw.lstrip().startswith("#")
        if raw.endswith("\\") and not comment:
            held += raw[:-1] + " "
            continue
        line, held = COMMENT.sub("", held if comment else held + raw).strip(), ""
        if line:
            yield began, line
    if held.strip():
        yield began, held.strip()


def parse_requirement(text: str, where: str) -> Line:
    """Raises ValueError with what is wrong with it."""
    name, *options = re.split(r"\s+(?=--)", text)
    hashes = [HASH.fullmatch(option.strip()) for option in options]
    if not all(hashes):
        raise ValueError("only `--hash` may stand behind a package")
    if "${" in name:
        raise ValueError("variables are not filled in: write out what is meant")
    if re.match(r"(git|hg|svn|bzr)\+", name) or re.search(r"@\s*(git|hg|svn|bzr)\+", name):
        raise ValueError("packages come from the package index, not from a repository")
    if re.search(r"@\s*\w+:", name) or "://" in name:
        raise ValueError("packages come from the package index, not from an address")
    if name.startswith((".", "/", "~")) or re.search(r"\.(whl|zip|tar\.\w+)$", name):
        raise ValueError("packages come from the package index, not from a file")
    try:
        requirement = Requirement(name)
    except InvalidRequirement as error:
        raise ValueError(f"this is not the name of a package ({str(error).splitlines()[0]})") from error
    requirement.name = canonicalize_name(requirement.name)
    return Line(requirement, where, tuple(match.group(1) for match in hashes if match))


def _read_project(text: str, found: Requirements) -> None:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found.problems.append(f"`{PROJECT}` cannot be read: {error}")
        return
    project = _table(content, "project")
    if _table(content, "tool", "poetry", "dependencies") and "dependencies" not in project:
        found.problems.append(f"`{PROJECT}` lists its packages for Poetry: list them in `[project]` or `{MAIN}`")
    if "dependencies" in (project.get("dynamic") or []):
        found.notes.append(f"`{PROJECT}` computes its packages when it is built; list them in `{MAIN}`")
    _take(project.get("dependencies", []), "[project] dependencies", found)
    for table, name in (
        (_table(content, "dependency-groups"), "[dependency-groups]"),
        (_table(project, "optional-dependencies"), "[project.optional-dependencies]"),
    ):
        for group in GROUPS:
            items = table.get(group, [])
            plain = [item for item in items if isinstance(item, str)] if isinstance(items, list) else items
            _take(plain, f"{name} {group}", found)
    own = canonicalize_name(str(project.get("name", "")))
    found.wanted = [line for line in found.wanted if line.requirement.name != own]


def _table(content: Any, *names: str) -> dict[str, Any]:
    for name in names:
        content = content.get(name) if isinstance(content, dict) else None
    return content if isinstance(content, dict) else {}


def _take(items: object, where: str, found: Requirements) -> None:
    place = f"`{PROJECT}` {where}"
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        found.problems.append(f"{place} is not a list of texts")
        return
    for item in items:
        try:
            found.wanted.append(parse_requirement(item.strip(), place))
        except ValueError as error:
            found.problems.append(f"{place}, `{shown(item[:100])}`: {error}")
