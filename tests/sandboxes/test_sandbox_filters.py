"""The shipped seccomp filters, run by an interpreter of their language, answer as they should on both architectures."""

import errno
import struct
from pathlib import Path

import pytest

from sandboxes.seccomp import FOLDER, LANDLOCKED, NAMESPACED, filter_path

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NUMBERS = {
    "x86_64": {
        **dict(
            read=0, mmap=9, ioctl=16, socket=41, socketpair=53, clone=56, execve=59, chmod=90, ptrace=101, mount=165
        ),
        **dict(keyctl=250, unshare=272, prlimit64=302, setns=308, memfd_create=319, bpf=321, userfaultfd=323),
        **dict(io_uring_setup=425, clone3=435, pidfd_getfd=438, shmget=29, open_tree_attr=467, setxattrat=463),
    },
    "aarch64": {
        **dict(read=63, mmap=222, ioctl=29, socket=198, socketpair=199, clone=220, execve=221, ptrace=117, mount=40),
        **dict(keyctl=219, unshare=97, prlimit64=261, setns=268, memfd_create=279, bpf=280, userfaultfd=282),
        **dict(io_uring_setup=425, clone3=435, pidfd_getfd=438, shmget=194, open_tree_attr=467, setxattrat=463),
    },
}
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, {0x00000000, 0x80000000}
BOTH = [(kind, machine) for kind in (NAMESPACED, LANDLOCKED) for machine in ARCHITECTURES]
LOAD, JUMP_EQUAL, JUMP_GREATER, JUMP_GREATER_EQUAL, JUMP_SET, JUMP, RETURN, AND = (
    0x20,
    0x15,
    0x25,
    0x35,
    0x45,
    0x05,
    0x06,
    0x54,
)


def decide(kind: str, machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the kernel would answer: the program run over the data of one call."""
    program = list(struct.iter_unpack("=HBBI", (FOLDER / f"{kind}.{machine}.bpf").read_bytes()))
    values = (*arguments, *(0,) * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, architecture or ARCHITECTURES[machine], 0, *values)
    at = value = 0
    while True:
        code, if_true, if_false, operand = program[at]
        at += 1
        if code == LOAD:
            value = struct.unpack_from("=I", data, operand)[0]
        elif code == AND:
            value &= operand
        elif code == JUMP:
            at += operand
        elif code == RETURN:
            return int(operand)
        else:
            outcome = {
                JUMP_EQUAL: value == operand,
                JUMP_GREATER: value > operand,
                JUMP_GREATER_EQUAL: value >= operand,
                JUMP_SET: bool(value & operand),
            }[code]
            at += if_true if outcome else if_false


def call(kind: str, machine: str, name: str, *arguments: int) -> int:
    return decide(kind, machine, NUMBERS[machine][name], *arguments)


@pytest.mark.parametrize(("kind", "machine"), BOTH)
@pytest.mark.parametrize("name", ["read", "mmap", "execve"])
def test_ordinary_calls_are_allowed(kind: str, machine: str, name: str) -> None:
    assert call(kind, machine, name) == ALLOW


@pytest.mark.parametrize(("kind", "machine"), BOTH)
@pytest.mark.parametrize(
    "name",
    "ptrace mount keyctl unshare setns bpf userfaultfd io_uring_setup pidfd_getfd open_tree_attr".split(),
)
def test_calls_that_could_undo_the_boundary_are_refused(kind: str, machine: str, name: str) -> None:
    assert call(kind, machine, name) == ERRNO | errno.EPERM


@pytest.mark.parametrize(("kind", "machine"), BOTH)
@pytest.mark.parametrize("name", ["clone3", "memfd_create", "shmget"])
def test_calls_that_hide_something_seem_not_to_exist(kind: str, machine: str, name: str) -> None:
    assert call(kind, machine, name) == ERRNO | errno.ENOSYS


@pytest.mark.parametrize(("kind", "machine"), BOTH)
def test_threads_and_processes_can_be_made_but_no_namespaces(kind: str, machine: str) -> None:
    assert call(kind, machine, "clone", 0x3D0F00) == ALLOW
    assert call(kind, machine, "clone", 17) == ALLOW
    for flag in (0x80, 0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert call(kind, machine, "clone", flag | 17) == ERRNO | errno.EPERM


@pytest.mark.parametrize(("kind", "machine"), BOTH)
def test_nothing_can_be_typed_into_a_terminal(kind: str, machine: str) -> None:
    assert call(kind, machine, "ioctl", 1, 0x5401) == ALLOW
    for request in (0x5412, 0x541C, 0x1_0000_5412):
        assert call(kind, machine, "ioctl", 1, request) == ERRNO | errno.EPERM


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_in_a_network_of_its_own_a_job_has_the_usual_sockets_only(machine: str) -> None:
    for family in (1, 2, 10, 16):
        assert call(NAMESPACED, machine, "socket", family, 1, 0) == ALLOW
    for family, protocol in ((17, 0), (40, 0), (3, 0), (38, 0), (44, 0), (16, 9)):
        assert call(NAMESPACED, machine, "socket", family, 3, protocol) == ERRNO | errno.EAFNOSUPPORT


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_in_the_machines_network_a_job_has_no_sockets(machine: str) -> None:
    for family in (1, 2, 10, 16):
        assert call(LANDLOCKED, machine, "socket", family, 1, 0) == ERRNO | errno.EACCES
    assert call(LANDLOCKED, machine, "socketpair", 1, 1 | 0x80000) == ALLOW
    assert call(LANDLOCKED, machine, "socketpair", 1, 2 | 0x80000) == ERRNO | errno.EACCES


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_without_a_process_namespace_other_processes_cannot_be_limited(machine: str) -> None:
    assert call(LANDLOCKED, machine, "prlimit64", 0, 7) == ALLOW
    assert call(LANDLOCKED, machine, "prlimit64", 1234, 7) == ERRNO | errno.EPERM
    assert call(NAMESPACED, machine, "prlimit64", 1234, 7) == ALLOW


def test_changes_of_permission_are_ignored_where_landlock_does_not_watch_them() -> None:
    assert call(LANDLOCKED, "x86_64", "chmod") == ERRNO | 0
    assert call(NAMESPACED, "x86_64", "chmod") == ALLOW
    assert call(LANDLOCKED, "aarch64", "setxattrat") == ERRNO | 0


@pytest.mark.parametrize(("kind", "machine"), BOTH)
def test_calls_of_another_architecture_end_the_process(kind: str, machine: str) -> None:
    assert decide(kind, machine, 0, architecture=0x40000003) in KILL


@pytest.mark.parametrize("kind", [NAMESPACED, LANDLOCKED])
def test_the_second_numbering_of_x86_is_closed(kind: str) -> None:
    assert decide(kind, "x86_64", 0x40000000 + 1) in KILL


def test_the_script_makes_the_filters_that_are_shipped(tmp_path: Path) -> None:
    pytest.importorskip("pyseccomp", reason="pyseccomp: only who changes the filters needs it")
    from sandboxes.seccomp.make_filters import filters  # noqa: PLC0415 - needs what may be missing

    made = filters()
    assert set(made) == {path.name for path in FOLDER.glob("*.bpf")}
    assert filter_path(NAMESPACED) in {FOLDER / name for name in made}
    for name, program in made.items():
        assert len(program) == len((FOLDER / name).read_bytes())
