"""An event: something that happened, in the order in which it happened. Memory is a fold over these."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """Events only ever gain fields; a reader keeps and skips a type that it does not know."""

    seq: int
    at: str
    """UTC, ISO 8601, ending in Z."""
    type: str
    task_id: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
