"""Makes the image for container jobs without a registry.

    python -m sandboxes.image.make_image --with podman

By default it holds this machine's own Python, Node and the libraries that they need, which takes seconds. With
`--debian bookworm` it holds a small Debian that `mmdebstrap` puts together from the machine's package sources.
"""

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sandboxes.image import IMAGE

FOLDER = Path(__file__).parent
PROGRAMS = (
    "python3",
    "node",
    "sh",
    "ls",
    "cat",
    "cp",
    "mv",
    "rm",
    "mkdir",
    "ln",
    "chmod",
    "env",
    "sleep",
    "true",
    "test",
)
OPEN, CLOSED = 0o1777, 0o755
SKELETON = {
    **dict.fromkeys(("work", "tmp"), OPEN),
    **dict.fromkeys(("var/tmp", "run", "dev", "proc", "sys", "control", "etc"), CLOSED),
}
"""Some runtimes give a mounted folder the permissions of the one below it."""
ETC = {
    "etc/passwd": "root:x:0:0::/:/bin/sh\nsandbox:x:65534:65534::/work:/bin/sh\n",
    "etc/group": "root:x:0:\nsandbox:x:65534:\n",
    "etc/nsswitch.conf": "hosts: files\n",
}
STDLIB = "import sysconfig; print(sysconfig.get_path('stdlib')); print(sysconfig.get_path('platstdlib'))"
LEFT_OUT = re.compile(
    r"/(test|tests|idlelib|tkinter|turtledemo|ensurepip|lib2to3|dist-packages|site-packages|config-[^/]*)(/|$)"
)
DEBIAN_OPTIONS = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "locale", "info")]


def machine_rootfs(target: Path) -> None:
    """This machine's Python and a few programs, with every library that they load."""
    programs = [Path(found) for name in PROGRAMS if (found := shutil.which(name, path="/usr/bin:/bin"))]
    out = subprocess.run(  # noqa: S603 - fixed text
        ["/usr/bin/python3", "-I", "-c", STDLIB], capture_output=True, text=True, check=True
    )
    files = {*programs, Path("/etc/ld.so.cache")}
    for folder in set(out.stdout.split()):
        files.update(path for path in Path(folder).rglob("*") if path.is_file() and not LEFT_OUT.search(str(path)))
    files.update(_libraries([path for path in files if path in programs or ".so" in path.name]))
    with tarfile.open(target, "w") as tar:
        for name, mode in SKELETON.items():
            _folder(tar, name, mode)
        for link in ("bin", "sbin", "lib", "lib64"):
            if Path("/", link).is_symlink():
                _link(tar, link, str(Path("/", link).readlink()))
        for name, text in ETC.items():
            _file(tar, name, text.encode())
        for path in sorted({Path(os.path.realpath(path.parent)) / path.name for path in files}):
            _machine_file(tar, path)


def _libraries(programs: list[Path]) -> Iterator[Path]:
    for start in range(0, len(programs), 50):
        said = subprocess.run(  # noqa: S603 - files of this machine
            ["/usr/bin/ldd", *map(str, programs[start : start + 50])], capture_output=True, text=True, check=False
        )
        for path in re.findall(r"(/\S+) \(0x", said.stdout):
            yield Path(path)


def _machine_file(tar: tarfile.TarFile, path: Path) -> None:
    """A file as itself; a link with whatever it points to."""
    if path.is_symlink():
        _link(tar, str(path).lstrip("/"), str(path.readlink()))
        real = Path(os.path.realpath(path))
        if str(real).lstrip("/") not in tar.getnames():
            tar.add(real, str(real).lstrip("/"), filter=_owned)
    else:
        tar.add(path, str(path).lstrip("/"), filter=_owned)


def _owned(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.mode |= 0o444
    return member


def _folder(tar: tarfile.TarFile, name: str, mode: int) -> None:
    member = tarfile.TarInfo(name)
    member.type, member.mode = tarfile.DIRTYPE, mode
    tar.addfile(member)


def _link(tar: tarfile.TarFile, name: str, to: str) -> None:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = tarfile.SYMTYPE, to
    tar.addfile(member)


def _file(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    tar.addfile(member, io.BytesIO(data))


def debian_rootfs(target: Path, release: str) -> None:
    """A small Debian with Python and Node; needs `mmdebstrap`."""
    subprocess.run(  # noqa: S603 - a fixed program
        [
            "/usr/bin/mmdebstrap",
            "--quiet",
            "--variant=minbase",
            "--include=python3,nodejs",
            *DEBIAN_OPTIONS,
            release,
            target,
        ],
        check=True,
    )


def build(program: str, image: str = IMAGE, debian: str = "") -> None:
    """Raises CalledProcessError if Docker or podman does not take it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if debian:
            debian_rootfs(folder / "rootfs.tar", debian)
        else:
            machine_rootfs(folder / "rootfs.tar")
        shutil.copy(FOLDER / "Containerfile", folder / "Dockerfile")
        subprocess.run([program, "build", "--quiet", "--tag", image, name], check=True)  # noqa: S603


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the image for container jobs.")
    parser.add_argument("--with", dest="program", default="podman", help="podman or docker")
    parser.add_argument("--image", default=IMAGE)
    parser.add_argument("--debian", default="", help="a release such as bookworm, made by mmdebstrap")
    args = parser.parse_args()
    build(args.program, args.image, args.debian)
    sys.stdout.write(f"made {args.image}\n")


if __name__ == "__main__":
    main()
