"""What npm's last words mean for a person: the package, the reason and the remedy."""

import re

from contracts.errors import AppError, BadInput, Conflict, Failed, NotFound, Unavailable
from environments.allow_list import AllowList

PREFIX = re.compile(r"^npm (?:error|ERR!) ?", re.MULTILINE)
CODE = re.compile(r"^code (E\w+|\w+_\w+)$", re.MULTILINE)
NO_NETWORK = frozenset(
    """
    ENOTFOUND ECONNREFUSED ECONNRESET ETIMEDOUT EAI_AGAIN EHOSTUNREACH ENETUNREACH ERR_SOCKET_TIMEOUT EPROTO
    CERT_HAS_EXPIRED SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY
    DEPTH_ZERO_SELF_SIGNED_CERT ERR_INVALID_URL E500 E502 E503 E504
    """.split()
)
ELSEWHERE = {"EALLOWGIT", "EALLOWREMOTE", "EALLOWFILE", "EALLOWDIRECTORY", "EUNSUPPORTEDPROTOCOL", "ENOENT"}
QUOTED = re.compile(r"'((?:@[\w.-]+/)?[\w.-]+)@([^']*)'")
TARGET = re.compile(r"No matching version found for ((?:@[\w.-]+/)?[\w.-]+)@(\S+?)\.?$", re.MULTILINE)


def in_words(said: str, allowed: AllowList) -> AppError:
    """The error to raise for what npm said."""
    text = PREFIX.sub("", said)
    code = found.group(1) if (found := CODE.search(text)) else ""
    if code in {"ENOSPC", "EDQUOT"}:
        return Failed("there is no room on the disk for the packages", hint="Free some space and try again")
    if code in NO_NETWORK:
        return Unavailable(
            "the package registry cannot be reached",
            hint="Check the network and this machine's npm settings (`npm config list`), then try again",
        )
    if code in {"E401", "E403", "ENEEDAUTH"}:
        return Unavailable(
            "the package registry refuses this machine",
            hint="Check the registry's password in this machine's npm settings",
        )
    return _about_packages(code, text, allowed)


def _about_packages(code: str, text: str, allowed: AllowList) -> AppError:
    if code == "E404":
        return _unknown(text, allowed)
    if code == "ETARGET":
        found = TARGET.search(text)
        what = f"`{found.group(1)}` that fits `{found.group(2)}`" if found else "one of the packages that fits"
        return NotFound(f"there is no version of {what}", hint="Ask for one that exists")
    if code == "ERESOLVE":
        return _conflict(text)
    if code in ELSEWHERE:
        return BadInput(
            "a package wants something that does not come from the package registry", hint="Ask for another package"
        )
    return _about_files(code, text)


def _about_files(code: str, text: str) -> AppError:
    if code == "EINTEGRITY":
        return Conflict(
            "a package is not the one that `package-lock.json` promises",
            hint="Do not use it before you know why; without the lock file, versions are chosen anew",
        )
    if code == "EUSAGE":
        return BadInput(
            "`package.json` and `package-lock.json` do not fit together",
            hint="Delete `package-lock.json`, so that versions are chosen anew",
        )
    quiet = ("code", "A complete log", "npm ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(quiet)]
    return Failed(
        f"the packages could not be fetched: {lines[0][:300] if lines else 'npm did not say why'}",
        hint="Correct `package.json`, or try again later",
    )


def _unknown(text: str, allowed: AllowList) -> NotFound:
    found = QUOTED.search(text)
    name = found.group(1) if found else ""
    near = allowed.near("node", name)
    hint = f"Did you mean `{near}`?" if near else "Look its name up in the package registry"
    return NotFound(
        f"there is no package `{name}`" if name else "one of the packages does not exist",
        hint=hint,
        details={"package": name, "near": near},
    )


def _conflict(text: str) -> Conflict:
    """npm shows what it found and what does not fit that."""
    found = re.search(r"^Found: (\S+)", text, re.MULTILINE)
    peer = re.search(r"^\s*(?:peer )?(\S+@\"[^\"]*\") from (\S+)", text[text.find("Could not resolve") :], re.MULTILINE)
    words = [
        f"`{peer.group(2)}` needs `{peer.group(1)}`" if peer else "",
        f"there is `{found.group(1)}`" if found else "",
    ]
    return Conflict(
        "these packages cannot be installed together: " + "; ".join(filter(None, words)),
        hint="Change the version of one of them in `package.json`",
    )
