"""Where settings are written: two files in the checkout and the home, and the environment. All is text here."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PREFIX = "AGENT_"
FOREIGN = frozenset(
    PREFIX + name
    for name in (
        "BUILDDIRECTORY CLOUDID CONTAINERMAPPING DEPLOYMENTGROUPID HOMEDIRECTORY ID ISSELFHOSTED JOBNAME JOBSTATUS "
        "MACHINENAME NAME OS OSARCHITECTURE PROXYURL READONLYVARIABLES RETAINDEFAULTENCODING ROOTDIRECTORY "
        "SERVEROMDIRECTORY TEMPDIRECTORY TOOLSDIRECTORY VERSION WORKFOLDER"
    ).split()
)
"""Names that hosted build machines put into every environment; they are not misspelt settings."""


@dataclass(frozen=True, slots=True)
class Given:
    """A value as somebody wrote it, under the name that they used, and where."""

    text: str
    name: str
    source: str


def env_name(name: str) -> str:
    return PREFIX + name.upper()


def gather(
    environ: Mapping[str, str], home: Path | None, checkout: Path, known: frozenset[str]
) -> tuple[dict[str, Given], list[str]]:
    """The winning text of every setting that is set anywhere, and what is wrong with the sources themselves.

    `config/settings.yaml`, `.env`, environment: a later one wins. In a home of its own, a file wins over the same file
    in the checkout.
    """
    problems: list[str] = []
    env = dict(_named(environ.items(), "the environment", known, problems))
    if home is not None:
        env["home"] = Given(str(home), "home", "the command line")
    dotenv = _env_file(checkout, known, problems)
    config = _yaml_file(checkout, known, problems)
    chosen = env.get("home") or dotenv.get("home") or config.get("home")
    folder = _folder(chosen, Path.cwd() if "home" in env else checkout, problems) if chosen else checkout
    if folder != checkout.absolute():
        config |= _yaml_file(folder, known, problems)
        dotenv |= _env_file(folder, known, problems)
    given = config | dotenv | env
    if chosen:
        given["home"] = Given(str(folder), chosen.name, chosen.source)
    return given, problems


def others_variables(environ: Mapping[str, str], home: Path, checkout: Path, names: frozenset[str]) -> dict[str, str]:
    """Variables that others have named, such as `GITHUB_TOKEN`: `.env` in the checkout, in the home, environment."""
    found: dict[str, str | None] = {}
    for folder in dict.fromkeys((checkout, home)):
        found |= {name: value for name, value in _dotenv(folder, []).items() if value}
    found |= {name: value for name, value in environ.items() if value}
    return {name: value for name, value in found.items() if name in names and value}


def _folder(home: Given, base: Path, problems: list[str]) -> Path:
    if "\0" in home.text:
        problems.append(
            f"`{home.name}` in {home.source} cannot be a folder: it holds a character that no name may have"
        )
        return base
    try:
        return (base / Path(home.text).expanduser()).absolute()
    except RuntimeError:
        problems.append(
            f"`{home.name}` in {home.source} names the folder of a user who is not known here: `{home.text}`"
        )
        return base


def _named(
    items: Iterable[tuple[str, str | None]], source: str, known: frozenset[str], problems: list[str]
) -> Iterator[tuple[str, Given]]:
    """The `AGENT_` names among these; an empty value is as good as none."""
    for key, value in items:
        if not key.startswith(PREFIX) or key in FOREIGN:
            continue
        name = key.removeprefix(PREFIX).lower()
        if name not in known or key != key.upper():
            problems.append(_unknown(key, source, {other: env_name(other) for other in known}, name))
        elif value:
            yield name, Given(value, key, source)


def _env_file(folder: Path, known: frozenset[str], problems: list[str]) -> dict[str, Given]:
    return dict(_named(_dotenv(folder, problems).items(), f"`{folder / '.env'}`", known, problems))


def _dotenv(folder: Path, problems: list[str]) -> dict[str, str | None]:
    path = folder / ".env"
    if not _read(path, problems):
        return {}
    from dotenv import dotenv_values  # noqa: PLC0415  only those who have the file pay for it

    return dotenv_values(path, interpolate=False)


def _yaml_file(folder: Path, known: frozenset[str], problems: list[str]) -> dict[str, Given]:
    path = folder / "config" / "settings.yaml"
    found: dict[str, Given] = {}
    for dotted, value in _leaves(_yaml_tree(path, problems)):
        name = dotted.replace(".", "_")
        if name not in known:
            problems.append(_unknown(dotted, f"`{path}`", {other: other for other in known}, name))
        elif value not in (None, ""):
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            found[name] = Given(text, dotted, f"`{path}`")
    return found


def _yaml_tree(path: Path, problems: list[str]) -> dict[Any, Any]:
    text = _read(path, problems)
    if not re.search(r"^\s*[^#\s]", text, re.MULTILINE):
        return {}
    import yaml  # noqa: PLC0415  only those who have set something there pay for it

    try:
        tree = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        where = f" at line {error.problem_mark.line + 1}" if error.problem_mark else ""
        problems.append(f"`{path}` is not valid YAML{where}")
        return {}
    except yaml.YAMLError:
        problems.append(f"`{path}` is not valid YAML")
        return {}
    if not isinstance(tree, dict):
        problems.append(f"`{path}` must hold names with values, such as `port: 5000`")
        return {}
    return tree


def _leaves(tree: dict[Any, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """`trust: {write: 0.7}` is `trust.write`, which is the setting `trust_write`."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


def _read(path: Path, problems: list[str]) -> str:
    try:
        return path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        problems.append(f"`{path}` cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        problems.append(f"`{path}` cannot be read: it is not UTF-8 text")
    return ""


def _unknown(written: str, source: str, known: Mapping[str, str], name: str) -> str:
    import difflib  # noqa: PLC0415  only a mistake pays for it

    near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f"`{written}` in {source} is not a setting" + (f"; did you mean `{known[near[0]]}`?" if near else "")
