"""Packages that want out of their folder, into every start of Python, or onto the whole disk."""

import os
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.errors import AppError, BadInput, TooLarge
from environments.base import Bounds
from environments.store import remove
from environments.unpacking import Unpacker
from environments.wheels import read_wheel
from sandboxes.bubblewrap import Bubblewrap
from tests.environments.made_packages import Registries, make_wheel
from tests.environments.shop import Shop


def member(path: str, kind: int = 0) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(path)
    info.external_attr = kind << 16
    return info


@pytest.mark.parametrize(
    "path",
    [
        "../evil.py",
        "hostile/../../evil.py",
        "/tmp/evil.py",
        "hostile-1.0.data/data/../../evil.py",
        "hostile-1.0.data/scripts/../../evil.py",
        "hostile/..\\..\\evil.py",
        "hostile//evil.py",
    ],
)
def test_a_wheel_cannot_write_outside_its_folder(shop: Shop, path: str) -> None:
    handed = shop.handed_over(make_wheel("hostile", extra=(member(path),)))
    before = sorted(shop.root.parent.rglob("evil*"))
    with pytest.raises(BadInput, match=r"`hostile-1\.0-py3-none-any\.whl` cannot be installed"):
        shop.environments.build(handed)
    assert sorted(shop.root.parent.rglob("evil*")) == before
    assert not Path("/tmp/evil.py").exists()


def test_a_wheel_cannot_bring_a_link(shop: Shop) -> None:
    with pytest.raises(BadInput, match="not an ordinary file"):
        shop.environments.build(shop.handed_over(make_wheel("hostile", extra=(member("hostile/link", stat.S_IFLNK),))))


def test_nothing_of_a_package_runs_at_the_start_of_python(shop: Shop) -> None:
    files: dict[str, str | bytes] = {
        "hostile/__init__.py": "",
        "hostile.pth": "import os; print('pth ran')\n",
        "sitecustomize.py": "print('site ran')\n",
        "usercustomize/__init__.py": "print('user ran')\n",
        "hostile-1.0.data/purelib/another.pth": "import os; print('other pth ran')\n",
        "hostile/__pycache__/__init__.cpython-311.pyc": b"forged",
    }
    made = make_wheel("hostile", files=files)
    environment = shop.environments.build(shop.handed_over(made))
    assert shop.python(environment, "import hostile; print('only this')") == "only this"


def test_a_package_cannot_take_the_place_of_python_or_of_its_modules(shop: Shop) -> None:
    files = {
        "hostile-1.0.data/scripts/python": "#!/bin/sh\necho replaced\n",
        "hostile-1.0.data/scripts/python3": "#!/bin/sh\necho replaced\n",
        "hostile-1.0.data/data/pyvenv.cfg": "home = /tmp\n",
        "hostile-1.0.data/data/lib/python3.11/site-packages/json.py": "print('replaced')\n",
        "json/__init__.py": "print('replaced')\n",
        "hostile.py": "",
    }
    environment = shop.environments.build(shop.handed_over(make_wheel("hostile", files=files)))
    assert shop.python(environment, "import json, hostile; print(json.dumps([1]))") == "[1]"
    assert shop.run(environment, "python3", "-c", "print(2)").stdout.text == "2\n"


