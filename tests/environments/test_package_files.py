"""What a Node project asks for comes from the registry, or is refused by name."""

import json
from pathlib import Path
from typing import Any

import pytest

from contracts.errors import BadInput
from environments.package_files import PackageFiles, read_package_files
from project_files import Workspace


def read(folder: Path, manifest: Any, lock: Any = None) -> PackageFiles | None:
    project = folder / "workspace" / "p"
    project.mkdir(parents=True)
    for name, content in (("package.json", manifest), ("package-lock.json", lock)):
        if content is not None:
            (project / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return read_package_files(Workspace(folder / "workspace").draft("p"))


def test_only_names_and_versions_are_taken_over(tmp_path: Path) -> None:
    manifest = {
        "name": "mine",
        "scripts": {"preinstall": "touch /tmp/x"},
        "dependencies": {"express": "^5.0.0", "@scope/alias": "npm:other@1.x"},
        "devDependencies": {"vitest": "latest"},
        "overrides": {"a": {".": "1.0.0", "b": "$express"}},
        "config": {"registry": "https://evil.example"},
    }
    found = read(tmp_path, manifest)
    assert found
    assert [item[:2] for item in found.wanted] == [
        ("express", "^5.0.0"),
        ("@scope/alias", "npm:other@1.x"),
        ("vitest", "latest"),
    ]
    assert set(json.loads(found.manifest)) == {"name", "version", "dependencies", "devDependencies", "overrides"}


def test_addresses_in_a_lock_file_are_dropped_and_its_promises_kept(tmp_path: Path) -> None:
    lock = {
        "lockfileVersion": 3,
        "packages": {
            "": {"dependencies": {"a": "1.0.0"}, "scripts": {"x": "y"}},
            "node_modules/a": {
                "version": "1.0.0",
                "resolved": "https://some.registry.example/a/-/a-1.0.0.tgz",
                "integrity": "sha512-abc",
            },
        },
    }
    found = read(tmp_path, {"dependencies": {"a": "1.0.0"}}, lock)
    assert found
    kept = json.loads(found.lock)
    assert kept["packages"]["node_modules/a"] == {"version": "1.0.0", "integrity": "sha512-abc"}
    assert "scripts" not in kept["packages"][""]


@pytest.mark.parametrize(
    "manifest", [None, {}, {"name": "page", "scripts": {"test": "node --test"}}, {"dependencies": {}}]
)
def test_a_project_that_asks_for_nothing_needs_nothing(tmp_path: Path, manifest: Any) -> None:
    assert read(tmp_path, manifest) is None


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        ({"dependencies": {"a": "git+https://evil.example/a.git"}}, "from the registry, not from an address"),
        ({"dependencies": {"a": "github:evil/a"}}, "not from an address"),
        ({"dependencies": {"a": "evil/a"}}, "not from an address"),
        ({"dependencies": {"a": "file:../../etc"}}, "not from an address or a folder"),
        ({"dependencies": {"a": "https://evil.example/a.tgz"}}, "not from an address"),
        ({"devDependencies": {"a": "workspace:*"}}, "not from an address"),
        ({"dependencies": {"a": "npm:b@https://evil.example"}}, "not from an address"),
        ({"overrides": {"a": {"b": "file:x"}}, "dependencies": {"a": "1"}}, "`overrides`"),
        ({"dependencies": {"../a": "1"}}, "not the name of a package"),
        ({"dependencies": {"a": 1}}, "its version is not a text"),
        ({"dependencies": ["a"]}, "not an object"),
        ({"workspaces": ["packages/*"], "dependencies": {"a": "1"}}, "`workspaces`"),
        ("{", "not valid JSON"),
        ("[]", "not a JSON object"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, manifest: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        read(tmp_path, manifest)


@pytest.mark.parametrize(
    "entry",
    [
        {"version": "1.0.0", "resolved": "git+ssh://git@evil.example/a.git#abc"},
        {"version": "1.0.0", "resolved": "http://169.254.169.254/latest/meta-data"},
        {"resolved": "packages/a", "link": True},
        {"version": "file:../a"},
    ],
)
@pytest.mark.parametrize("older", [False, True])
def test_a_lock_file_cannot_point_elsewhere(tmp_path: Path, entry: dict[str, Any], older: bool) -> None:
    lock = {"lockfileVersion": 3, "packages": {"node_modules/a": entry}}
    if older:
        lock = {"lockfileVersion": 1, "dependencies": {"b": {"version": "1.0.0", "dependencies": {"a": entry}}}}
    with pytest.raises(BadInput, match="does not come from the registry"):
        read(tmp_path, {"dependencies": {"a": "1.0.0"}}, lock)
