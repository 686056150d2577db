"""Credentials: which accounts are set up; entering, testing, forgetting what opens them. No answer holds a secret."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, WithJsonSchema
from typing_extensions import TypedDict

from web.deps import Deps
from web.routes import Input, Reply, Route, Said, example, said

Account = Annotated[
    str, Field(pattern=r"^[a-z]{1,20}$", description="The name of an account, as `/credentials` lists it.")
]
Values = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "What opens the account, by the names of its fields.",
        }
    ),
]


class NewCredential(Input):
    model_config = ConfigDict(json_schema_extra=example({"values": {"token": "TOKEN"}}))

    values: Values


class CredentialField(TypedDict):
    """One value that an account needs."""

    name: str
    label: str
    hint: str
    environment: Annotated[str, Field(description="The variable that is used where nothing is stored.")]
    secret: bool
    required: bool
    file: Annotated[bool, Field(description="Whether it is the whole text of a JSON file.")]
    set: bool
    value: NotRequired[Annotated[str, Field(description="Only of what is no secret.")]]


class CredentialShape(TypedDict):
    """One account: how it stands, and how to get what opens it."""

    name: str
    title: str
    purpose: str
    set: bool
    source: Annotated[Literal["stored", "environment", ""], Field(description="Where it comes from.")]
    state: Literal["missing", "untested", "works", "refused"]
    who: Annotated[str, Field(description="Whose it is, as the host says.")]
    team: str
    tested: Annotated[str, Field(description="When it was last tried; empty if never.")]
    words: str
    fields: list[CredentialField]
    guide: Annotated[list[str], Field(description="How to get it, step by step.")]


class CredentialList(Reply):
    credentials: list[CredentialShape]
    notices: list[str]


class Credential(Reply):
    credential: CredentialShape


def credentials(deps: Deps) -> Said:
    """List the accounts that can be used: how each stands, what it needs and how to get that."""
    found = deps.credentials.describe()
    ready = [one["title"] for one in found if one["set"]]
    words = f"Set up: {', '.join(ready)}" if ready else "No account is set up yet"
    return said(words, credentials=found, notices=deps.credentials.notices())


def set_credential(deps: Deps, account: Account, body: NewCredential) -> Said:
    """Test what opens an account and keep it in place of what was there; if the test fails, nothing changes."""
    found = deps.credentials.put(account, body.values)
    return said(f"{found['title']}: {found['words']}", credential=found)


def test_credential(deps: Deps, account: Account) -> Said:
    """Ask the host whether what is set up still opens the account."""
    found = deps.credentials.test(account)
    return said(f"{found['title']}: {found['words']}", success=found["state"] == "works", credential=found)


def forget_credential(deps: Deps, account: Account) -> Said:
    """Remove what is stored for an account; it stays valid at the host until it is removed there too."""
    found = deps.credentials.forget(account)
    rest = f"{found['words']}" if found["set"] else "Nothing is stored any more"
    return said(f"{found['title']}: {rest}", credential=found)


PLACE = "/credentials/<account>"
ROUTES = (
    Route("GET", "/credentials", credentials, {200: CredentialList}),
    Route("PUT", PLACE, set_credential, {200: Credential}, takes_secrets=True),
    Route("POST", f"{PLACE}/test", test_credential, {200: Credential}),
    Route("DELETE", PLACE, forget_credential, {200: Credential}, errors=frozenset({409})),
)
