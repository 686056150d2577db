"""Writes `docs/api.md` from the API document: `python -m web.api_markdown > docs/api.md`."""

import sys
from collections.abc import Iterator

from web.reference import Entry, Field, entries
from web.wiring import api_document

HEAD = """# The HTTP API

Made from the routes by `python -m web.api_markdown > docs/api.md`; the running service shows the same under `/docs`.

Every answer is JSON with `success` and `message`. Every error also has `error` with `code`, `hint` and `details`.
A body that is JSON is taken whatever its `Content-Type`. Send the token as `Authorization: Bearer ...`;
`./agent token` shows it.
"""


def markdown() -> str:
    return HEAD + "".join(piece for entry in entries(api_document("")) for piece in _section(entry))


def _section(entry: Entry) -> Iterator[str]:
    yield f"\n## {entry.method} {entry.path}\n\n{entry.summary}"
    yield " Works without the token.\n" if entry.open else "\n"
    if entry.fields:
        yield "\n| name | in | type | what it is |\n|---|---|---|---|\n"
        yield from map(_row, entry.fields)
    yield f"\n```sh\n{entry.curl}\n```\n\n"
    yield "".join(f"- {answer}\n" for answer in entry.answers)


def _row(field: Field) -> str:
    name = f"`{field.name}`" if field.name else ""
    needed = " (needed)" if field.needed else ""
    return f"| {name}{needed} | {field.place} | {field.kind} | {field.words} |\n".replace("|  |", "| |")


if __name__ == "__main__":
    sys.stdout.write(markdown())
