"""Node projects get packages of the registry, none of whose scripts ever runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from contracts.errors import AppError, BadInput, Conflict, NotFound, Unavailable
from sandboxes.bubblewrap import Bubblewrap
from tests.environments.made_packages import Registries
from tests.environments.shop import Shop


def manifest(**dependencies: str) -> str:
    return json.dumps({"name": "mine", "dependencies": dependencies})


def test_a_project_gets_its_modules_and_no_script_runs(shop: Shop) -> None:
    files = {"package.json": manifest(left="^1.0.0")}
    downloaded = shop.download(files)
    found = {package.name: package for package in downloaded.packages}
    assert {name: package.version for name, package in found.items()} == {"left": "1.0.0", "right": "1.0.0"}
    assert found["left"].listed
    assert found["right"].known
    assert found["right"].required_by == ("left",)
    assert found["right"].notes == ("its install script is not run",)
    assert found["right"].licence == "ISC"
    assert found["right"].digest.startswith("sha512-")
    environment = shop.environments.build(downloaded)
    assert not list(environment.mounts[1].rglob("ran"))
    assert shop.environment_for(files) == environment
    uses = {
        "old.cjs": b"console.log(require('left'), require.resolve('right').startsWith('/'))",
        "new.mjs": b"import left from 'left'; console.log(left)",
    }
    assert shop.run(environment, "node", "old.cjs", files=uses).stdout.text == "left true\n"
    assert shop.run(environment, "node", "new.mjs", files=uses).stdout.text == "left\n"
    assert shop.run(environment, "say-left").stdout.text == "left says right\n"
    result = shop.run(environment, "touch", "node_modules/left/new")
    assert "Read-only" in result.stderr.text


def test_a_lock_file_decides_the_versions_and_its_addresses_do_not_count(shop: Shop, published: Registries) -> None:
    published.publish_node("pinned", "1.0.0")
    published.publish_node("pinned", "1.5.0")
    integrity = published.packuments["pinned"]["versions"]["1.0.0"]["dist"]["integrity"]
    lock: dict[str, Any] = {
        "lockfileVersion": 3,
        "packages": {
            "": {"dependencies": {"pinned": "^1.0.0"}},
            "node_modules/pinned": {
                "version": "1.0.0",
                "resolved": "https://elsewhere.invalid/pinned/-/pinned-1.0.0.tgz",
                "integrity": integrity,
            },
        },
    }
    files = {"package.json": manifest(pinned="^1.0.0"), "package-lock.json": json.dumps(lock)}
    assert [package.version for package in shop.download(files).packages] == ["1.0.0"]
    lock["packages"]["node_modules/pinned"]["integrity"] = "sha512-" + "A" * 86 + "=="
    with pytest.raises(Conflict, match=r"not the one that `package-lock\.json` promises"):
        shop.download({**files, "package-lock.json": json.dumps(lock)})
    with pytest.raises(BadInput, match="do not fit together"):
        shop.download({**files, "package.json": manifest(pinned="^1.0.0", left="1.0.0")})


def test_modules_that_a_project_has_itself_are_left_alone(shop: Shop) -> None:
    files = {"package.json": manifest(left="^1.0.0")}
    shop.install(files)
    own = shop.environment_for({**files, "node_modules/mine/index.js": ""})
    assert own
    assert not own.links


@pytest.mark.parametrize(
    ("wanted", "error", "words"),
    [
        ({"expres": "1"}, NotFound, "there is no package `expres`"),
        ({"left": "^9.0.0"}, NotFound, "there is no version of `left` that fits `\\^9.0.0`"),
        ({"roundabout": "1.0.0"}, BadInput, "does not come from the package registry"),
        ({"detour": "1.0.0"}, BadInput, "does not come from the package registry"),
    ],
)
def test_what_cannot_be_had_is_said_in_plain_words(
    shop: Shop, wanted: dict[str, str], error: type[AppError], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        shop.download({"package.json": manifest(**wanted)})
    assert "expres" not in wanted or caught.value.hint == "Did you mean `express`?"


def test_a_registry_that_cannot_be_reached_is_named(shop: Shop, sandbox: Bubblewrap, published: Registries) -> None:
    environ = {**shop.registries(), "npm_config_registry": "http://127.0.0.1:9"}
    away = Shop(shop.root, sandbox, published, environ=environ)
    with pytest.raises(Unavailable, match="registry cannot be reached"):
        away.download({"package.json": manifest(left="1.0.0")})


def test_a_machine_without_npm_is_told_how_to_get_it(
    shop: Shop, sandbox: Bubblewrap, published: Registries, tmp_path: Path
) -> None:
    bare = Shop(shop.root, sandbox, published, environ={**shop.registries(), "PATH": str(tmp_path)})
    with pytest.raises(Unavailable, match="npm is not installed"):
        bare.download({"package.json": manifest(left="1.0.0")})
