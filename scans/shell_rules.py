"""Judges a command by what it would do: what it removes, overwrites, fetches, publishes, and where."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from contracts.safety import Finding, Severity
from scans.shell_words import HOME, SHELLS, UNKNOWN, Script, Simple, read

FETCHERS = frozenset({"curl", "wget", "fetch", "aria2c", "lynx", "http", "https", "nc", "ncat", "ftp", "scp"})
INTERPRETERS = SHELLS | {"python", "python2", "python3", "node", "perl", "ruby", "php", "deno", "bun", "eval", "xargs"}
WRAPPERS = frozenset(
    {"sudo", "doas", "env", "nohup", "nice", "ionice", "time", "timeout", "stdbuf", "setsid", "command"}
)
WRAPPERS_ALL = WRAPPERS | {"exec", "builtin", "busybox", "toybox", "chroot", "unshare", "strace", "watch"}
ENDERS = frozenset({"shutdown", "reboot", "halt", "poweroff", "init", "telinit"})
FORMATTERS = frozenset({"mkfs", "fdisk", "sfdisk", "parted", "wipefs", "mkswap", "blkdiscard", "hdparm"})
DEVICES = (
    "/dev/sd",
    "/dev/nvme",
    "/dev/vd",
    "/dev/hd",
    "/dev/mmcblk",
    "/dev/mapper",
    "/dev/md",
    "/dev/disk",
    "/dev/mem",
)
READ_ONLY_GIT = frozenset({"status", "log", "diff", "show", "branch", "rev-parse", "ls-files", "blame", "describe"})
MAX_DEPTH = 8

Rule = Callable[[Simple], Iterator[Finding]]


def judge(text: str, allowed: frozenset[str]) -> list[Finding]:
    """What is to be said about a shell command; nothing if it only runs known programs plainly."""
    return _judged(read(text), allowed, 0)


def judge_words(words: Sequence[str], allowed: frozenset[str]) -> list[Finding]:
    """The same for a program that is given its words without a shell."""
    script = Script([Simple(tuple(words))])
    return _judged(script, allowed, 0)


def _judged(script: Script, allowed: frozenset[str], depth: int) -> list[Finding]:
    found: list[Finding] = []
    if depth > MAX_DEPTH or script.broken:
        found.append(_ask("unclear", "part of this command cannot be understood, so please look at it"))
    if script.recursive:
        found.append(_refuse("fork-bomb", "it starts copies of itself without end"))
    for simple in script.commands:
        found += _judge_one(simple, allowed, depth)
    return found


def _judge_one(simple: Simple, allowed: frozenset[str], depth: int) -> Iterator[Finding]:
    yield from _piped_code(simple)
    yield from _device_writes(simple)
    inner = unwrapped(simple)
    if not inner.words:
        return
    for rule in RULES.get(inner.program.partition(".")[0], ()):
        yield from rule(inner)
    yield from _known(inner, allowed)
    for script in _scripts(inner):
        yield from _judged(read(script), allowed, depth + 1)
    for words in _handed_on(inner):
        yield from _judge_one(Simple(words), allowed, depth + 1)


def unwrapped(simple: Simple) -> Simple:
    """The command that is really run, behind `sudo`, `env X=1`, `timeout 5` and the like."""
    words = list(simple.words)
    while words and words[0].rpartition("/")[2] in WRAPPERS_ALL and len(words) > 1:
        takes_number = words[0].rpartition("/")[2] in {"timeout", "nice", "watch"}
        words.pop(0)
        while words and (words[0].startswith("-") or "=" in words[0] or (takes_number and words[0][:1].isdigit())):
            words.pop(0)
    return Simple(tuple(words), simple.writes, simple.reads_from)


def _known(simple: Simple, allowed: frozenset[str]) -> Iterator[Finding]:
    if UNKNOWN in simple.words[0]:
        yield _ask("unknown-program", "which program it runs is only known when it runs")
    elif simple.program not in allowed:
        yield _ask("new-program", f"`{simple.program}` is not among the programs that may run by trust")


def _piped_code(simple: Simple) -> Iterator[Finding]:
    runner = unwrapped(simple)
    fetched = any(unwrapped(source).program in FETCHERS for source in _chain(simple))
    if fetched and runner.program in INTERPRETERS:
        yield _refuse("fetch-to-shell", "it runs something straight from the network")
    elif runner.program in SHELLS and simple.reads_from and not fetched:
        yield _ask("text-to-shell", "it runs text that another command prints")


def _chain(simple: Simple) -> Iterator[Simple]:
    for source in simple.reads_from:
        yield source
        yield from _chain(source)


def _device_writes(simple: Simple) -> Iterator[Finding]:
    if any(target.startswith(DEVICES) for target in simple.writes):
        yield _refuse("disk-write", "it writes straight to a disk")
    elif any(outside(target) and not target.startswith("/dev/") for target in simple.writes):
        yield _ask("write-outside", "it writes to a file outside of the project")


def outside(path: str) -> bool:
    """Whether a path is or may be outside of the project."""
    if path.startswith(("/tmp/", "/dev/null")):  # noqa: S108  the sandbox's own, gone after the run
        return False
    return path.startswith(("/", HOME)) or ".." in path.split("/") or UNKNOWN in path


def _rm(simple: Simple) -> Iterator[Finding]:
    flags, targets = split_flags(simple.words[1:])
    deep = bool(set("rR") & set("".join(f for f in flags if not f.startswith("--")))) or "--recursive" in flags
    if any(_everything(target) for target in targets) and deep:
        yield _refuse("delete-everything", "it deletes everything it can reach")
    elif any(outside(target) for target in targets):
        yield _refuse("delete-outside", "it deletes outside of the project")
    else:
        yield Finding("delete", "it deletes files of this project", Severity.ASK if deep else Severity.RAISE)


def _everything(target: str) -> bool:
    bare = target.rstrip("/*") or ("/" if target.startswith("/") else "")
    return bare in {"/", HOME, ".."} or (target.startswith(("/", HOME)) and target.count("/") <= 1)


def _find(simple: Simple) -> Iterator[Finding]:
    if "-delete" in simple.words:
        starts = [word for word in simple.words[1:] if not word.startswith("-")][:1]
        if any(outside(start) for start in starts):
            yield _refuse("delete-outside", "it deletes outside of the project")
        else:
            yield _ask("delete", "it deletes files of this project")


def _git(simple: Simple) -> Iterator[Finding]:
    flags, rest = split_flags(simple.words[1:])
    action = rest[0] if rest else ""
    if action == "push":
        forced = {"-f", "--force", "--mirror", "--delete", "--force-with-lease"} & {f.split("=")[0] for f in flags}
        if forced or any(word.startswith("+") for word in rest):
            yield _refuse("force-push", "it overwrites or deletes history on a server")
        else:
            yield _ask("push", "it sends the history to a server")
    elif (action == "reset" and "--hard" in flags) or action == "clean":
        yield _ask("discard", "it throws away changes that are not committed")
    elif action in {"checkout", "restore"} and ("." in rest or "--" in simple.words or "-f" in flags):
        yield _ask("discard", "it throws away changes that are not committed")
    elif action in {"filter-branch", "filter-repo", "gc", "prune", "reflog", "update-ref"}:
        yield _ask("history", "it rewrites or drops history")
    elif action not in READ_ONLY_GIT:
        yield Finding("git", "it changes the repository", Severity.RAISE)


def _dd(simple: Simple) -> Iterator[Finding]:
    targets = [word[3:] for word in simple.words if word.startswith("of=")]
    if any(target.startswith(DEVICES) for target in targets):
        yield _refuse("disk-write", "it writes straight to a disk")
    elif any(outside(target) for target in targets):
        yield _ask("write-outside", "it writes to a file outside of the project")


def _always(rule: str, words: str, severity: Severity) -> Rule:
    def found(simple: Simple) -> Iterator[Finding]:
        yield Finding(rule, words, severity)

    return found


def _modes(simple: Simple) -> Iterator[Finding]:
    _, rest = split_flags(simple.words[1:])
    if any(outside(target) for target in rest[1:]):
        yield _refuse("modes-outside", "it changes who may use files outside of the project")


def _cd(simple: Simple) -> Iterator[Finding]:
    if any(outside(target) for target in simple.words[1:]) or len(simple.words) == 1:
        yield _ask("elsewhere", "it works in a folder outside of the project")


def _moves(simple: Simple) -> Iterator[Finding]:
    _, rest = split_flags(simple.words[1:])
    if any(outside(target) for target in rest):
        yield _ask("write-outside", "it moves or copies to or from outside of the project")


def _shred(simple: Simple) -> Iterator[Finding]:
    _, rest = split_flags(simple.words[1:])
    if any(outside(target) for target in rest):
        yield _refuse("delete-outside", "it destroys files outside of the project")
    else:
        yield _ask("delete", "it destroys the content of files")


RULES: dict[str, tuple[Rule, ...]] = {
    "rm": (_rm,),
    "rmdir": (_rm,),
    "unlink": (_rm,),
    "find": (_find,),
    "git": (_git,),
    "dd": (_dd,),
    "shred": (_shred,),
    "truncate": (_shred,),
    "chmod": (_modes,),
    "chown": (_modes,),
    "cd": (_cd,),
    "pushd": (_cd,),
    "mv": (_moves,),
    "cp": (_moves,),
    "ln": (_moves,),
    "rsync": (_moves,),
    "tee": (_moves,),
    **dict.fromkeys(FETCHERS, (_always("network", "it uses the network, which is off here", Severity.ASK),)),
    **dict.fromkeys(ENDERS, (_always("power", "it stops the machine", Severity.REFUSE),)),
    **dict.fromkeys(FORMATTERS, (_always("format", "it erases a disk", Severity.REFUSE),)),
    "mount": (_always("mount", "it changes what disks are in use", Severity.REFUSE),),
    "umount": (_always("mount", "it changes what disks are in use", Severity.REFUSE),),
    "crontab": (_always("schedule", "it plans something to run later", Severity.ASK),),
    "kill": (_always("kill", "it ends other programs", Severity.RAISE),),
    "killall": (_always("kill", "it ends other programs", Severity.ASK),),
    "pkill": (_always("kill", "it ends other programs", Severity.ASK),),
}


def _scripts(simple: Simple) -> Iterator[str]:
    """Scripts among the words: `sh -c ...`, `eval ...`."""
    words = simple.words
    if simple.program in SHELLS:
        for flag, value in pairwise(words[1:]):
            if flag.startswith("-") and not flag.startswith("--") and "c" in flag:
                yield value
    elif simple.program in {"eval", "trap"}:
        yield " ".join(words[1:])


def _handed_on(simple: Simple) -> Iterator[tuple[str, ...]]:
    """Programs that this one is told to run: `xargs rm`, `find -exec rm {} ;`, `parallel rm`."""
    words = simple.words
    if simple.program in {"xargs", "parallel"}:
        rest = [word for index, word in enumerate(words[1:], 1) if not _option_of_xargs(words, index)]
        if rest:
            yield (*rest, UNKNOWN)
    for index, word in enumerate(words):
        if word in {"-exec", "-execdir", "-ok", "-okdir"} and simple.program == "find":
            end = next((i for i in range(index + 1, len(words)) if words[i] in {";", "+"}), len(words))
            start = next((w for w in words[1:] if not w.startswith("-")), ".")
            yield tuple(start if w == "{}" else w for w in words[index + 1 : end])


def _option_of_xargs(words: Sequence[str], index: int) -> bool:
    takes_value = index > 1 and words[index - 1] in {"-n", "-P", "-I", "-L", "-s", "-d", "-a"}
    return words[index].startswith("-") or takes_value


def split_flags(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Flags and the rest; after `--` everything is the rest."""
    flags: list[str] = []
    for index, word in enumerate(words):
        if word == "--":
            return flags, [*(w for w in words[:index] if not _is_flag(w)), *words[index + 1 :]]
        if _is_flag(word):
            flags.append(word)
    return flags, [word for word in words if not _is_flag(word)]


def _is_flag(word: str) -> bool:
    return word.startswith("-") and len(word) > 1


def _ask(rule: str, words: str) -> Finding:
    return Finding(rule, words, Severity.ASK)


def _refuse(rule: str, words: str) -> Finding:
    return Finding(rule, words, Severity.REFUSE)
