"""What git complains of when it talks to another place, in plain words and as this agent's own errors."""

import re
from typing import Any

from contracts.errors import AppError, Conflict, Failed, Forbidden, NotFound, TooMany, Unauthorized, Unavailable
from repositories.addresses import Address

STATUS = re.compile(r"(?:returned error: |RPC failed; HTTP )(\d{3})")
NETWORK = (
    *("could not resolve host", "failed to connect", "couldn't connect", "connection reset", "recv failure"),
    *("send failure", "timed out", "operation too slow", "empty reply", "rpc failed", "early eof"),
    *("hung up unexpectedly", "unexpected disconnect", "connection refused", "transfer closed", "broken pipe"),
)
CERTIFICATE = ("certificate", "ssl", "tls")
NOT_GIT = ("git-http-push failed", "not valid: is this a git repository", "not found: did you run git update-server")
NO_LOGIN = ("could not read username", "could not read password", "authentication failed")
LONGEST_SAID = 20
BY_STATUS: dict[int, tuple[type[AppError], str, str]] = {
    401: (
        Unauthorized,
        "`{host}` does not accept the token, or none is stored for it",
        "Store one that may push there with `./agent credentials set`, or in the panel under Settings",
    ),
    403: (
        Forbidden,
        "The token may not push to `{address}`",
        "Give it write access to the contents of that repository, or push to one that is yours",
    ),
    429: (TooMany, "`{host}` gets too many requests now", "Push again in a while"),
}
Details = dict[str, Any]
PASSING = ("failed to update ref", "cannot lock ref", "incorrect old value")


def from_git(address: Address, complaint: str) -> AppError:
    """Why a request to the place failed as a whole."""
    low = complaint.lower()
    details: Details = {"address": address.url, "git": lines(complaint)}
    if any(words in low for words in NO_LOGIN):
        return _from_status(address, 401, details)
    if (status := STATUS.search(complaint)) is not None:
        return _from_status(address, int(status[1]), details)
    if "repository '" in low and "not found" in low:
        return _missing(address, details)
    return _without_status(address, complaint, details)


def _without_status(address: Address, complaint: str, details: Details) -> AppError:
    low = complaint.lower()
    if any(words in low for words in NOT_GIT):
        return NotFound(f"There is no git repository at `{address}`", hint="Check the address", details=details)
    if any(words in low for words in CERTIFICATE):
        return Failed(
            f"`{address.host}` could not prove who it is, so nothing was sent",
            hint="See that the date of this machine is right, and that nothing in between changes connections",
            details=details,
        )
    if any(words in low for words in NETWORK):
        return unreachable(address, details)
    return Failed(f"git could not talk to `{address.host}`", hint=_last(complaint), details=details)


def unreachable(address: Address, details: Details) -> Unavailable:
    return Unavailable(
        f"`{address.host}` cannot be reached now, or broke off",
        hint="What was committed is safe here; push again when the connection is back",
        details=details,
    )


def _from_status(address: Address, status: int, details: Details) -> AppError:
    if status == 404:
        return _missing(address, details)
    if status >= 500:
        return unreachable(address, details)
    if status in BY_STATUS:
        kind, message, hint = BY_STATUS[status]
        return kind(message.format(address=address, host=address.host), hint=hint, details=details)
    if 300 <= status < 400:
        return NotFound(
            f"`{address}` has moved elsewhere; the token is not sent after it",
            hint="Find its new address in a browser and use that",
            details=details,
        )
    return Failed(f"`{address.host}` refused with status {status}", hint="Check the address", details=details)


def _missing(address: Address, details: Details) -> NotFound:
    return NotFound(
        f"There is no repository at `{address}` that the token may see",
        hint="Check the address; if it is private, the token needs access to it; `create_repository` makes a new one",
        details=details,
    )


def from_rejection(address: Address, branch: str, why: str, said: str) -> AppError:
    """Why the place was reached and took the branch nevertheless not."""
    low = f"{why}\n{said}".lower()
    details: Details = {"address": address.url, "branch": branch, "reason": why, "said": lines(said)}
    if why in {"non-fast-forward", "fetch first", "needs force"}:
        return diverged(address, branch, details)
    if "workflow" in low and ("scope" in low or "permission" in low):
        return Forbidden(
            "The history holds files in `.github/workflows`, which this token may not change",
            hint="Give the token the permission Workflows: write (classic: `workflow`)",
            details=details,
        )
    if "protected branch" in low:
        return Forbidden(
            f"The branch `{branch}` is protected there",
            hint="Push another branch and open a pull request with `open_pull_request`",
            details=details,
        )
    if any(words in low for words in PASSING):
        return Unavailable(
            f"Somebody else is changing `{branch}` there right now", hint="Push again in a moment", details=details
        )
    return Conflict(
        f"`{address.host}` did not take the branch `{branch}`: {why}",
        hint="What it says is in the details; nothing there was changed",
        details=details,
    )


def diverged(address: Address, branch: str, details: Details | None = None) -> Conflict:
    """What is there is not part of what would be pushed; it is never written over."""
    return Conflict(
        f"The branch `{branch}` there has commits that this project does not have, so nothing was pushed",
        hint=f"Nothing there is ever written over. Bring them in with `git fetch {address} {branch}` and "
        "`git merge FETCH_HEAD` in the project's folder, or send your commits as a branch of their own: push with "
        "another `branch`, or use `open_pull_request`",
        details={"address": address.url, "branch": branch, **(details or {})},
    )


def lines(text: str) -> list[str]:
    """The last lines as the other side or git said them, for details only."""
    plain = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    return [line.strip()[:300] for line in plain.splitlines() if line.strip()][-LONGEST_SAID:]


def _last(text: str) -> str:
    said = [line for line in lines(text) if line.startswith(("fatal:", "error:"))]
    return f"It says: {said[-1].partition(':')[2].strip()}" if said else "Try again"
