"""Stored times: UTC, ISO 8601 with milliseconds and a Z, so that they sort as text."""

from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse(text: str) -> datetime:
    """Raises ValueError if it is not a time."""
    return datetime.fromisoformat(text)
