"""Packages are chosen for the sandbox's Python, whichever Python the service runs on."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.errors import Unavailable
from environments.base import Bounds, Doing, Part
from environments.machine import Machine
from environments.python_download import Means, PythonDownload
from environments.python_target import Pip, choose_pip, parse_target, told
from sandboxes.bubblewrap import Bubblewrap
from tests.environments.shop import ALLOWED, Shop


def test_a_python_of_this_machine_that_is_like_the_sandboxes_chooses(sandbox: Bubblewrap) -> None:
    machine = Machine(lambda: sandbox)
    target = machine.python()
    assert target is machine.python(), "asked once"
    assert choose_pip(target).choice == ()
    assert choose_pip(replace(target, executable="/nonexistent", tag="cpython-399")).command[0] == sys.executable


def test_another_python_is_described_to_pip(sandbox: Bubblewrap) -> None:
    target = replace(Machine(lambda: sandbox).python(), tag="cpython-313", version=(3, 13), libc=("glibc", "2.17"))
    options = told(replace(target, machine="x86_64"))
    assert options[:2] == ["--python-version", "3.13"]
    assert "manylinux_2_17_x86_64" in options
    assert "manylinux2014_x86_64" in options
    assert "manylinux_2_28_x86_64" not in options
    assert "musllinux_1_2_x86_64" in told(replace(target, libc=("", ""), machine="x86_64"))


def test_what_only_the_other_python_needs_is_fetched_too(shop: Shop, sandbox: Bubblewrap, tmp_path: Path) -> None:
    """pip judges markers by the Python that runs it, so what it leaves out is asked for in a second round."""
    target = Machine(lambda: sandbox).python()
    other = replace(target, version=(3, 99), markers={**target.markers, "python_version": "3.99"})
    means = Means(
        pip=Pip((sys.executable, "-I", "-m", "pip"), tuple(told(other))),
        target=other,
        sandbox=sandbox,
        allowed=ALLOWED,
        environ=shop.registries(),
        bounds=Bounds(),
        cache=tmp_path / "cache",
    )
    given = {"requirements.txt": "gamma\n", "constraints.txt": ""}
    part = Part(ecosystem="python", key="k", wanted=(), given=given)
    packages = PythonDownload(means, part, tmp_path, Doing()).run(allow_source=False)
    assert isinstance(packages, tuple)
    assert {package.name: package.required_by for package in packages} == {
        "gamma": (),
        "beta": ("gamma",),
        "delta": ("gamma",),
    }


@pytest.mark.parametrize("text", ["", "nonsense", "{}", "[]", '{"version": 3}'])
def test_a_python_that_does_not_answer_is_not_used(text: str) -> None:
    with pytest.raises(Unavailable, match="does not work"):
        parse_target(text)
