"""A default as a person says it, in the form that its field keeps."""

import re

from contracts.app_spec import AppField, FieldType, Value

YES = frozenset({"yes", "true", "on", "checked", "ticked", "1"})
NO = frozenset({"no", "false", "off", "unchecked", "0"})
LIMITS = {FieldType.TEXT: 200, FieldType.LONG_TEXT: 2000}


def fit_default(field: AppField, said: str | None) -> tuple[Value | None, str]:
    """The value, or None and why there is none."""
    if said is None or not said.strip():
        return None, ""
    value = _value(field, said.strip().strip("\"'.")) if not field.unique else None
    return (value, "") if value is not None else (None, f"“{said.strip()}” cannot be the default of “{field.label}”")


def _value(field: AppField, said: str) -> Value | None:
    if field.type in LIMITS:
        return said if 0 < len(said) <= LIMITS[field.type] and "\n" not in said else None
    if field.type is FieldType.CHOICE:
        return next((choice for choice in field.choices if choice.lower() == said.lower()), None)
    if field.type is FieldType.YES_NO:
        return True if said.lower() in YES else False if said.lower() in NO else None
    if field.type is FieldType.DATE:
        return (
            "today" if said.lower() in {"today", "now", "the current date", "current date", "the current day"} else None
        )
    if field.type is FieldType.TIME:
        return said if re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d", said) else None
    return _number(field, said) if field.type not in {FieldType.EMAIL, FieldType.URL} else None


def _number(field: AppField, said: str) -> Value | None:
    plain = said.strip("$€£ ").replace(",", "")
    if not re.fullmatch(r"-?\d{1,9}(?:\.\d{1,2})?", plain):
        return None
    number = float(plain)
    low, high = field.minimum, field.maximum
    if (low is not None and number < low) or (high is not None and number > high):
        return None
    if field.type is FieldType.INTEGER or number == int(number):
        return int(number) if number == int(number) else None
    return number
