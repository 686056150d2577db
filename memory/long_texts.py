"""Long texts in what memory keeps: how long they are, and the same with them cut."""

from typing import Any

LONG_TEXT = 2000


def long_texts(value: Any) -> int:
    """How many characters stand in texts that are long enough to be cut."""
    if isinstance(value, str):
        return len(value) if len(value) > LONG_TEXT else 0
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(long_texts(item) for item in items)


def shortened(value: Any) -> Any:
    """Long texts of a finished task, cut; its log file has them whole."""
    if isinstance(value, str) and len(value) > LONG_TEXT:
        return f"{value[:200]}… ({len(value)} characters; the log of this task has all of it)"
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shortened(item) for item in value]
    return value
