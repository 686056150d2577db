"""Web apps: pages made by Flask that work without scripts, of what is kept in SQLite, of text, or to say hello."""

import re
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from contracts.app_spec import AppSpec, Migration
from scaffolds import looks, tables
from scaffolds.base import environment, render, requirements
from scaffolds.flask_pages.facts import Facts
from scaffolds.python_parts import parts

HERE = Path(__file__).parent


def generate(spec: AppSpec, migrations: tuple[Migration, ...] = ()) -> dict[str, str]:
    """The files of an app of the kind `web_app`, by path."""
    facts = Facts(spec)
    values = facts.values() | {"paragraphs": paragraphs}
    files = parts(spec, migrations or (tables.initial(spec),)) if spec.resources else {}
    for name in facts.modules:
        files[f"service/{name}.py"] = render(HERE, f"service/{name}.py.j2", **values)
    for name in facts.pages:
        files[f"templates/{name}.html"] = _page(name, values)
    for name in facts.tests:
        files[f"tests/{name}.py"] = render(HERE, f"tests/{name}.py.j2", **values, **facts.for_tests())
    files["service/__init__.py"] = '"""What the app is made of."""\n'
    files["app.py"] = render(HERE, "app.py.j2", **values)
    files["requirements.txt"] = requirements("Flask")
    files["README.md"] = render(HERE, "README.md.j2", **values)
    files[".gitignore"] = ".venv/\n__pycache__/\n" + ("data/\n" if spec.resources else "")
    if spec.resources:
        files[".env.example"] = render(HERE, "env.example.j2", **values)
    files["static/style.css"] = looks.style(spec, *facts.looks)
    files["static/favicon.svg"] = looks.favicon(spec)
    if spec.dark_mode:
        files["static/theme.js"] = looks.theme_script()
    return dict(sorted(files.items()))


def _page(name: str, values: dict[str, Any]) -> str:
    """A template of the app. What is decided here stands in square brackets, as the app has uses for the curly ones."""
    brackets = environment(HERE).overlay(
        block_start_string="[%",
        block_end_string="%]",
        variable_start_string="[[",
        variable_end_string="]]",
        comment_start_string="[#",
        comment_end_string="#]",
    )
    branches = chain(["if"], repeat("elif"))
    given = {**values, "branch": lambda: next(branches), "theme_button": looks.theme_button(10)}
    return brackets.get_template(f"pages_html/{name}.html.j2").render(**given)


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text, each with its lines."""
    blocks = re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip())
    return tuple("\n".join(line.strip() for line in block.splitlines()) for block in blocks)
