"""Writes `docs/actions.md` from the declarations: `python -m action_pages > docs/actions.md`."""

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from contracts.actions import Action

HEAD = """# What the agent can do

Made from the declarations by `python -m action_pages > docs/actions.md`; `GET /actions` gives the same as JSON.

Send an action to `POST /run` as `{"intent": "<name>", "project": "<project>", ...parameters}`, or from a terminal as
`./agent run <name> --project <project> name=value ...`. Whether it runs at once or asks first: [trust.md](trust.md).
"""


def markdown(actions: Iterable[Action[Any]]) -> str:
    return HEAD + "".join(_section(action) for action in actions)


def _section(action: Action[Any]) -> str:
    declared = action.describe()
    lines = [
        f"\n## `{action.name}`\n",
        f"{action.summary}\n",
        f"- Touches: {', '.join(declared['effects']).replace('_', ' ')}",
        f"- Undo: {declared['undo']}",
    ]
    if not action.needs_project:
        lines.append("- Needs no project")
    properties = declared["params"].get("properties", {})
    if properties:
        lines += ["", "| parameter | needed | what it is |", "|---|---|---|"]
        needed = set(declared["params"].get("required", ()))
        lines += [_row(name, field, name in needed) for name, field in properties.items()]
    return "\n".join(lines) + "\n"


def _row(name: str, field: dict[str, Any], needed: bool) -> str:
    default = field.get("default")
    fallback = "" if needed or default in (None, "", []) else f" Otherwise `{str(default).lower()}`."
    return f"| `{name}` | {'yes' if needed else 'no'} | {field.get('description', '')}{fallback} |"


def main() -> None:
    from app import create_app  # noqa: PLC0415  only this command needs the whole house
    from settings import Settings  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as home:
        app = create_app(Settings(home=Path(home)))
        agent = app.extensions["agent"]
        sys.stdout.write(markdown(agent.catalogue))
        agent.close()


if __name__ == "__main__":
    main()
