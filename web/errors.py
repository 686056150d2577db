"""Every error as the one JSON shape: known ones as they say, unknown ones as a reference into the log."""

import logging
import math
import secrets
from typing import Any

import flask
from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import MethodNotAllowed as WrongMethod
from werkzeug.exceptions import NotFound as NoRoute

from contracts.errors import AppError, BadInput, Failed, MethodNotAllowed, NotFound
from web.routes import json_response

log = logging.getLogger(__name__)


def register_errors(app: flask.Flask) -> None:
    app.register_error_handler(AppError, app_error)
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Exception, unexpected)


def app_error(error: AppError) -> flask.Response:
    body: dict[str, Any] = {"success": False, "message": error.message, "error": error.describe()}
    response = json_response(body, error.status)
    wait = error.details.get("retry_after")
    if wait is not None:
        response.headers["Retry-After"] = str(max(1, math.ceil(wait)))
    if error.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def http_error(error: HTTPException) -> flask.Response:
    """Flask's and Werkzeug's own errors, in our words."""
    response = app_error(_translated(error))
    if isinstance(error, WrongMethod):
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    return response


def _translated(error: HTTPException) -> AppError:
    path, method = flask.request.path, flask.request.method
    if isinstance(error, NoRoute):
        return NotFound(f"There is nothing at `{path}`", hint="`GET /docs` lists every address")
    if isinstance(error, WrongMethod):
        allowed = ", ".join(sorted(set(error.valid_methods or ()) - {"HEAD", "OPTIONS"}))
        return MethodNotAllowed(f"`{path}` does not take {method}", hint=f"It takes {allowed}")
    if (error.code or 500) < 500:
        return BadInput("The request could not be understood", details={"reason": error.name})
    return Failed("Something here broke")


def unexpected(error: Exception) -> flask.Response:
    """The answer names a reference, and the log has the whole story under it."""
    reference = secrets.token_hex(4)
    log.error(
        "unexpected error %s: %s %s",
        reference,
        flask.request.method,
        flask.request.path,
        exc_info=error,
        extra={"event": "request_failed", "data": {"reference": reference}},
    )
    return app_error(
        Failed(
            "Something broke here that should not have; nothing more was done",
            hint=f"Look for `{reference}` in `logs/agent.log`, and try again",
            details={"reference": reference},
        )
    )
