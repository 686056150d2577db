"""What a refusal of Google Drive means, and what a person can do about it."""

from backups.drive_access import DriveAccess
from contracts.errors import AppError, Failed, Forbidden, NotFound, TooLarge, TooMany, Unauthorized, Unavailable

RATE = {"userRateLimitExceeded", "rateLimitExceeded", "sharingRateLimitExceeded", "RESOURCE_EXHAUSTED"}
AGAIN = "then have backups try again"
NO_ROOM_FOR_ROBOTS = (
    "Google gives service accounts no storage of their own, not even in a folder that was shared with them"
)
ROOM_CHOICES = (
    "Three ways lead on: (1) choose a folder in a shared drive of Google Workspace and add the service account to that "
    "drive as content manager; (2) have a Workspace administrator allow it to act for a person (delegation), and name "
    "that person; (3) sign in as a person with OAuth and a refresh token, the only way for a plain Gmail account"
)


def refusal(status: int, reason: str, retry_after: float | None, access: DriveAccess) -> AppError:
    """An answer of Drive that is not what was asked for."""
    wait = {"retry_after": retry_after} if retry_after is not None else {}
    if status == 429 or reason in RATE:
        return TooMany("Google Drive asks to slow down", hint="It is tried again by itself", details=wait)
    if status >= 500 or status == 408:
        said = f"Google Drive has a problem of its own ({status})"
        return Unavailable(said, hint="It is tried again by itself", details=wait)
    if reason == "storageQuotaExceeded":
        return _no_room(access)
    return _refused(status, reason, access)


def _refused(status: int, reason: str, access: DriveAccess) -> AppError:
    if status == 401:
        return Unauthorized(
            "Google Drive does not accept the key any more", hint=f"Make a new key and put it in place, {AGAIN}"
        )
    if status == 403:
        return _forbidden(reason, access)
    if status == 404:
        return NotFound(
            f"The folder for backups in Google Drive is not there, or is not shared with {access.who}",
            hint=f"Share it with {access.who} as editor, or choose another folder, {AGAIN}",
        )
    if status == 413:
        return TooLarge("A file is larger than Google Drive takes", hint="It stays here; all others go on")
    return Failed(f"Google Drive refused a request ({status} {reason}".rstrip() + ")", hint="It is tried again later")


def _no_room(access: DriveAccess) -> AppError:
    if access.is_service_account and not access.subject:
        return Forbidden(f"Google Drive has no room: {NO_ROOM_FOR_ROBOTS}", hint=ROOM_CHOICES)
    return Forbidden(
        f"The Google Drive of {access.who} is full", hint=f"Make room there or choose another place, {AGAIN}"
    )


def _forbidden(reason: str, access: DriveAccess) -> AppError:
    if reason == "accessNotConfigured":
        return Forbidden(
            "The Google Drive API is switched off in the project that the key belongs to",
            hint=f"Switch it on in the Google Cloud console under APIs and services, {AGAIN}",
        )
    if reason == "teamDriveFileLimitExceeded":
        return Forbidden(
            "The shared drive holds as many items as Google allows", hint=f"Choose another shared drive, {AGAIN}"
        )
    if reason == "appNotAuthorizedToFile":
        return Forbidden(
            "The access that was given covers only files that the agent made itself",
            hint="Leave the folder empty in the settings, so that the agent makes one; or give access to all of Drive",
        )
    return Forbidden(
        f"{access.who} may not write to the folder for backups in Google Drive" + (f" ({reason})" if reason else ""),
        hint=f"Share the folder with {access.who} as editor, in a shared drive as content manager, {AGAIN}",
    )


def sign_in_refusal(code: str, retryable: bool, access: DriveAccess) -> AppError:
    """Google did not give an access token."""
    if retryable:
        return Unavailable("Signing in to Google is not possible now", hint="It is tried again by itself")
    if code == "unauthorized_client" and access.subject:
        return Unauthorized(
            f"The service account may not act for {access.subject}",
            hint="A Workspace administrator has to allow its client id the scope "
            f"`https://www.googleapis.com/auth/drive` under domain-wide delegation, {AGAIN}",
        )
    if code == "invalid_grant" and not access.is_service_account:
        return Unauthorized(
            "The access that a person gave to Google Drive has ended or was withdrawn",
            hint="Sign in again and put the new refresh token in place. "
            "While the app is in testing, Google ends access after a week",
        )
    if code == "invalid_grant":
        return Unauthorized(
            "Google does not accept the service account's key" + (f" for {access.subject}" if access.subject else ""),
            hint="Look whether the account and its key still exist, and whether the person's address and this "
            f"machine's clock are right, {AGAIN}",
        )
    return Unauthorized(
        f"Signing in to Google failed ({code})" if code else "Signing in to Google failed",
        hint=f"Make a new key and put it in place, {AGAIN}",
    )
