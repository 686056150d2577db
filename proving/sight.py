"""What is looked for on the pages of an app in a browser, and what was seen of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

WantKind = Literal["heading", "words", "field", "label", "button", "link", "drawing"]


@dataclass(frozen=True, slots=True)
class Want:
    """One thing that a person should see on a page."""

    kind: WantKind
    called: str
    """What it is, for a sentence."""
    words: tuple[str, ...] = ()
    """Any of these has to be seen; for a link, other paths that will do."""
    name: str = ""
    """Of a field; the path, for a link."""
    phone: bool = True
    """Whether it has to be seen on a phone too, where ways to other pages may be folded away."""

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "words": list(self.words), "name": self.name}


@dataclass(frozen=True, slots=True)
class Scene:
    """One page to look at."""

    path: str
    wants: tuple[Want, ...]
    cookies: Mapping[str, str] = field(default_factory=dict)
    types: tuple[str, ...] = ()
    """What is typed where the page asks for a password: a name and a password, or a key."""

    @property
    def called(self) -> str:
        return f"`{self.path}`{self.when}"

    @property
    def when(self) -> str:
        return " after signing in" if self.types else ""


@dataclass(frozen=True, slots=True)
class Screen:
    id: str
    words: str
    width: int
    height: int
    dark: bool = False
    phone: bool = False


WIDE = Screen("wide", "a wide screen", 1280, 900)
PHONE = Screen("phone", "a phone", 390, 844, phone=True)
DARK = Screen("dark", "a wide screen in the dark", 1280, 900, dark=True)


@dataclass(slots=True)
class Sight:
    """What was seen of one page."""

    scene: Scene
    screens: tuple[Screen, ...] = ()
    errors: list[str] = field(default_factory=list)
    """What went wrong while the page opened, in words."""
    unseen: dict[str, list[str]] = field(default_factory=dict)
    """By screen, what should be seen and is not, in words."""
    beyond: dict[str, str] = field(default_factory=dict)
    """By screen, what reaches over its edge, in words."""
    status: int | None = None


class CouldNotLook(Exception):
    """The browser did not do its part, in words. It says nothing about the app."""