def test_a_bomb_is_refused_by_what_it_says_and_by_what_it_does(shop: Shop, sandbox: Bubblewrap) -> None:
    tight = Shop(shop.root, sandbox, shop.published, bounds=Bounds(installed=4 * 1024 * 1024))
    with pytest.raises(TooLarge, match="4 MiB"):
        tight.environments.build(tight.handed_over(make_wheel("hostile", bomb=32)))
    name, data = make_wheel("hostile", bomb=1)
    lying = data.replace((1024 * 1024).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(BadInput, match="cannot be installed"):
        tight.environments.build(tight.handed_over((name, lying)))
    few = Shop(shop.root, sandbox, shop.published, bounds=Bounds(files=20))
    many = {f"hostile/m{n}.py": "" for n in range(30)}
    with pytest.raises(TooLarge, match="20 files"):
        few.environments.build(few.handed_over(make_wheel("hostile", files=many)))
    assert not list((shop.root / "environments" / "building").iterdir())


def test_a_wheel_that_is_none_is_refused(shop: Shop, published: Registries) -> None:
    published.publish(("broken-1.0-py3-none-any.whl", b"this is no archive"))
    with pytest.raises(AppError) as caught:
        shop.download({"requirements.txt": "broken\n"})
    assert "broken" in caught.value.message


def test_an_archive_with_an_endless_list_of_files_is_not_even_opened(tmp_path: Path) -> None:
    name, data = make_wheel("hostile")
    at = data.rfind(b"PK\x05\x06")
    for size, between in (((2**31).to_bytes(4, "little"), b""), (data[at + 12 : at + 16], b"PK\x06\x07" + bytes(16))):
        (tmp_path / name).write_bytes(data[:at] + between + data[at : at + 12] + size + data[at + 16 :])
        with pytest.raises(BadInput, match="not a package that can be installed"):
            read_wheel(tmp_path / name)


def entry(kind: bytes, path: bytes, data: bytes = b"", mode: int = 0o644) -> bytes:
    return b"".join((kind, mode.to_bytes(2), len(path).to_bytes(4), len(data).to_bytes(8), path, data))


def unpack(folder: Path, stream: bytes, pieces: int = 1 << 16) -> None:
    unpacker = Unpacker(folder, Bounds())
    try:
        for at in range(0, len(stream), pieces):
            unpacker.feed("stdout", stream[at : at + pieces])
        unpacker.finish()
    finally:
        unpacker.close()


@pytest.mark.parametrize(
    "stream",
    [
        entry(b"F", b"../evil", b"x") + entry(b"E", b""),
        entry(b"F", b"/tmp/evil", b"x") + entry(b"E", b""),
        entry(b"F", b"a", b"x") + entry(b"F", b"a", b"y") + entry(b"E", b""),
        entry(b"F", b"a", b"x") + entry(b"F", b"a/b", b"y") + entry(b"E", b""),
        entry(b"L", b"a", b"/etc/passwd") + entry(b"E", b""),
        entry(b"L", b"a", b"../../outside") + entry(b"E", b""),
        entry(b"L", b"a/b", b"c/../../../outside") + entry(b"E", b""),
        entry(b"L", b"a", b"b") + entry(b"L", b"a/c", b"d") + entry(b"E", b""),
        entry(b"L", b"..", b"a") + entry(b"E", b""),
        entry(b"P", b"pipe") + entry(b"E", b""),
        entry(b"F", b"x" * 300, b"") + entry(b"E", b""),
        entry(b"F", b"a", b"x") + entry(b"E", b"") + b"more",
        entry(b"F", b"a", b"half")[:-2],
        entry(b"F", b"a", b"no end"),
        b"F" + b"\xff" * 40,
        b"",
    ],
)
def test_a_forged_stream_stays_in_its_folder_and_is_refused(tmp_path: Path, stream: bytes) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(AppError):
        unpack(tmp_path / "in", stream)
    assert {path.name for path in tmp_path.iterdir()} == {"in"}
    remove(tmp_path / "in")


PATHS = st.lists(st.sampled_from(["a", "b", "c.py", "ä"]), min_size=1, max_size=3).map("/".join)


@given(st.dictionaries(PATHS, st.binary(max_size=300), max_size=5), st.integers(1, 50))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=50
)
def test_it_does_not_matter_how_a_stream_is_cut(tmp_path: Path, files: dict[str, bytes], pieces: int) -> None:
    alone = {p: d for p, d in files.items() if not any(other.startswith(p + "/") for other in files)}
    stream = b"".join(entry(b"F", os.fsencode(path), data) for path, data in alone.items()) + entry(b"E", b"")
    folder = tmp_path / "in"
    folder.mkdir()
    unpack(folder, stream, pieces)
    assert {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()} == alone
    remove(folder)
