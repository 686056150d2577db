"""What pip's last words mean for a person: the package, the reason and the remedy."""

import re

from contracts.errors import AppError, BadInput, Conflict, Failed, NotFound, Unavailable

NO_NETWORK = re.compile(
    r"NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError|ProxyError|SSLError|ProtocolError"
    r"|Failed to establish a new connection|Temporary failure in name resolution|Read timed out|Connection refused"
    r"|Network is unreachable|Max retries exceeded|certificate verify failed|[Cc]onnection (broken|aborted|timed out)"
)
DENIED = re.compile(
    r"\b(401|403) (?:Client )?Error|Credentials not correct|User for .* needs|EOFError: EOF when reading"
)
MISSING = re.compile(r"^ERROR: No matching distribution found for (.+?)(?: \(from .*\))?$", re.MULTILINE)
VERSIONS = re.compile(r"\(from versions: (.*)\)$", re.MULTILINE)
OTHER_PYTHON = re.compile(r"Package '?([\w.-]+)'? requires a different Python: (\S+) not in '([^']+)'")
CAUSES = re.compile(r"^The conflict is caused by:\n((?:    .+\n?)+)", re.MULTILINE)
MISMATCH = re.compile(r"DO NOT MATCH THE HASHES|do not match the hashes", re.IGNORECASE)
UNHASHED = re.compile(r"--require-hashes mode|requires? .*--hash|all requirements must have")
NO_ROOM = re.compile(r"No space left on device|Disk quota exceeded")
PASSWORD = re.compile(r"(\w+://)[^/\s@]+@")
FEW_VERSIONS = 3


def missing(said: str) -> str:
    """The requirement for which pip found nothing to download, or nothing."""
    found = MISSING.search(said)
    return found.group(1).strip() if found and not NO_NETWORK.search(said) else ""


def in_words(said: str) -> AppError:
    """The error to raise for what pip said."""
    if NO_ROOM.search(said):
        return Failed("there is no room on the disk for the packages", hint="Free some space and try again")
    if DENIED.search(said):
        return Unavailable(
            "the package index refuses this machine",
            hint="Check the index and its password in this machine's pip settings",
        )
    if found := CAUSES.search(said):
        return _conflict(found.group(1))
    if NO_NETWORK.search(said):
        return Unavailable(
            "the package index cannot be reached",
            hint="Check the network and this machine's pip settings (`pip config list`), then try again",
        )
    return _about_packages(said)


def _about_packages(said: str) -> AppError:
    if found := OTHER_PYTHON.search(said):
        name, version, wanted = found.groups()
        return Conflict(
            f"`{name}` does not work with Python {version}: it needs {wanted}", hint="Ask for another version of it"
        )
    if MISMATCH.search(said):
        return Conflict(
            "a package is not the one that its hash in the requirements promises",
            hint="Do not use it before you know why; if you trust the index, take the new hash",
        )
    if UNHASHED.search(said):
        return BadInput(
            "some packages in the requirements have a hash and others do not", hint="Give all of them a hash, or none"
        )
    last = (
        [line for line in said.splitlines() if line.startswith("ERROR: ")] or said.strip().splitlines() or ["nothing"]
    )
    return Failed(
        f"the packages could not be fetched: {plain(last[-1])}", hint="Correct the requirements, or try again later"
    )


def not_found(requirement: str, name: str, versions: list[str], near: str, said: str) -> NotFound:
    """For a requirement that nothing in the index fits. No versions: the index does not know the name."""
    if not versions:
        hint = f"Did you mean `{near}`?" if near else "Look its name up in the package index"
        return NotFound(f"there is no package `{name}`", hint=hint, details={"package": name, "near": near})
    newest = ", ".join(f"`{version}`" for version in versions[-FEW_VERSIONS:])
    python = " for this Python" if "require a different python" in said.lower() else ""
    return NotFound(
        f"there is no version of `{name}`{python} that fits `{requirement}`",
        hint=f"Ask for one that exists; the newest are {newest}",
        details={"package": name, "versions": versions[-20:]},
    )


def versions(said: str) -> list[str]:
    """The versions that pip saw, oldest first."""
    found = VERSIONS.search(said)
    return [] if not found or found.group(1) == "none" else found.group(1).split(", ")


def _conflict(causes: str) -> Conflict:
    lines = [line.strip() for line in causes.splitlines() if line.strip()]
    words = [_cause(line) for line in dict.fromkeys(lines)]
    return Conflict(
        "these packages cannot be installed together: " + "; ".join(words[:4]),
        hint="Loosen or drop the version of one of them",
        details={"causes": lines},
    )


def _cause(line: str) -> str:
    if found := re.fullmatch(r"The user requested (?:\(constraint\) )?(.+)", line):
        return f"the project asks for `{found.group(1)}`"
    if found := re.fullmatch(r"(\S+) (\S+) depends on (.+)", line):
        return f"`{found.group(1)} {found.group(2)}` needs `{found.group(3)}`"
    return plain(line)


def plain(line: str) -> str:
    """One line without pip's prefix and without the password of an address."""
    return PASSWORD.sub(r"\1", line.removeprefix("ERROR: ").strip())[:300]
