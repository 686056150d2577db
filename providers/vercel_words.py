"""What Vercel's own codes and logs mean for a person."""

import re
import time
from collections.abc import Iterable
from typing import Any

from contracts.errors import AppError, Conflict, Failed, Forbidden, TooLarge, TooMany, Unauthorized, Unavailable
from providers.http import Answer, Line

TOKEN_PAGE = "https://vercel.com/account/settings/tokens"  # noqa: S105  an address
NEW_TOKEN = f"Make a new token at {TOKEN_PAGE} and set it here"
PLAN = "Look at the plan of the account on vercel.com, or choose another host"
SMALLER = "Leave large files out of the project, or choose another host"
LATER = "Nothing was sent again by itself; try again after that time, or choose another host"
CODES: dict[str, tuple[type[AppError], str, str]] = {
    "team_unauthorized": (
        Unauthorized,
        "The token does not work for that Vercel team",
        f"Leave the team out, name one that the token is for, or make a token for it at {TOKEN_PAGE}",
    ),
    "rate_limited": (TooMany, "Vercel was asked too often", LATER),
    "builds_rate_limited": (TooMany, "Vercel allows no more builds for now", LATER),
    "too_many_projects": (TooMany, "The Vercel account has as many projects as its plan allows", PLAN),
    "size_limit_exceeded": (TooLarge, "This is more than the plan of the Vercel account allows", SMALLER),
    "payload_too_large": (TooLarge, "This is more than Vercel takes at once", SMALLER),
    "too_many_files": (TooLarge, "These are more files than Vercel takes", SMALLER),
    "plan_not_supported": (Forbidden, "The plan of the Vercel account does not allow that", PLAN),
    "upgrade_required": (Forbidden, "The plan of the Vercel account does not allow that", PLAN),
    "challenge_required": (
        Forbidden,
        "Vercel wants to see that a person is there",
        "Sign in at vercel.com once, then try again",
    ),
    "service_unavailable": (Unavailable, "Vercel is in trouble itself", "Try again in some minutes"),
}
BUILD_CODES = {
    "FLASK_ENTRYPOINT_NOT_FOUND": "Vercel found no Flask app in the usual files",
    "PYTHON_ENTRYPOINT_NOT_FOUND": "Vercel found no Python app in the usual files",
    "PYTHON_INVALID_ENTRYPOINT": "Vercel found the file of the Python app, but no app in it",
    "BUILD_FAILED": "The build on Vercel failed",
}
ENTRY_HINT = "Name the file `app.py` and the Flask object in it `app`"
TELLING = re.compile(
    r"error|exception|traceback|fatal|failed|not found|cannot|could not|no module|denied|exited with|invalid|missing",
    re.IGNORECASE,
)
LINES = 12
A_MOMENT = 1e9
"""As seconds: more than this is a moment in time, less is how long something lasts."""


def said(answer: Answer) -> dict[str, Any]:
    """What is in the envelope of an error."""
    error = answer.object.get("error")
    return error if isinstance(error, dict) else {}


def refusal(line: Line, answer: Answer, doing: str) -> AppError:
    """An answer that is an error, as one of ours."""
    error = said(answer)
    code, words = str(error.get("code") or ""), error.get("message") or error.get("code") or ""
    if answer.status == 429 or "per-day" in code:
        return _limit(line, answer, code, words)
    if error.get("invalidToken") or error.get("missingToken") or answer.status == 401:
        return Unauthorized(f"Vercel does not accept the token: {line.clean(words)}", hint=NEW_TOKEN)
    if code in CODES:
        kind, plain, hint = CODES[code]
        return kind(f"{plain}: {line.clean(words)}", hint=hint, details={"status": answer.status, "code": code})
    if answer.status == 403:
        return Forbidden(
            f"Vercel does not allow the token to do that: {line.clean(words)} (tried: {doing})",
            hint=f"It may be for another team, or lack the right. {NEW_TOKEN}",
        )
    return line.refusal(answer, words, doing=doing)


