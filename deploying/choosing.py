"""Where an app goes: where somebody asked for, else the first connected host that fits and is free, else here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from contracts.deployments import Parcel
from contracts.errors import AppError, InvalidParams
from providers.base import Provider

LOCAL = "local"
AUTO = "auto"
ORDER = ("vercel", "netlify", "render")
"""The order in which connected hosts are looked at."""


@dataclass(frozen=True, slots=True)
class Host:
    """A place that apps can go to."""

    name: str
    title: str
    here: bool = False
    """It is on this machine: nothing leaves it, and nobody else sees it."""
    checked: bool = True
    """Whether there is an address at which the app can be tried afterwards."""


class Hosts(Protocol):
    """All hosts that can be named, and those that can be used now."""

    def known(self) -> tuple[Host, ...]: ...

    def connect(self, name: str) -> Provider | None:
        """The host with the credential that is set; None if there is none."""

    def unfit(self, name: str, parcel: Parcel) -> str:
        """Why a host cannot run this app, in words; it need not be connected, and is not asked."""

    def forgot(self, name: str, place: str) -> bool:
        """Whether a host on this machine does not show any more what was put there; others are not asked."""

    def remedy(self, name: str) -> Mapping[str, Any]:
        """How a person connects it: `credential`, `remedy` in one sentence, `guide` step by step."""


@dataclass(frozen=True, slots=True)
class Choice:
    name: str
    why: str
    """One sentence."""


def host_named(hosts: Hosts, name: str) -> Host:
    """Raises InvalidParams for a host that nobody knows."""
    known = {host.name: host for host in hosts.known()}
    if name not in known:
        raise InvalidParams(
            f"There is no host `{name}` here",
            hint=f"It is one of {', '.join(f'`{one}`' for one in (AUTO, LOCAL, *known))}",
        )
    return known[name]


def connected(hosts: Hosts) -> list[Host]:
    """The hosts on the internet that can be used now, in the order in which they are looked at."""
    online = {host.name: host for host in hosts.known() if not host.here}
    return [online[name] for name in ORDER if name in online and hosts.connect(name) is not None]


def choose(hosts: Hosts, parcel: Parcel, name: str) -> Choice:
    """Where an app goes that shall be online somewhere. A host that wants a payment method is never chosen."""
    unfit: list[str] = []
    for host in connected(hosts):
        provider = hosts.connect(host.name)
        why_not = provider.unfit(parcel) or _price(provider, parcel, name) if provider else "it is not connected"
        if not why_not:
            skipped = f" ({'; '.join(unfit)})" if unfit else ""
            return Choice(host.name, f"{host.title} is connected, fits this app and is free{skipped}")
        unfit.append(f"{host.title}: {why_not}")
    if unfit:
        return Choice(LOCAL, f"No connected host fits, so it runs on this machine ({'; '.join(unfit)})")
    return Choice(LOCAL, not_online(hosts))


def where_it_is(hosts: Hosts, places: Iterable[Mapping[str, Any]]) -> Choice | None:
    """Where an app goes again: to the connected host that shows it, or the demo cloud while nothing is connected."""
    usable = connected(hosts)
    usable = usable or [host for host in hosts.known() if host.here and host.checked]
    for place in places:
        name, there = place["provider"], place["live"]
        if there and any(host.name == name for host in usable) and not hosts.forgot(name, place["name"]):
            return Choice(name, "it is there already")
    return None


def not_online(hosts: Hosts, places: Iterable[Mapping[str, Any]] = ()) -> str:
    """Why something that is to be online would run here, and what to do about it; empty if it would not."""
    if connected(hosts) or where_it_is(hosts, places):
        return ""
    return (
        "No host on the internet is connected, so it runs on this machine, where only you can open it. "
        "To change that, connect one first: under Settings, Accounts, or with `./agent credentials set vercel`"
    )


def _price(provider: Provider, parcel: Parcel, name: str) -> str:
    """Why it is not free there; empty if it is."""
    try:
        quote = provider.quote(parcel, name)
    except AppError as error:
        return error.message
    if quote.card_needed:
        return "it wants a payment method"
    return "" if quote.free else f"it is not free there ({quote.price})"
