"""The owner's list of packages that are known: those may be installed on trust, others are shown and asked about."""

import difflib
from collections.abc import Mapping
from pathlib import Path

import orjson
from packaging.utils import canonicalize_name

from contracts.errors import BadSettings
from environments.base import Ecosystem

NEAR = 0.8
LONGEST_COMPARED = 60
HINT = 'It looks like {"python": ["flask"], "node": ["express"]}'


class AllowList:
    """Names are compared as the registry compares them."""

    def __init__(self, names: Mapping[Ecosystem, frozenset[str]]) -> None:
        self._names = names

    @classmethod
    def load(cls, path: Path) -> "AllowList":
        """No file: an empty list. Raises BadSettings if the file is not what it should be."""
        try:
            found = orjson.loads(path.read_bytes())
        except FileNotFoundError:
            return cls({})
        except (OSError, orjson.JSONDecodeError) as error:
            raise BadSettings(f"`{path.name}` cannot be read: {error}", hint=HINT) from error
        if not isinstance(found, dict) or not set(found) <= {"python", "node"} or not all(map(_names, found.values())):
            raise BadSettings(f"`{path.name}` is not a list of package names for each language", hint=HINT)
        return cls(
            {
                "python": frozenset(map(canonicalize_name, found.get("python", []))),
                "node": frozenset(found.get("node", [])),
            }
        )

    def has(self, ecosystem: Ecosystem, name: str) -> bool:
        name = canonicalize_name(name) if ecosystem == "python" else name
        return name in self._names.get(ecosystem, frozenset())

    def near(self, ecosystem: Ecosystem, name: str) -> str:
        """The known name that looks most like this one, or nothing."""
        known = self._names.get(ecosystem, frozenset())
        if name in known or len(name) > LONGEST_COMPARED:
            return ""
        return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=NEAR)), "")


def _names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) and name for name in value)
