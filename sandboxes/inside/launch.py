"""Runs one job inside a sandbox: files in, limits, the job, what came of it, files out."""
# pathlib takes longer to import than everything here takes to run
# ruff: noqa: PTH101, PTH103, PTH109, PTH114, PTH115, PTH120, PTH123, PTH208, PTH211

import _signal  # type: ignore[import-not-found]
import _sitebuiltins
import atexit
import builtins
import marshal
import os
import resource
import sys

TYPE_CHECKING = False  # importing it would take longer than starting Python
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, BinaryIO

Known = dict[bytes, tuple[bytes, int, bytes]]
NO_LINK = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def send(control: int, kind: bytes, path: bytes = b"", data: bytes = b"", mode: int = 0) -> None:
    head = b"".join((kind, mode.to_bytes(2, "big"), len(path).to_bytes(4, "big"), len(data).to_bytes(8, "big"), path))
    view = memoryview(head + data)
    while view:
        view = view[os.write(control, view) :]


def digest(data: bytes) -> bytes:
    from _blake2 import blake2b  # noqa: PLC0415 - most jobs never need it

    return bytes(blake2b(data, digest_size=16).digest())


def unpack(stream: "BinaryIO", remember: bool) -> Known:
    """Writes the files that the service sends below the working folder."""
    known: Known = {}
    while True:
        head = stream.read(15)
        kind, mode = head[:1], int.from_bytes(head[1:3], "big")
        path = stream.read(int.from_bytes(head[3:7], "big"))
        data = stream.read(int.from_bytes(head[7:15], "big"))
        if kind == b"E":
            return known
        if remember:
            known[path] = (kind, mode, digest(data))
        put(kind, mode, path, data)


def put(kind: bytes, mode: int, path: bytes, data: bytes) -> None:
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    if kind == b"D":
        os.makedirs(path, exist_ok=True)
        os.chmod(path, mode & 0o777 | 0o700)
    elif kind == b"L":
        os.symlink(data, path)
    else:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NO_LINK, 0o600)
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(path, mode & 0o777 | 0o600)


def limit(limits: dict[str, int]) -> None:
    """Lowers what this process and its children may use. A limit that is lower already stays."""
    for name, value in limits.items():
        which = getattr(resource, "RLIMIT_" + name)
        highest = resource.getrlimit(which)[1]
        hard = value + 1 if name == "CPU" else value
        hard = hard if highest == resource.RLIM_INFINITY else min(hard, highest)
        resource.setrlimit(which, (min(value, hard), hard))


def first_to_go() -> None:
    """When memory runs out, the job is ended before its launcher or anything else."""
    try:
        handle = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(handle, b"1000")
        os.close(handle)
    except OSError:  # a closed /proc; the job runs all the same
        return


def become_job(job: "dict[str, Any]", keep: int = 2) -> None:
    """Give up whatever the job may not have; only its three streams and `keep` stay open."""
    for low, high in ((3, keep), (keep + 1, 65_536)):
        os.closerange(low, high)
    os.setsid()
    os.umask(0o022)
    first_to_go()
    os.nice(job["nice"])
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_DFL)
    limit(job["limits"])
    if job["confine"]:
        scope: dict[str, Any] = {}
        exec(job["confine"]["source"], scope)  # noqa: S102 - the service's own text
        scope["confine"](job["confine"])


def run_command(job: "dict[str, Any]") -> int:
    argv = job["argv"]
    try:
        os.execvpe(argv[0], argv, job["env"])  # noqa: S606 - running it is the point
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error.strerror}\n")
    return 127


