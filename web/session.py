"""Signing in from a browser: a one-time code for the token."""

import math
import time
from datetime import UTC, datetime

from pydantic import ConfigDict, Field

from contracts.errors import TooMany, Unauthorized
from web.deps import Deps
from web.links import LIFETIME
from web.routes import Input, Reply, Route, Said, example, said


class Code(Input):
    model_config = ConfigDict(json_schema_extra=example({"code": "CODE"}))

    code: str = Field(min_length=1, max_length=128, description="The code of a sign-in link.")


class Token(Reply):
    token: str


class Link(Reply):
    url: str
    code: str
    expires: str


def session(deps: Deps, body: Code) -> Said:
    """Exchange the one-time code of a sign-in link for the token."""
    early = deps.links.too_many_tries()
    # A code that is right works even then: nobody can shut the owner out by trying wrong ones.
    if deps.links.redeem(body.code):
        return said("You are signed in", token=deps.token)
    if early > 0:
        raise TooMany(
            "Too many wrong codes were tried",
            hint=f"Wait {math.ceil(early)} seconds, or make a new link with `./agent open`",
            details={"retry_after": round(early, 3)},
        )
    raise Unauthorized("This sign-in link was used already or is too old", hint="Make a new one with `./agent open`")


def admin_link(deps: Deps) -> Said:
    """Make a sign-in link that works once, for ten minutes."""
    code = deps.links.make()
    expires = datetime.fromtimestamp(time.time() + LIFETIME, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    url = f"{deps.url()}/#code={code}"
    return said("The link works once, for ten minutes", url=url, code=code, expires=expires)


ROUTES = (
    Route("POST", "/session", session, {200: Token}, open=True, errors=frozenset({401})),
    Route("POST", "/admin/link", admin_link, {200: Link}),
)
