"""The front end of an API, served by it under `/ui/`: plain modules, or React with TypeScript."""

from pathlib import Path
from typing import Any

from contracts.app_spec import AppSpec, Migration
from scaffolds import looks
from scaffolds.base import render
from scaffolds.front_end.uses import context

FOLDER = Path(__file__).parent


def generate(spec: AppSpec, migrations: tuple[Migration, ...] = ()) -> dict[str, str]:
    """Its files, beside those of the API. What the database looks like is no concern of a front end."""
    values = context(spec)
    files = _react(spec, values) if spec.ui == "react" else _plain(spec, values)
    files["tests/test_ui.py"] = render(FOLDER, "test_ui.py.j2", spec=spec, react=spec.ui == "react")
    return dict(sorted(files.items()))


def _plain(spec: AppSpec, values: dict[str, Any]) -> dict[str, str]:
    names = ["main", "model", "api", "dom", "values", "inputs", "form", "columns", "table", "list", "item", "routes"]
    names += ["toolbar"] if values["uses"].toolbar else []
    names += ["deleting"] if values["uses"].changes else []
    names += ["session", "sign_in"] if values["auth"] else []
    files = {f"ui/{name}.js": render(FOLDER, f"html/{name}.js.j2", **values) for name in names}
    files["ui/index.html"] = _page(spec, values, react=False)
    files["ui/style.css"] = _style(spec, values)
    files["ui/icon.svg"] = looks.favicon(spec)
    if spec.dark_mode:
        files["ui/theme.js"] = looks.theme_script()
    return files


def _react(spec: AppSpec, values: dict[str, Any]) -> dict[str, str]:
    uses = values["uses"]
    names = [
        f"{name}.tsx" for name in ("main", "App", "Bits", "Input", "ItemForm", "ItemList", "ItemPage", "ItemTable")
    ]
    names += ["Shown.tsx", "README.md", *(f"{name}.ts" for name in ("api", "columns", "loading", "model", "routes"))]
    names += ["Toolbar.tsx"] if uses.toolbar else []
    names += ["Dialog.tsx"] if uses.dialog else []
    names += ["SignIn.tsx", "session.ts"] if values["auth"] else []
    files = {f"ui-src/{name}": render(FOLDER, f"react/{name}.j2", **values) for name in names}
    for name in ("package.json", "tsconfig.json", "vite.config.cjs"):
        files[name] = render(FOLDER, f"react/{name}.j2", **values)
    files["ui-src/index.html"] = _page(spec, values, react=True)
    files["ui-src/style.css"] = _style(spec, values)
    files["ui-src/public/icon.svg"] = looks.favicon(spec)
    if spec.dark_mode:
        files["ui-src/public/theme.js"] = looks.theme_script()
    return files


def _page(spec: AppSpec, values: dict[str, Any], *, react: bool) -> str:
    own = {"react": react, "base": "/" if react else "", "theme_button": looks.theme_button(10)}
    return render(FOLDER, "index.html.j2", **values, **own)


def _style(spec: AppSpec, values: dict[str, Any]) -> str:
    return looks.style(spec, "buttons") + "\n" + render(FOLDER, "app.css.j2", **values)
