"""Packages that exist only as source: found in the index, fetched unread, and built into a wheel in the sandbox."""

import hashlib
import re
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version

from contracts.errors import BadInput, Conflict, Failed, TooLarge, Unavailable
from environments import pip_errors
from environments.base import Bounds, Doing, Runs
from environments.fetching import Said, too_much
from environments.python_target import Target
from sandboxes.base import MIB, Job, JobResult, Limits

LINK = re.compile(r"No sources permitted for \S+: (\S+)", re.IGNORECASE)
TOOLS = ("setuptools", "wheel")
PROGRAM = Path(__file__).parent / "inside" / "build_source.py"
CHUNK = 1 << 20
NO_VERSION = "==0.dev0+none"
"""Asked for, so that pip looks at everything and takes nothing."""
TIMEOUT = 30.0
NEEDED = re.compile(r"^needs ([\w.-]+)$", re.MULTILINE)
AskPip = Callable[[tuple[str, ...]], Said]
"""Downloads with the service's pip, wheels only, with these further arguments."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source package and where the index has it."""

    name: str
    version: Version
    url: str
    file: str


class SourceBuilds:
    """Used for one download: `folder` holds what is fetched, and the sandbox may read it."""

    def __init__(self, folder: Path, ask_pip: AskPip, sandbox: Runs, target: Target, bounds: Bounds) -> None:
        self._folder = folder
        self._ask_pip = ask_pip
        self._sandbox = sandbox
        self._target = target
        self._bounds = bounds
        self.built = folder / "built"

    def find(self, requirement: Requirement) -> tuple[Source | None, list[str]]:
        """The newest source that fits, and all versions that the index has. pip tells which links it passed over."""
        nothing = ("-vv", "--no-deps", "--dest", str(self._folder / "none"), f"{requirement.name}{NO_VERSION}")
        said = self._ask_pip(nothing)
        found = [source for url in LINK.findall(said.text) if (source := _source(url, requirement.name))]
        fitting = [s for s in found if requirement.specifier.contains(s.version, prereleases=None)]
        versions = {source.version for source in found} | set(map(Version, pip_errors.versions(said.text)))
        return max(fitting, key=lambda s: s.version, default=None), [str(version) for version in sorted(versions)]

    def build(self, source: Source, environ: Mapping[str, str], doing: Doing) -> None:
        """Put a wheel of it into `built`. Raises Failed if it cannot be built without a network."""
        doing.say(f"Building `{source.name}` from source")
        self.built.mkdir(exist_ok=True)
        path = self._folder / source.file
        _get(source, path, environ, self._bounds.download, doing)
        tools = self._tools()
        result = self._sandbox.run(self._job(path, tools), tick=doing.tick)
        wheels = {name: file.data for name, file in result.files.items() if name.endswith(".whl")}
        if not result.ok or len(wheels) != 1:
            raise _explain(source, result)
        [(name, data)] = wheels.items()
        file = Path(name).name
        if not _is_of(file, source):
            raise BadInput(
                f"`{source.name}` builds another package than itself", hint="It may be hostile: do not use it"
            )
        (self.built / file).write_bytes(data)

    def _tools(self) -> Path:
        tools = self._folder / "tools"
        if not tools.exists():
            said = self._ask_pip(("--no-deps", "--dest", str(tools), *TOOLS))
            if not said.ok:
                raise pip_errors.in_words(said.text)
        return tools

    def _job(self, path: Path, tools: Path) -> Job:
        wheels = map(str, sorted(tools.glob("*.whl")))
        return Job(
            argv=(self._target.executable, "-I", "build_source.py", str(path), "out", *wheels),
            files={"build_source.py": PROGRAM.read_bytes()},
            mounts=(self._folder,),
            collect=("out",),
            limits=Limits(
                wall=self._bounds.seconds,
                cpu=int(self._bounds.seconds),
                memory=1024 * MIB,
                processes=128,
                file_size=256 * MIB,
                disk=1024 * MIB,
                files_out=128 * MIB,
            ),
        )


def _source(url: str, name: str) -> Source | None:
    file = urllib.parse.unquote(Path(urllib.parse.urlsplit(url).path).name)
    try:
        found, version = parse_sdist_filename(file)
    except InvalidSdistFilename:
        return None
    return Source(found, version, url, file) if found == name else None


def _is_of(file: str, source: Source) -> bool:
    try:
        name, version, _, _ = parse_wheel_filename(file)
    except InvalidWheelFilename:
        return False
    return name == source.name and version == source.version


def _get(source: Source, path: Path, environ: Mapping[str, str], most: int, doing: Doing) -> None:
    """Fetch one file, whole and as the index promised it, or raise."""
    address, _, fragment = source.url.partition("#")
    parts = urllib.parse.urlsplit(address)
    if "****" in parts.netloc:
        raise Unavailable(
            f"`{source.name}` is behind a password that only pip knows", hint="Ask for a version that needs no building"
        )
    pieces = _from_disk(parts) if parts.scheme == "file" else _from_net(address, environ)
    size, found = 0, hashlib.sha256()
    with path.open("wb") as file:
        for piece in pieces:
            doing.tick()
            size += len(piece)
            if size > most:
                raise too_much(most)
            found.update(piece)
            file.write(piece)
    wanted = dict(urllib.parse.parse_qsl(fragment)).get("sha256", "")
    if wanted and found.hexdigest() != wanted:
        raise Conflict(f"`{source.file}` is not what the package index promised", hint="Try again")


def _from_disk(parts: urllib.parse.SplitResult) -> Iterator[bytes]:
    with Path(urllib.parse.unquote(parts.path)).open("rb") as file:
        while piece := file.read(CHUNK):
            yield piece


def _from_net(address: str, environ: Mapping[str, str]) -> Iterator[bytes]:
    import requests  # noqa: PLC0415  start-up is faster without it, and few packages have to be built

    bundle = environ.get("PIP_CERT") or environ.get("REQUESTS_CA_BUNDLE") or environ.get("SSL_CERT_FILE") or True
    try:
        with requests.get(address, stream=True, timeout=TIMEOUT, verify=bundle) as answer:
            answer.raise_for_status()
            yield from answer.iter_content(CHUNK)
    except requests.RequestException as error:
        raise Unavailable("the package index cannot be reached", hint="Check the network and try again") from error


def _explain(source: Source, result: JobResult) -> Failed | TooLarge:
    text = result.stdout.text + result.stderr.text
    details = {"output": text[-2000:]}
    if needed := NEEDED.search(text):
        return Failed(
            f"`{source.name}` cannot be built from source: that needs `{needed.group(1)}`, and builds have no network",
            hint=f"Ask for a version of `{source.name}` that is published ready to install, or for another package",
            details=details,
        )
    why = result.words if result.stopped_by or result.ok else "its build ended with an error"
    return Failed(
        f"`{source.name}` cannot be built from source: {why}",
        hint=f"Ask for a version of `{source.name}` that is published ready to install, or for another package",
        details=details,
    )
