"""Looks into wheels without installing them: name, licence, what they need, how large they get, and what is odd."""

import hashlib
import os
import re
import zipfile
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from contracts.errors import BadInput
from contracts.paths import shown

MOST_METADATA = 1_000_000
MOST_INDEX = 32 * 1024 * 1024
LONGEST_END, SHORTEST_END, ZIP64 = 66_000, 22, b"PK\x06\x07"
LONGEST_LICENCE = 80
NOT_STATED = "not stated"
STARTS_CODE = re.compile(r"([^/]+\.data/(pure|plat)lib/)?([^/]+\.pth|(site|user)customize([./].*)?)")


@dataclass(frozen=True, slots=True)
class Wheel:
    name: str
    version: str
    path: Path
    licence: str
    requires: tuple[Requirement, ...]
    size: int
    """Of its files when they are unpacked, as it says itself."""
    count: int
    digest: str
    notes: tuple[str, ...]


def read_wheel(path: Path) -> Wheel:
    """Raises BadInput if it is not a wheel."""
    try:
        name, version, _, _ = parse_wheel_filename(path.name)
        _check_index(path)
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            metadata = _metadata(archive, members, name)
    except (InvalidWheelFilename, zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError) as error:
        raise BadInput(
            f"`{shown(path.name)}` is not a package that can be installed: {error}",
            hint="Ask for another version of it",
        ) from error
    return Wheel(
        name=name,
        version=str(version),
        path=path,
        licence=licence_of(metadata),
        requires=_requires(metadata),
        size=sum(member.file_size for member in members),
        count=len(members),
        digest=f"sha256:{digest_of_file(path)}",
        notes=tuple(
            f"`{shown(member.filename)}` is left out: it would run at every start of Python"
            for member in members
            if STARTS_CODE.fullmatch(member.filename)
        )[:5],
    )


def _check_index(path: Path) -> None:
    """Raises ValueError for an archive whose list of files alone would fill the memory."""
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - LONGEST_END))
        end = file.read()
    at = end.rfind(b"PK\x05\x06")
    if at < 0 or len(end) < at + SHORTEST_END or ZIP64 in end[:at]:
        raise ValueError("its archive is damaged or too large")
    if int.from_bytes(end[at + 12 : at + 16], "little") > MOST_INDEX:
        raise ValueError("it has too many files")


def _metadata(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], name: str) -> Message:
    """Raises ValueError if there is none, or one of another package."""
    found = [member for member in members if re.fullmatch(r"[^/]+\.dist-info/METADATA", member.filename)]
    if len(found) != 1 or found[0].file_size > MOST_METADATA:
        raise ValueError("it does not say what it is")
    with archive.open(found[0]) as file:
        metadata = HeaderParser().parsestr(file.read(MOST_METADATA).decode("utf-8", "replace"))
    if canonicalize_name(metadata.get("Name", "")) != name:
        raise ValueError("it says that it is another package")
    return metadata


def licence_of(metadata: Message) -> str:
    """In a few words, from wherever the package says it."""
    plain = metadata.get("License-Expression") or metadata.get("License") or ""
    first = str(plain).strip().partition("\n")[0].strip()
    if first and first.upper() != "UNKNOWN" and len(first) <= LONGEST_LICENCE:
        return shown(first)
    classifiers = [str(value) for value in metadata.get_all("Classifier") or []]
    named = [value.rpartition(" :: ")[2] for value in classifiers if value.startswith("License :: ")]
    return shown(", ".join(named)[:LONGEST_LICENCE]) or (shown(first[:LONGEST_LICENCE]) if first else NOT_STATED)


def _requires(metadata: Message) -> tuple[Requirement, ...]:
    found = []
    for text in metadata.get_all("Requires-Dist") or []:
        try:
            found.append(Requirement(str(text)))
        except InvalidRequirement:
            continue
    return tuple(found)


def digest_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
