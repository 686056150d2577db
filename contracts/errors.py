"""Every way in which the agent says that something could not be carried out.

AppError
├── BadInput                 400  the request itself is wrong
│   ├── InvalidParams             a parameter is missing, unknown or out of bounds
│   ├── UnknownIntent             no action has that name
│   ├── UnsafePath                a path leaves the project or uses a reserved name
│   └── BadSettings               a setting is unknown or has a value that it cannot have
├── Unauthorized             401  no token, or a wrong one
├── Forbidden                403  a rule of the owner or of the house says no
├── NotFound                 404  no such task, project, file or route
├── MethodNotAllowed         405  the route exists, for another method
├── Conflict                 409  the world is not as the request assumes
│   ├── AlreadyExists             something is there already
│   ├── EditMismatch              text to replace was not found exactly once
│   ├── StaleApproval             the project changed since the card was made
│   ├── SeveralWaiting            more than one task waits; the request must name one
│   └── UndoConflict              taking this change back would lose a later one
├── TooLarge                 413  over a size limit
├── TooMany                  429  over a rate limit
├── Failed                   500  something here broke
│   └── StoreDamaged              stored memory could not be read
└── Unavailable              503  not now: stopping, busy or locked
    ├── HomeLocked                another service has this home
    └── NoSandbox                 there is no boundary here behind which code could run
"""

from typing import Any, ClassVar


class AppError(Exception):
    """Could not be carried out: what happened, what to do about it, and whether to try again."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, hint: str = "", details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = details or {}

    def describe(self) -> dict[str, Any]:
        return {"code": self.code, "hint": self.hint, "details": self.details}


class BadInput(AppError):
    code = "bad_input"
    status = 400


class InvalidParams(BadInput):
    code = "invalid_params"


class UnknownIntent(BadInput):
    code = "unknown_intent"


class UnsafePath(BadInput):
    code = "unsafe_path"


class BadSettings(BadInput):
    code = "bad_settings"


class Unauthorized(AppError):
    code = "unauthorized"
    status = 401


class Forbidden(AppError):
    code = "forbidden"
    status = 403


class NotFound(AppError):
    code = "not_found"
    status = 404


class MethodNotAllowed(AppError):
    code = "method_not_allowed"
    status = 405


class Conflict(AppError):
    code = "conflict"
    status = 409


class AlreadyExists(Conflict):
    code = "already_exists"


class EditMismatch(Conflict):
    code = "edit_mismatch"


class StaleApproval(Conflict):
    code = "stale_approval"


class SeveralWaiting(Conflict):
    code = "several_waiting"


class UndoConflict(Conflict):
    code = "undo_conflict"


class TooLarge(AppError):
    code = "too_large"
    status = 413


class TooMany(AppError):
    code = "too_many_requests"
    status = 429
    retryable = True


class Failed(AppError):
    code = "failed"
    status = 500


class StoreDamaged(Failed):
    code = "store_damaged"


class Unavailable(AppError):
    code = "unavailable"
    status = 503
    retryable = True


class HomeLocked(Unavailable):
    code = "home_locked"


class NoSandbox(Unavailable):
    code = "no_sandbox"
    retryable = False
