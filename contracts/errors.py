"""Every way in which the agent says that something could not be carried out.

AppError
├── BadInput                 400  the request itself is wrong
│   ├── InvalidParams             a parameter is missing, unknown or out of bounds
│   ├── UnknownIntent             no action has that name
│   ├── UnsafePath                a path leaves the project or uses a reserved name
│   ├── BadSettings               a setting is unknown or has a value that it cannot have
│   ├── CredentialRefused         the host does not take the credential that was entered
│   └── SecretInCommand           a command holds a secret, which belongs elsewhere
├── Unauthorized             401  no token, or a wrong one
├── Forbidden                403  a rule of the owner or of the house says no
├── NotFound                 404  no such task, project, file or route
├── MethodNotAllowed         405  the route exists, for another method
├── Conflict                 409  the world is not as the request assumes
│   ├── AlreadyExists             something is there already
│   ├── EditMismatch              text to replace was not found exactly once
│   ├── StaleApproval             the project changed since the card was made
│   ├── SeveralWaiting            more than one task waits; the request must name one
│   ├── NotReady                  something that a person has to see to comes first
│   └── UndoConflict              taking this change back would lose a later one
├── TooLarge                 413  over a size limit
├── TooMany                  429  over a rate limit
├── Failed                   500  something here broke
│   └── StoreDamaged              stored memory could not be read
├── NotHere                  501  there is no agent behind this address, only its panel
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
    stays_queued: bool = False
    """Whether the step that failed of it is kept, so that it can be tried again once that has been seen to."""

    def __init__(self, message: str, *, hint: str = "", details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = details or {}

    def describe(self) -> dict[str, Any]:
        return {"code": self.code, "hint": self.hint, "details": self.details}

    def kept(self) -> dict[str, Any]:
        """As it is kept with a task that failed of it."""
        return {**self.describe(), "status": self.status, "retryable": self.retryable}


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


class CredentialRefused(BadInput):
    code = "credential_refused"


class SecretInCommand(BadInput):
    code = "secret_in_command"


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


class NotReady(Conflict):
    code = "not_ready"


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


class NotHere(AppError):
    code = "not_here"
    status = 501


class Unavailable(AppError):
    code = "unavailable"
    status = 503
    retryable = True


class HomeLocked(Unavailable):
    code = "home_locked"


class NoSandbox(Unavailable):
    code = "no_sandbox"
    retryable = False
