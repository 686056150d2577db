"""Builds the credentials of a home, and what tells the rest of the house about them."""

import logging
from collections.abc import Mapping
from pathlib import Path

from context_manager import ContextManager
from contracts.deployments import Account
from contracts.errors import Unavailable
from credential_kinds import KINDS, kind_of
from credentials import Check, Credentials, State, Values
from logging_setup import Redactor
from setting_sources import others_variables
from settings import CHECKOUT

log = logging.getLogger(__name__)


def build_credentials(
    home: Path, memory: ContextManager, redactor: Redactor, check: Check | None, environ: Mapping[str, str]
) -> Credentials:
    found = Credentials(home, check=check or no_host, redactor=redactor, clock=memory.clock, environ=environ)

    def tell(name: str, state: State, who: str) -> None:
        with memory.transaction() as tx:
            tx.emit("credential_changed", name=name, state=state.value, who=who)

    found.tell = tell
    found.secrets()  # from here on, none of them reaches a log
    for notice in found.notices():
        log.warning(notice, extra={"event": "credentials_notice"})
    return found


def stored_values(home: Path, name: str, environ: Mapping[str, str]) -> Values | None:
    """The values of one credential, for whoever has nothing else of the house."""
    return Credentials(home, check=no_host, redactor=Redactor(), clock=lambda: "", environ=environ).get(name)


def account_variables(environ: Mapping[str, str], home: Path) -> dict[str, str]:
    """The variables that hold credentials, from the environment and from `.env`."""
    names = frozenset(field.environment for kind in KINDS for field in kind.fields)
    return others_variables(environ, home, CHECKOUT, names)


def no_host(name: str, values: Values) -> Account:
    """Where no host is wired, nothing can be tested, and what was not tested is not kept."""
    raise Unavailable(f"{kind_of(name).title} cannot be asked from here, so nothing was stored")