def _limit(line: Line, answer: Answer, code: str, words: object) -> AppError:
    asked = answer.asked_wait()
    if asked is None:
        asked = _until_reset(said(answer).get("limit"))
    wait = max(int(asked), 1) if asked is not None else 0
    details = {"code": line.clean(code), **({"retry_after": wait} if wait else {})}
    _, plain, hint = CODES.get(code, CODES["rate_limited"])
    if "per-day" in code or "per-day" in str(words):
        plain = "The free deployments of a day are used up on Vercel"
    until = f", for {_span(wait)}" if wait else ""
    return TooMany(f"{plain}{until}: {line.clean(words)}", hint=hint, details=details)


def _until_reset(limit: object) -> float | None:
    """The seconds that a limit lasts: `reset` is the moment of its end, `resetMs` the same in thousandths."""
    known = limit if isinstance(limit, dict) else {}
    for name, factor in (("resetMs", 1000), ("reset", 1)):
        said = known.get(name)
        if isinstance(said, int | float):
            seconds = said / factor
            return seconds - time.time() if seconds > A_MOMENT else seconds
    return None


def _span(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} seconds"
    return f"{round(seconds / 60)} minutes" if seconds < 2 * 3600 else f"{round(seconds / 3600)} hours"


def event_line(event: Any) -> tuple[str, str, bool]:
    """What tells a line of a log from others, its text, and whether it says of itself that it is an error.

    Vercel gives these in two shapes, with the text beside the type or in a payload.
    """
    if not isinstance(event, dict):
        return "", "", False
    payload = event.get("payload")
    inner = payload if isinstance(payload, dict) else event
    text = inner.get("text")
    if not isinstance(text, str):
        return "", "", False
    identity = inner.get("id") or inner.get("serial") or f"{event.get('created')} {text}"
    wrong = event.get("type") in {"stderr", "fatal"} or "error" in (event.get("level"), inner.get("level"))
    return str(identity), text, wrong


def telling(lines: Iterable[tuple[str, bool]]) -> list[str]:
    """The lines of a log that say why it failed: those that look like it, or else the last ones."""
    known = [(text.rstrip(), wrong) for text, wrong in lines if text.strip()]
    chosen = [text for text, wrong in known if wrong or TELLING.search(text)]
    return (chosen or [text for text, _ in known])[-LINES:]


def build_failure(line: Line, deployment: dict[str, Any], lines: list[str]) -> AppError:
    """Why a deployment did not become one."""
    state, code = str(deployment.get("readyState")), str(deployment.get("errorCode") or "")
    own = line.clean(deployment.get("errorMessage") or deployment.get("readyStateReason") or "")
    hint = "Look at the lines of its log, mend the app, then deploy again"
    if state == "CANCELED":
        plain, hint = "The deployment was cancelled on Vercel", "Deploy again if that was not meant"
    elif state == "BLOCKED":
        plain, hint = "Vercel holds the deployment back until a person has looked at it", "Sign in at vercel.com"
    else:
        plain = BUILD_CODES.get(code, BUILD_CODES["BUILD_FAILED"])
        hint = ENTRY_HINT if "ENTRYPOINT" in code else hint
    details = {
        "release": deployment.get("id"),
        "code": line.clean(code or state),
        "lines": [line.clean(text) for text in lines],
        "page": deployment.get("inspectorUrl") or "",
    }
    return Failed(f"{plain}: {own}" if own else plain, hint=hint, details=details)


def alias_failure(line: Line, deployment: dict[str, Any]) -> AppError:
    error = deployment.get("aliasError")
    words = error.get("message") or error.get("code") if isinstance(error, dict) else error
    return Failed(
        f"It was built on Vercel, but got no public address: {line.clean(words)}",
        hint="Look at the domains of the project on vercel.com, then deploy again",
        details={"release": deployment.get("id"), "page": deployment.get("inspectorUrl") or ""},
    )


def taken(name: str) -> Conflict:
    return Conflict(
        f"Vercel has a project `{name}` already, and this agent did not make it",
        hint="Choose another name; what is there stays as it is",
    )
