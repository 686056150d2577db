"""Confines the process that calls it with Landlock and seccomp, by system calls alone: no program is needed."""

import ctypes
import os
import stat
from typing import Any

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
SECCOMP_MODE_FILTER = 2
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
BY_PATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG, MAKE_FIFO, MAKE_SYM = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 10, 1 << 12
REFER, TRUNCATE = 1 << 13, 1 << 14
READ = EXECUTE | READ_FILE | READ_DIR
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_FIFO | MAKE_SYM | REFER | TRUNCATE
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
HANDLED = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
ALL_HANDLED = (1 << 16) - 1


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *args: Any) -> int:
    return int(libc().syscall(ctypes.c_long(number), *args))


def landlock_abi() -> int:
    """The version of Landlock that the kernel offers; 0 where there is none."""
    return max(0, syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(1)))


def landlock(read: list[str], write: list[str]) -> None:
    """Nothing but these paths can be reached; no TCP; no signal and no abstract socket reaches outside."""
    abi = landlock_abi()
    handled = HANDLED.get(abi, ALL_HANDLED)
    rules = Ruleset(handled, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = check(syscall(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint(0)), "landlock")
    for paths, access in ((read, READ), (write, WRITE)):
        for path in paths:
            allow(ruleset, path, access & handled)
    check(syscall(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint(0)), "landlock")
    os.close(ruleset)


def allow(ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):  # what it may not even enter needs no rule
        return
    if not stat.S_ISDIR(os.fstat(place).st_mode):
        access &= ON_FILES
    rule = PathRule(access, place)
    check(syscall(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(BY_PATH), ctypes.byref(rule), ctypes.c_uint(0)), path)
    os.close(place)


def seccomp(program: bytes) -> None:
    code = ctypes.create_string_buffer(program, len(program))
    filters = Program(len(program) // 8, ctypes.cast(code, ctypes.c_void_p))
    check(libc().prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filters), 0, 0), "seccomp")


def confine(job: dict[str, Any]) -> None:
    check(libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    if job["landlock"]:
        landlock(job["read"], job["write"])
    seccomp(job["seccomp"])