def run_snippet(job: "dict[str, Any]") -> int:
    """Runs Python text in this very interpreter, as if it were the main script."""
    os.environ.clear()
    os.environ.update(job["env"])
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D")
    file = job["env"]["TMPDIR"] + "/main.py"
    with open(file, "w", encoding="utf-8", errors="surrogatepass") as script:
        script.write(job["code"])
    sys.argv = [file]
    sys.path[:0] = [os.getcwd(), *filter(None, job["env"].get("PYTHONPATH", "").split(":"))]
    if sys.stdout:
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    main = type(sys)("__main__")
    main.__file__ = file
    sys.modules["__main__"] = main
    try:
        exec(compile(job["code"], file, "exec"), main.__dict__)  # noqa: S102 - running it is the point
    except SystemExit as end:
        return leave(end.code)
    except BaseException:  # noqa: BLE001 - whatever a snippet raises is its own result
        show()
        return leave(1)
    return leave(None)


def show() -> None:
    """The traceback of what is being handled, without the frame of this launcher."""
    kind, value, trace = sys.exc_info()
    if kind and value and trace:
        sys.excepthook(kind, value.with_traceback(trace.tb_next), trace.tb_next)


def leave(code: "Any") -> int:
    """What the interpreter does at its end, without taking itself apart: the process is thrown away."""
    threading = sys.modules.get("threading")
    if threading:
        threading._shutdown()
    atexit._run_exitfuncs()
    if code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
        code = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    return (code or 0) & 0xFF


def child(job: "dict[str, Any]", keep: int = 2) -> int:
    """In the process that is the job: everything from confining it to its exit code."""
    try:
        become_job(job, keep)
        return run_snippet(job) if job["code"] is not None else run_command(job)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"the job could not be started: {error}\n")
        sys.stderr.flush()
        return 126


def run_here(control: int, job: "dict[str, Any]") -> None:
    """A snippet whose files nobody wants needs no second process; what it costs is reported if it ends by itself."""
    os.set_inheritable(control, False)
    before = resource.getrusage(resource.RUSAGE_SELF)
    code = child(job, control)
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime - before.ru_utime - before.ru_stime
    report(control, job, code << 8, seconds, max(own.ru_maxrss, others.ru_maxrss))


