"""Judges a command by what it would do: what it deletes, overwrites, fetches, publishes, and where."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from contracts.safety import Finding, Severity
from scans.git_rules import judge_git
from scans.options import parsed
from scans.places import Place, place, secret, whole, within
from scans.shell_builtins import BUILTINS, DECLARING
from scans.shell_effects import changed_modes, deleted, written
from scans.shell_launchers import language_of
from scans.shell_output import REMOTE
from scans.shell_reader import read_script, read_words
from scans.shell_reading import Reading, Simple, Trouble
from scans.shell_state import MARKS

Rule = Callable[[Simple], Iterator[Finding]]

TROUBLES = {
    Trouble.UNCLEAR: ("part of it cannot be understood, so please look at it", Severity.ASK),
    Trouble.TOO_LONG: ("it is too long or too tangled to be looked into", Severity.ASK),
    Trouble.FORK_BOMB: ("it starts copies of itself without end", Severity.REFUSE),
    Trouble.MANY_COPIES: ("it may start copies of itself without end", Severity.ASK),
    Trouble.FETCHED_CODE: ("it runs something straight from the network", Severity.REFUSE),
    Trouble.HIDDEN_CODE: ("it runs something that was encoded, so that nobody can read it before", Severity.REFUSE),
}
SHELL_OWN = frozenset(
    {
        *BUILTINS,
        *(":", "true", "false", "test", "[", "exit", "return", "break", "continue", "wait", "jobs", "fg", "bg"),
        *("eval", "source", ".", "trap", "let", "getopts", "umask", "ulimit", "shopt", "hash", "type", "kill"),
        *("echo", "unalias", "dirs", "disown", "times", "caller", "history", "compgen", "complete", "exec", "builtin"),
    }
)
PLAIN_WRAPPERS = frozenset({"nohup", "nice", "ionice", "timeout", "time", "stdbuf", "setsid", "command", "env", "npx"})
PROGRAM_FOLDERS = ("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin")
OWN_PROGRAM_FOLDERS = (".venv/bin", "venv/bin", "node_modules/.bin")
RISKY_SETTINGS = frozenset(
    {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "BASH_ENV", "ENV", "PROMPT_COMMAND", "PYTHONSTARTUP", "PERL5OPT"}
)
DELETES = {
    Place.SYSTEM: Finding("delete-outside", "it deletes files outside of the project", Severity.REFUSE),
    Place.OUTSIDE: Finding("delete-outside", "it deletes files outside of the project", Severity.REFUSE),
    Place.STREAM: Finding("delete-outside", "it deletes files outside of the project", Severity.REFUSE),
    Place.DEVICE: Finding("disk-write", "it erases a disk or another part of the computer", Severity.REFUSE),
    Place.UNKNOWN: Finding("delete-unknown", "what it deletes is only known when it runs", Severity.ASK),
    Place.HISTORY: Finding("delete-history", "it deletes part of the history of this project", Severity.ASK),
    Place.PROJECT: Finding("delete", "it deletes files of this project", Severity.RAISE),
}
DELETES_FOLDERS = {
    **DELETES,
    Place.HISTORY: Finding(
        "delete-history", "it deletes the history of this project, which undoing needs", Severity.REFUSE
    ),
    Place.PROJECT: Finding("delete", "it deletes whole folders of this project", Severity.ASK),
}
MOVABLE = frozenset({Place.PROJECT, Place.TEMPORARY, Place.UNKNOWN})
WRITES = {
    Place.SYSTEM: Finding("write-system", "it changes what this computer or your account needs", Severity.REFUSE),
    Place.OUTSIDE: Finding("write-outside", "it writes to files outside of the project", Severity.ASK),
    Place.DEVICE: Finding(
        "disk-write", "it writes straight to a disk or another part of the computer", Severity.REFUSE
    ),
    Place.UNKNOWN: Finding("write-unknown", "which file it writes is only known when it runs", Severity.ASK),
    Place.HISTORY: Finding("write-history", "it writes into the history of this project", Severity.ASK),
}
MODES = {
    **dict.fromkeys(
        (Place.SYSTEM, Place.OUTSIDE, Place.DEVICE, Place.STREAM),
        Finding("modes-outside", "it changes who may use files outside of the project", Severity.REFUSE),
    ),
    Place.UNKNOWN: Finding("modes-unknown", "whose access it changes is only known when it runs", Severity.ASK),
    Place.HISTORY: Finding("write-history", "it writes into the history of this project", Severity.ASK),
}


def judge(command: str | Sequence[str]) -> tuple[list[Finding], Reading]:
    """What is to be said about a command, apart from which programs are known and what code in other languages does."""
    script = isinstance(command, str)
    reading = read_script(command) if isinstance(command, str) else read_words(command)
    lined = script and "\n" in command
    found = [Finding(trouble, *TROUBLES[trouble], line) for trouble, line in reading.troubles.items()]
    for simple in reading.commands:
        found += (replace(finding, line=simple.line) for rule in RULES for finding in rule(simple))
    return [finding if lined else replace(finding, line=None) for finding in found], reading


def unknown_programs(reading: Reading, allowed: frozenset[str]) -> Iterator[Finding]:
    """Programs that may not run by trust."""
    for simple in reading.commands:
        if not simple.words:
            continue
        name = simple.words[0]
        if MARKS & set(name) or name.startswith("-"):
            yield Finding("unknown-program", "which program it runs is only known when it runs", Severity.ASK)
        elif not _known(simple, allowed):
            shown = name if len(name) <= 60 else name[:60] + "…"
            words = f"`{shown}` is not among the programs that may run by trust"
            yield Finding("new-program", words, Severity.ASK)


def _known(simple: Simple, allowed: frozenset[str]) -> bool:
    folder, _, program = simple.words[0].rpartition("/")
    if folder and not (folder in PROGRAM_FOLDERS or folder.endswith(OWN_PROGRAM_FOLDERS)):
        return False
    names = {program, language_of(program)}
    return not names.isdisjoint(allowed) or program in SHELL_OWN or program in PLAIN_WRAPPERS


def _deletes(simple: Simple) -> Iterator[Finding]:
    for item in deleted(simple):
        for where, folder in _places(item.path, simple):
            found = (DELETES_FOLDERS if item.folders else DELETES).get(where)
            if found is None or (item.moved and where in MOVABLE):
                continue
            yield _of_everything(found, where) if item.folders and whole(item.path, folder) else found


def _places(path: str, simple: Simple) -> Iterator[tuple[Place, str]]:
    """Where a path leads from each folder that a command may be started in; an empty one leads nowhere."""
    yield from ((place(path, folder), folder) for folder in simple.folders if path)


def _of_everything(found: Finding, where: Place) -> Finding:
    if where is Place.PROJECT:
        return replace(found, words="it deletes everything in this project")
    return replace(found, rule="delete-everything", words="it deletes everything it can reach")


def _writes(simple: Simple) -> Iterator[Finding]:
    places = [where for path in written(simple) for where, _ in _places(path, simple)]
    yield from (WRITES[where] for where in places if where in WRITES)
    if simple.empties and Place.PROJECT in places:
        yield Finding("delete", "it empties files of this project", Severity.RAISE)


def _modes(simple: Simple) -> Iterator[Finding]:
    for path in changed_modes(simple):
        yield from (MODES[where] for where, _ in _places(path, simple) if where in MODES)


def _settings(simple: Simple) -> Iterator[Finding]:
    settings = (*simple.settings, *(simple.words[1:] if simple.program in DECLARING else ()))
    for setting in settings:
        name, _, value = setting.partition("=")
        loads = name == "NODE_OPTIONS" and any(word in value for word in ("-r", "--require", "--import", "--loader"))
        if name in RISKY_SETTINGS or loads:
            yield Finding(
                "setting", f"it sets `{name}`, which makes other programs run code of its choice", Severity.ASK
            )


def _secrets(simple: Simple) -> Iterator[Finding]:
    if simple.program in {"echo", "printf"}:
        return
    for word in simple.words[1:]:
        path = word.rpartition("=")[2].lstrip("@<")
        if any(secret(path, folder) for folder in simple.folders):
            yield Finding("secrets", "it reads or changes keys or passwords", Severity.ASK)


def _elsewhere(simple: Simple) -> Iterator[Finding]:
    if simple.program in {"cd", "pushd"}:
        rest = [word for word in simple.words[1:] if word == "-" or not word.startswith("-")]
        inside = {Place.PROJECT, Place.TEMPORARY}
        if not rest or any(place(rest[0], folder) not in inside for folder in simple.folders):
            yield Finding("elsewhere", "it works in a folder outside of the project", Severity.ASK)


def _network(simple: Simple) -> Iterator[Finding]:
    remote = any(within(path, ("/dev/tcp", "/dev/udp")) for path in simple.writes)
    gives_shell = simple.program in {"nc", "ncat"} and parsed(simple.words[1:]).has("-e", "-c", "--exec", "--sh-exec")
    gives_shell = gives_shell or (simple.program == "socat" and any("exec:" in word.lower() for word in simple.words))
    if gives_shell or (remote and language_of(simple.program)):
        yield Finding("remote-shell", "it lets someone on the network give commands here", Severity.REFUSE)
    elif remote or simple.program in REMOTE:
        yield Finding("network", "it uses the network, which is off here", Severity.ASK)


def _installs(simple: Simple) -> Iterator[Finding]:
    words = simple.words
    if language_of(simple.program) == "python" and words[1:3] == ("-m", "pip"):
        words = words[2:]
    action = next((word for word in words[1:] if not word.startswith("-")), "")
    if action in INSTALLERS.get(words[0].rpartition("/")[2] if words else "", ()):
        yield Finding("install", "it installs or removes packages, which has a step of its own", Severity.ASK)


INSTALLERS = {
    **dict.fromkeys(("pip", "pip3"), ("install", "uninstall", "download", "wheel")),
    **dict.fromkeys(
        ("npm", "pnpm", "yarn", "bun"),
        ("install", "i", "ci", "add", "uninstall", "remove", "rm", "update", "publish", "link"),
    ),
}


def _git(simple: Simple) -> Iterator[Finding]:
    if simple.program == "git":
        yield from judge_git(simple)


def _dangerous(simple: Simple) -> Iterator[Finding]:
    found = DANGEROUS.get(simple.program.partition(".")[0] if simple.program[:4] == "mkfs" else simple.program)
    if found:
        yield found


DANGEROUS = {
    **dict.fromkeys(
        ("shutdown", "reboot", "halt", "poweroff", "init", "telinit"),
        Finding("power", "it stops the computer", Severity.REFUSE),
    ),
    **dict.fromkeys(
        ("mkfs", "fdisk", "sfdisk", "cfdisk", "parted", "wipefs", "mkswap", "blkdiscard", "hdparm", "cryptsetup"),
        Finding("format", "it erases or rearranges a disk", Severity.REFUSE),
    ),
    **dict.fromkeys(
        ("mount", "umount", "swapoff", "losetup", "pivot_root"),
        Finding("mount", "it changes which disks are in use", Severity.REFUSE),
    ),
    **dict.fromkeys(
        ("insmod", "rmmod", "modprobe"), Finding("kernel", "it changes the system's core", Severity.REFUSE)
    ),
    **dict.fromkeys(
        ("crontab", "at", "batch", "systemd-run"),
        Finding("schedule", "it plans something to run later", Severity.ASK),
    ),
    **dict.fromkeys(
        ("sudo", "doas", "su", "runuser", "pkexec"),
        Finding("rights", "it asks for more rights than it was given", Severity.ASK),
    ),
    "kill": Finding("kill", "it ends other programs", Severity.RAISE),
    **dict.fromkeys(("killall", "pkill", "fuser"), Finding("kill", "it ends other programs", Severity.ASK)),
}
RULES: tuple[Rule, ...] = (
    _deletes,
    _writes,
    _modes,
    _settings,
    _secrets,
    _elsewhere,
    _network,
    _installs,
    _git,
    _dangerous,
)
