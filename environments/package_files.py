"""Reads what a Node project asks for. Its files may name packages of the registry and versions, and nothing else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from contracts.errors import BadInput
from contracts.files import Draft, Kind
from contracts.paths import shown

MANIFEST, LOCK = "package.json", "package-lock.json"
OTHER_LOCKS = ("yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb")
LARGEST, LARGEST_LOCK = 1_000_000, 20_000_000
MOST_PACKAGES = 1000
SECTIONS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
NAME = re.compile(r"(@[a-z0-9~-][\w.~-]*/)?[a-zA-Z0-9~-][\w.~-]*")
SPEC = re.compile(r"(npm:(@[\w.~-]+/)?[\w.~-]+(@[^:/\s]*)?)|[^:/]*")
TARBALL = re.compile(r"https?://[^\s?#]+/-/[^/\s?#]+\.tgz")
"""Where a registry keeps a package's file. Which registry is the machine's choice, so the address is not kept."""


@dataclass(frozen=True, slots=True)
class PackageFiles:
    """The project's wishes as files for npm: everything else that such files may hold is left behind."""

    wanted: tuple[tuple[str, str, str], ...]
    """Name, versions, section."""
    manifest: str
    lock: str
    """Empty if the project has none."""
    notes: tuple[str, ...]


def read_package_files(files: Draft) -> PackageFiles | None:
    """None if the project asks for nothing. Raises BadInput that names everything which cannot be used."""
    if not _is_file(files, MANIFEST):
        return None
    manifest = _object(files, MANIFEST, LARGEST)
    problems = list(_problems(manifest))
    wanted = tuple(_wanted(manifest))
    if not wanted and not problems:
        return None
    lock = _object(files, LOCK, LARGEST_LOCK) if _is_file(files, LOCK) else None
    if lock is not None:
        problems += _lock_problems(lock)
    if problems:
        raise _unusable(problems)
    unread = [name for name in OTHER_LOCKS if lock is None and _is_file(files, name)]
    return PackageFiles(
        wanted=wanted,
        manifest=_dump({"name": "project", "version": "0.0.0", **_kept(manifest)}),
        lock=_dump(_portable(lock)) if lock is not None else "",
        notes=tuple(f"`{name}` is not read: versions are chosen by `{MANIFEST}` alone" for name in unread),
    )


def _is_file(files: Draft, path: str) -> bool:
    node = files.node(path)
    return node is not None and node.kind is Kind.FILE


def _object(files: Draft, path: str, largest: int) -> dict[str, Any]:
    node = files.node(path)
    if node and node.size > largest:
        raise BadInput(f"`{path}` is too large to be read", hint="Make it again with `npm install --package-lock-only`")
    try:
        found = orjson.loads(files.read(path).removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise BadInput(
            f"`{path}` is not valid JSON: {error.msg} in line {error.lineno}", hint="Correct that line"
        ) from error
    if not isinstance(found, dict):
        raise BadInput(f"`{path}` is not a JSON object", hint='It begins with `{"name": ...`')
    return found


def _wanted(manifest: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    seen = set()
    for section in SECTIONS:
        for name, spec in _entries(manifest, section):
            if name not in seen:
                seen.add(name)
                yield name, str(spec), section


def _entries(manifest: dict[str, Any], section: str) -> list[tuple[str, Any]]:
    found = manifest.get(section)
    return list(found.items()) if isinstance(found, dict) else []


def _problems(manifest: dict[str, Any]) -> Iterator[str]:
    if manifest.get("workspaces"):
        yield f"`{MANIFEST}` has `workspaces`, which cannot be installed: give each package a project of its own"
    for section in SECTIONS:
        yield from _section_problems(manifest, section)
    for spec in _leaves(manifest.get("overrides", {})):
        if problem := _problem("x", spec):
            yield f"`overrides` in `{MANIFEST}`: {problem}"
    if sum(len(_entries(manifest, section)) for section in SECTIONS) > MOST_PACKAGES:
        yield f"`{MANIFEST}` names more than {MOST_PACKAGES} packages"


def _section_problems(manifest: dict[str, Any], section: str) -> Iterator[str]:
    if not isinstance(manifest.get(section, {}), dict):
        yield f"`{section}` in `{MANIFEST}` is not an object of names and versions"
    for name, spec in _entries(manifest, section):
        if problem := _problem(name, spec):
            yield f"`{section}` in `{MANIFEST}`, `{shown(name[:100])}`: {problem}"


def _problem(name: str, spec: object) -> str:
    if not NAME.fullmatch(name):
        return "this is not the name of a package"
    if not isinstance(spec, str):
        return "its version is not a text"
    if not SPEC.fullmatch(spec.strip()):
        return (
            f"`{shown(spec[:100])}` is not a version: packages come from the registry, not from an address or a folder"
        )
    return ""


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    else:
        yield value


def _lock_problems(lock: dict[str, Any]) -> Iterator[str]:
    if not isinstance(lock.get("lockfileVersion"), int):
        yield f"`{LOCK}` does not say which version of its format it has"
    for name, entry in _locked(lock):
        resolved = entry.get("resolved", "")
        if entry.get("link") or (resolved and not (isinstance(resolved, str) and TARBALL.fullmatch(resolved))):
            yield f"`{LOCK}`, `{shown(name[:100])}`: it does not come from the registry"
        elif isinstance(entry.get("version"), str) and not SPEC.fullmatch(entry["version"]):
            yield f"`{LOCK}`, `{shown(name[:100])}`: it does not come from the registry"


def _locked(lock: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every package in a lock file, of the newer form and of the older, which nests them."""
    packages = lock.get("packages")
    for name, entry in packages.items() if isinstance(packages, dict) else ():
        if name and isinstance(entry, dict):
            yield name, entry
    waiting = [lock]
    while waiting:
        inner = waiting.pop().get("dependencies")
        for name, entry in inner.items() if isinstance(inner, dict) else ():
            if isinstance(entry, dict):
                yield name, entry
                waiting.append(entry)


def _portable(lock: dict[str, Any]) -> dict[str, Any]:
    """Without addresses: this machine's registry is asked, and the integrity says whether it gave the right file."""
    for _, entry in _locked(lock):
        entry.pop("resolved", None)
    packages = lock.get("packages")
    if isinstance(packages, dict) and isinstance(packages.get(""), dict):
        packages[""] = {"name": "project", "version": "0.0.0", **_kept(packages[""])}
    return {**lock, "name": "project", "version": "0.0.0"}


def _kept(manifest: dict[str, Any]) -> dict[str, Any]:
    return {name: manifest[name] for name in (*SECTIONS, "overrides") if name in manifest}


def _dump(content: dict[str, Any]) -> str:
    return orjson.dumps(content, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2).decode()


def _unusable(problems: list[str]) -> BadInput:
    one = len(problems) == 1
    words = problems[0] if one else f"{len(problems)} things are wrong:" + "".join(f"\n- {line}" for line in problems)
    return BadInput(
        f"the packages of this project cannot be installed: {words}",
        hint=f'Correct this; in `{MANIFEST}` each package has a version, such as `"express": "^5.0.0"`',
        details={"problems": problems},
    )
