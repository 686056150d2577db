"""Makes the compiled seccomp filters beside this file. Needs `pyseccomp` and libseccomp; running jobs needs neither.

python -m sandboxes.seccomp.make_filters
"""

import errno
import socket
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyseccomp as sc  # type: ignore[import-untyped, import-not-found, unused-ignore]

from sandboxes.seccomp import FOLDER, LANDLOCKED, NAMESPACED

ARCHITECTURES = {"x86_64": sc.Arch.X86_64, "aarch64": sc.Arch.AARCH64}

FORBIDDEN = """
mount umount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr
swapon swapoff unshare setns sethostname setdomainname
init_module finit_module delete_module create_module get_kernel_syms query_module kexec_load kexec_file_load reboot
bpf perf_event_open syslog acct quotactl quotactl_fd nfsservctl lookup_dcookie iopl ioperm modify_ldt vm86 vm86old
uselib sysfs _sysctl vhangup ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd
add_key request_key keyctl settimeofday clock_settime clock_adjtime adjtimex stime
userfaultfd io_uring_setup io_uring_enter io_uring_register open_by_handle_at name_to_handle_at
fanotify_init fanotify_mark move_pages migrate_pages
""".split()

ABSENT = "clone3 memfd_create memfd_secret shmget msgget".split()
"""Answered as if the kernel did not have them, so that libraries fall back. `clone3` hides its flags from a filter; the
others hold memory that no limit of a process counts."""

NEW_NAMESPACES = {
    "time": 0x80,
    "mount": 0x20000,
    "cgroup": 0x02000000,
    "uts": 0x04000000,
    "ipc": 0x08000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
}
TERMINAL_TRICKS = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: typing into somebody else's terminal."""
FAMILIES = {socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK}

SHARED = "semget mq_open mq_unlink".split()
ON_OTHERS = {
    "prlimit64": 0,
    "sched_setaffinity": 0,
    "sched_setscheduler": 0,
    "sched_setparam": 0,
    "sched_setattr": 0,
    "setpriority": 1,
    "ioprio_set": 1,
}
"""Calls that reach another process of the same user, and the argument that names it; 0 is the caller itself."""
IGNORED = """
chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes futimesat utimensat
setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
""".split()
"""Said to have worked, and not done: Landlock does not watch them, and the files could be anyone's of this user."""

SET_XATTR_AT, REMOVE_XATTR_AT, OPEN_TREE_ATTR, FILE_SET_ATTR = 463, 466, 467, 469
NEWEST = {
    NAMESPACED: {OPEN_TREE_ATTR: errno.EPERM},
    LANDLOCKED: {OPEN_TREE_ATTR: errno.EPERM, SET_XATTR_AT: 0, REMOVE_XATTR_AT: 0, FILE_SET_ATTR: 0},
}
"""Calls that libseccomp does not know yet; since 424 a call has one number on every architecture."""
LOAD_NUMBER, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ANSWER = 0x00050000

ONE_SOCKET_KIND = socket.SOCK_DGRAM
KIND_MASK = 0xF

Rules = Callable[[sc.SyscallFilter], None]


def namespaced(rules: sc.SyscallFilter) -> None:
    for name in FORBIDDEN:
        _deny(rules, name)
    for name in ABSENT:
        _deny(rules, name, code=errno.ENOSYS)
    for flag in NEW_NAMESPACES.values():
        _deny(rules, "clone", sc.Arg(0, sc.MASKED_EQ, flag, flag))
    for request in TERMINAL_TRICKS:
        _deny(rules, "ioctl", sc.Arg(1, sc.MASKED_EQ, 0xFFFFFFFF, request))
    for family in range(max(FAMILIES)):
        if family not in FAMILIES:
            _deny(rules, "socket", sc.Arg(0, sc.EQ, family), code=errno.EAFNOSUPPORT)
    _deny(rules, "socket", sc.Arg(0, sc.GT, max(FAMILIES)), code=errno.EAFNOSUPPORT)
    _deny(rules, "socket", sc.Arg(0, sc.EQ, socket.AF_NETLINK), sc.Arg(2, sc.NE, 0), code=errno.EAFNOSUPPORT)


def landlocked(rules: sc.SyscallFilter) -> None:
    for name in FORBIDDEN + SHARED:
        _deny(rules, name)
    for name in ABSENT:
        _deny(rules, name, code=errno.ENOSYS)
    for flag in NEW_NAMESPACES.values():
        _deny(rules, "clone", sc.Arg(0, sc.MASKED_EQ, flag, flag))
    for request in TERMINAL_TRICKS:
        _deny(rules, "ioctl", sc.Arg(1, sc.MASKED_EQ, 0xFFFFFFFF, request))
    _deny(rules, "socket", code=errno.EACCES)
    _deny(rules, "socketpair", sc.Arg(1, sc.MASKED_EQ, KIND_MASK, ONE_SOCKET_KIND), code=errno.EACCES)
    for name, argument in ON_OTHERS.items():
        _deny(rules, name, sc.Arg(argument, sc.NE, 0))
    for name in IGNORED:
        _deny(rules, name, code=0)


def _deny(rules: sc.SyscallFilter, name: str, *when: sc.Arg, code: int = errno.EPERM) -> None:
    """A call that the architecture never had adds nothing."""
    rules.add_rule(sc.ERRNO(code), name, *when)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _newest(answers: dict[int, int]) -> bytes:
    """Answers these calls before the compiled rules are asked."""
    program = _instruction(LOAD_NUMBER, 0)
    for number, code in answers.items():
        program += _instruction(JUMP_IF_EQUAL, number, if_false=1) + _instruction(RETURN, ANSWER | code)
    return program


def compiled(rules: Rules, architecture: int) -> bytes:
    program = sc.SyscallFilter(sc.ALLOW)
    if architecture != sc.system_arch():
        program.add_arch(architecture)
        program.remove_arch(sc.system_arch())
    rules(program)
    with tempfile.TemporaryFile() as file:
        program.export_bpf(file)
        file.seek(0)
        return file.read()


def filters() -> dict[str, bytes]:
    """Every filter by the name of its file."""
    return {
        f"{kind}.{machine}.bpf": _newest(NEWEST[kind]) + compiled(rules, architecture)
        for kind, rules in ((NAMESPACED, namespaced), (LANDLOCKED, landlocked))
        for machine, architecture in ARCHITECTURES.items()
    }


def main(folder: Path = FOLDER) -> None:
    for name, program in filters().items():
        (folder / name).write_bytes(program)


if __name__ == "__main__":
    main()
