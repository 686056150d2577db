"""Source packages are built with nothing but setuptools, and can only become themselves."""

import hashlib
from pathlib import Path

import pytest
from packaging.version import Version

from contracts.errors import BadInput, Conflict, Failed, TooLarge
from environments.base import Bounds, Doing
from environments.fetching import Said
from environments.machine import Machine
from environments.source_builds import Source, SourceBuilds
from sandboxes.bubblewrap import Bubblewrap
from tests.environments.made_packages import make_source, make_tarball, make_wheel
from tests.environments.shop import Shop


@pytest.fixture
def builds(shop: Shop, sandbox: Bubblewrap, request: pytest.FixtureRequest) -> SourceBuilds:
    folder = shop.root / request.node.name
    folder.mkdir(parents=True)

    def fetch_tools(arguments: tuple[str, ...]) -> Said:
        tools = Path(arguments[arguments.index("--dest") + 1])
        tools.mkdir()
        for name, data in (make_wheel("setuptools", files={"setuptools.py": ""}), make_wheel("wheel", files={})):
            (tools / name).write_bytes(data)
        return Said(True, "")

    machine = Machine(lambda: sandbox)
    return SourceBuilds(folder, fetch_tools, machine, machine.python(), Bounds(download=1_000_000))


def source(folder: Path, name: str, made: tuple[str, bytes], digest: str = "") -> Source:
    path = folder / made[0]
    path.write_bytes(made[1])
    return Source(
        name, Version("1.0"), path.as_uri() + f"#sha256={digest or hashlib.sha256(made[1]).hexdigest()}", made[0]
    )


def test_it_becomes_a_wheel(builds: SourceBuilds, tmp_path: Path) -> None:
    builds.build(source(tmp_path, "legacy", make_source("legacy", ["setuptools>=61", "wheel"])), {}, Doing())
    assert [path.name for path in builds.built.iterdir()] == ["legacy-1.0-py3-none-any.whl"]


def test_one_that_needs_more_than_setuptools_is_refused_by_name(builds: SourceBuilds, tmp_path: Path) -> None:
    with pytest.raises(Failed, match="`legacy` cannot be built from source: that needs `hatchling`"):
        builds.build(source(tmp_path, "legacy", make_source("legacy", ["hatchling>=1"])), {}, Doing())


def test_it_cannot_become_another_package(builds: SourceBuilds, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="builds another package than itself"):
        builds.build(source(tmp_path, "requests", make_source("requests", [])), {}, Doing())


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": "[build-system]\nbuild-backend = 'own'\nbackend-path = ['.']\n", "own.py": "1 / 0"},
        {"pyproject.toml": "[build-system\n"},
        {"nothing.txt": ""},
    ],
)
def test_one_that_cannot_be_built_is_said_in_plain_words(
    builds: SourceBuilds, tmp_path: Path, files: dict[str, str]
) -> None:
    made = ("legacy-1.0.tar.gz", make_tarball("legacy-1.0", files))
    with pytest.raises(Failed, match="`legacy` cannot be built from source") as caught:
        builds.build(source(tmp_path, "legacy", made), {}, Doing())
    assert "published ready to install" in caught.value.hint


def test_a_file_that_is_too_large_or_not_the_promised_one_is_not_built(builds: SourceBuilds, tmp_path: Path) -> None:
    with pytest.raises(Conflict, match="not what the package index promised"):
        builds.build(source(tmp_path, "legacy", make_source("legacy", []), digest="0" * 64), {}, Doing())
    with pytest.raises(TooLarge):
        builds.build(source(tmp_path, "legacy", ("legacy-1.0.tar.gz", bytes(1_000_001))), {}, Doing())