def run_apart(control: int, job: "dict[str, Any]", known: Known) -> None:
    end_all = adopt(job["adopt"]) if job["adopt"] else end_others
    start_relay(job, control)
    try:
        status, usage = fork_and_wait(job, control)
    finally:
        end_all()
    report(control, job, status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
    if job["collect"]:
        pack(control, job, known)


def fork_and_wait(job: "dict[str, Any]", control: int) -> "tuple[int, resource.struct_rusage]":
    pid = os.fork()
    if pid == 0:
        status = 126
        try:
            status = child(job)
        finally:
            os._exit(status)
    if job["watch"]:
        end_with_service(control, pid)
    return os.wait4(pid, 0)[1:]


def end_with_service(control: int, pid: int) -> None:
    """Waits for the job. A container does not end with the service, so its first process has to see that it is gone."""
    import select  # noqa: PLC0415 - most jobs never need it

    poll = select.poll()
    poll.register(control, select.POLLHUP | select.POLLRDHUP)
    poll.register(os.pidfd_open(pid), select.POLLIN)
    if any(handle == control for handle, _ in poll.poll()):
        os._exit(1)


def adopt(source: str) -> "Callable[[], None]":
    """Where there is no process namespace, every process of the job has to be found; gives the way to end them."""
    scope: dict[str, Any] = {}
    exec(source, scope)  # noqa: S102 - the service's own text
    scope["adopt"]()
    sweep: Callable[[], None] = scope["sweep"]
    return sweep


def start_relay(job: "dict[str, Any]", control: int) -> None:
    """A process that carries connections from the service's socket to the program's port."""
    if job["port"] and os.fork() == 0:
        os.close(control)
        scope: dict[str, Any] = {}
        try:
            exec(job["relay"], scope)  # noqa: S102 - the service's own text
            scope["relay"](job["listener"], job["port"])
        finally:
            os._exit(1)


def pack(control: int, job: "dict[str, Any]", known: Known) -> None:
    """Sends back what was asked for, within the caps."""
    room, count = job["files_out"], job["files_out_count"]
    seen = set()
    for path in found(job["collect"]):
        if path in seen or (job["changes"] and path in job["ignore"]):
            continue
        seen.add(path)
        count -= 1
        if count < 0:
            return send(control, b"S", path, b"there are too many files")
        room -= pack_one(control, path, room, known.get(path))
    if job["changes"]:
        for path in sorted(set(known) - seen - set(job["ignore"])):
            if known[path][0] != b"D":
                send(control, b"X", path)
    return None


def pack_one(control: int, path: bytes, room: int, before: tuple[bytes, int, bytes] | None) -> int:
    """Sends one file unless it is unchanged, and says how many bytes it took."""
    status = os.lstat(path)
    kind = status.st_mode & 0o170000
    if kind == 0o120000:
        if before is None or before[::2] != (b"L", digest(os.readlink(path))):
            send(control, b"S", path, b"it is a link")
        return 0
    if kind != 0o100000:
        send(control, b"S", path, b"it is neither a file nor a folder")
        return 0
    if status.st_size > room:
        send(control, b"S", path, b"it is larger than what may be brought back")
        return 0
    with open(os.open(path, os.O_RDONLY | NO_LINK), "rb") as file:
        data = file.read(room)
    mode = status.st_mode & 0o777
    if before is not None and before[0] == b"F" and before[1] & 0o777 | 0o600 == mode and before[2] == digest(data):
        return 0
    send(control, b"F", path, data, mode)
    return len(data)


def behind_link(path: str) -> bool:
    """Whether a folder on the way to it is a link. Nothing can change any more when this is asked."""
    folder = os.path.dirname(os.path.normpath(path))
    return bool(folder) and (os.path.islink(folder) or behind_link(folder) if folder != "/" else False)


def found(wanted: list[str]) -> "Iterator[bytes]":
    """Every path below what was asked for that is not a folder."""
    waiting = [os.fsencode(os.path.normpath(path)) for path in wanted if not behind_link(path)]
    while waiting:
        path = waiting.pop()
        try:
            mode = os.lstat(path).st_mode & 0o170000
            if mode != 0o040000:
                yield path
                continue
            names = sorted(os.listdir(path), reverse=True)
        except OSError:
            continue
        waiting += [name if path == b"." else path + b"/" + name for name in names]


def main(control: int) -> None:
    send(control, b"H")
    with open(control, "rb", 1 << 18, closefd=False) as stream:
        size = stream.read(8)
        if len(size) < 8:
            return
        job = marshal.loads(stream.read(int.from_bytes(size, "big")))  # noqa: S302 - the service wrote it
        os.chdir(job["work"])
        try:
            known = unpack(stream, job["changes"])
        except OSError as error:
            return send(control, b"U", data=str(error.strerror).encode())
    send(control, b"G")
    if job["code"] is not None and job["here"] and not job["collect"] and not job["port"]:
        run_here(control, job)
    else:
        run_apart(control, job, known)
    send(control, b"E")
    os.read(control, 1)  # to be ended by the service keeps the order in which the processes go
    return None


def end_others() -> None:
    """So that nothing changes any more while the files are read."""
    try:
        os.kill(-1, _signal.SIGKILL)
    except ProcessLookupError:
        return


def report(control: int, job: "dict[str, Any]", status: int, cpu: float, rss: int) -> None:
    full = any(os.statvfs(disk).f_bavail < 2 for disk in job["disks"])
    send(
        control, b"R", data=b"%d %d %d %d %d" % (status, int(cpu * 1e6), rss, full, out_of_memory(job["memory_events"]))
    )


def out_of_memory(files: "list[str]") -> int:
    """How often the kernel ended a process for its memory, where only the inside can see it."""
    for path in files:
        try:
            with open(path) as file:
                counts = dict(line.split()[:2] for line in file)
            return int(counts.get("oom_kill", 0))
        except OSError:
            continue
    return 0
