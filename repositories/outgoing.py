"""What a push would send: the commits that are not there yet, looked through for keys; and where it went before."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pygit2
from pygit2.enums import SortMode

from contracts.deployments import Tick
from contracts.errors import Conflict, Forbidden, InvalidParams, TooLarge
from contracts.paths import shown
from found_keys import key_by_name, keys_in
from repositories.addresses import Address, address_of
from repositories.history import GOOD_TAGS, describe, peeled, references
from repositories.objects import GITLINK, LINK, Item, Objects
from repositories.transport import Login

HEADS = "refs/heads/"
PUSHED = "refs/agent-pushed/"
"""What this agent itself has pushed, by place and branch; never pushed."""
MOST_TITLES = 20
MOST_FOUND = 20
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class PushWish:
    """What shall be pushed where."""

    address: Address
    login: Login | None = None
    branch: str = ""
    """Empty: the branch that the project is on."""
    tags: bool = False
    """Also the tags of deployments."""
    largest: int = 0
    """Bytes that a file may have there; 0 for no limit."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """The commits that a place does not have yet, as far as is known here."""

    branch: str
    commit: str
    commits: int
    titles: tuple[str, ...]
    """First lines of the newest ones."""
    size: int
    """Bytes of the contents in them that were not there before."""
    known_place: bool
    """Whether this agent has pushed to this branch of that place before."""
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def refs(self) -> dict[str, str]:
        return {f"{HEADS}{self.branch}": self.commit, **self.tags}


@dataclass(frozen=True, slots=True)
class Found:
    """A key in a commit that would become public."""

    path: str
    commit: str
    kind: str


class Departure:
    """Looks at one repository's history as what may leave the machine. The caller holds the repository."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._repo = objects.repo

    @property
    def begun(self) -> bool:
        """Whether there is any commit."""
        return not self._repo.head_is_unborn

    def origin(self) -> str:
        """The address under which the repository knows its counterpart; empty if it has none."""
        for remote in self._repo.remotes:
            if remote.name == "origin" and remote.url:
                return str(remote.url)
        return ""

    def outgoing(self, wish: PushWish, *, tips: Mapping[str, str] | None = None, tick: Tick = lambda: None) -> Outgoing:
        """What a push would send. `tips` are the branches that the place has; without them, those last seen there.

        Raises Forbidden if a key is in it, TooLarge if a file is larger than the place takes.
        """
        head = self._head()
        branch = wish.branch or self._branch()
        if not pygit2.reference_is_valid_name(HEADS + branch) or branch.startswith("-"):
            raise InvalidParams(f"`{shown(branch)}` cannot be the name of a branch", hint="Use a name such as `main`")
        seen = self._seen(wish.address)
        # Where a branch has moved on to what is not here, what was last seen of it is still there.
        there = (
            list(seen.values()) if tips is None else [*tips.values(), *(seen[name] for name in seen if name in tips)]
        )
        have = [oid for tip in there if (oid := self._here(tip)) is not None]
        scan = _Scan(self._objects, wish.largest)
        commits = 0
        titles: list[str] = []
        for commit in self._walk(head, have):
            tick()
            commits += 1
            if len(titles) < MOST_TITLES:
                titles.append(describe(commit).title)
            scan.look(commit)
        scan.check()
        chosen = self._tags() if wish.tags else {}
        known = _pushed(wish.address, branch) in self._repo.references
        return Outgoing(branch, str(head.id), commits, tuple(titles), scan.size, known, chosen)

    def published_at(self, commit: str) -> str:
        """The address of a place that had this commit when it was last seen, `origin` first; empty if there is none."""
        for remote in sorted(self._repo.remotes, key=lambda remote: remote.name != "origin"):
            found = (peeled(self._repo, ref) for ref in references(self._repo, f"refs/remotes/{remote.name}/"))
            try:
                if any(tip and self.contains(str(tip.id), commit) for tip in found):
                    return address_of(remote.url or "").url
            except InvalidParams:
                continue
        return ""

    def has_of(self, tips: Iterable[str]) -> bool:
        """Whether one of these commits is part of this history."""
        return self.begun and any(self.contains(str(self._head().id), tip) for tip in tips)

    def contains(self, commit: str, ancestor: str) -> bool:
        """Whether a commit is here and part of the history of another one."""
        old = self._here(ancestor)
        new = pygit2.Oid(hex=commit)
        return old is not None and (old == new or self._repo.descendant_of(new, old))

    def adopt(self, address: Address) -> str:
        """Have the repository know this place by a name: `origin` if that is free. Gives the name."""
        return self._remote_name(address) or self._new_remote(address)

    def remember(self, address: Address, branch: str, commit: str) -> None:
        """Note where the branch stands there, as `git push` does for a remote with a name."""
        name = self.adopt(address)
        for ref in (f"refs/remotes/{name}/{branch}", _pushed(address, branch)):
            self._repo.references.create(ref, pygit2.Oid(hex=commit), force=True)

    def _head(self) -> pygit2.Commit:
        if self._repo.head_is_unborn:
            raise Conflict("This project has no commit yet, so there is nothing to push", hint="Change a file first")
        return self._repo.head.peel(pygit2.Commit)

    def _branch(self) -> str:
        if self._repo.head_is_detached:
            raise InvalidParams("The project is on no branch now", hint="Say which `branch` to push to")
        return self._repo.head.shorthand

    def _walk(self, head: pygit2.Commit, have: Iterable[pygit2.Oid]) -> Iterator[pygit2.Commit]:
        walker = self._repo.walk(head.id, SortMode.TOPOLOGICAL | SortMode.TIME)
        for oid in have:
            walker.hide(oid)
        yield from walker

    def _here(self, commit: str) -> pygit2.Oid | None:
        """The id of a commit if this repository has it."""
        try:
            return self._repo[commit].peel(pygit2.Commit).id
        except (KeyError, ValueError, pygit2.GitError):
            return None

    def _tags(self) -> dict[str, str]:
        names = references(self._repo, GOOD_TAGS)
        return {name: str(self._repo.references[name].target) for name in names if peeled(self._repo, name)}

    def _seen(self, address: Address) -> dict[str, str]:
        """The branches there as they were last seen from here."""
        name = self._remote_name(address)
        if name is None:
            return {}
        above = f"refs/remotes/{name}/"
        found = {ref: peeled(self._repo, ref) for ref in references(self._repo, above)}
        return {HEADS + ref.removeprefix(above): str(commit.id) for ref, commit in found.items() if commit}

    def _remote_name(self, address: Address) -> str | None:
        for remote in self._repo.remotes:
            try:
                same = bool(remote.name) and address_of(remote.url or "").same_as == address.same_as
            except InvalidParams:
                continue
            if same:
                return str(remote.name)
        return None

    def _new_remote(self, address: Address) -> str:
        taken = {remote.name for remote in self._repo.remotes}
        names = ("origin", address.host.replace(":", "-"), *(f"{address.host}-{n}" for n in range(2, 100)))
        name = next(name for name in names if name not in taken)
        self._repo.remotes.create(name, address.url)
        return name


def _pushed(address: Address, branch: str) -> str:
    return f"{PUSHED}{hashlib.sha256(address.same_as.encode()).hexdigest()[:16]}/{branch}"


class _Scan:
    """Goes through what commits bring that their parents do not have."""

    def __init__(self, objects: Objects, largest: int) -> None:
        self._objects = objects
        self._largest = largest
        self._blobs: set[tuple[str, bytes]] = set()
        self._found: list[Found] = []
        self._too_large: tuple[str, int] | None = None
        self.size = 0

    def look(self, commit: pygit2.Commit) -> None:
        repo = self._objects.repo
        above = [repo[oid].peel(pygit2.Commit).tree.id.raw for oid in commit.parent_ids if oid in repo]
        first, others = (above[0], above[1:]) if above else (None, [])
        for path, was, now in self._objects.ordinary_changes(first, commit.tree.id.raw):
            if now is None or now.mode == GITLINK or (path, now.oid) in self._blobs:
                continue
            if any(self._objects.find(other, path) == now for other in others):
                continue
            self._blobs.add((path, now.oid))
            self._file(commit, path, was, now)

    def _file(self, commit: pygit2.Commit, path: str, was: Item | None, now: Item) -> None:
        size = self._objects.size(now.oid)
        self.size += size
        if self._largest and size > self._largest:
            self._too_large = (path, size)
        kind = key_by_name(path) if was is None else None
        if kind is None and now.mode != LINK:
            known = self._keys(was) if was is not None and was.mode not in {LINK, GITLINK} else {}
            new = {key: kind for key, kind in self._keys(now).items() if key not in known}
            kind = next(iter(new.values()), None)
        if kind is not None:
            self._found.append(Found(shown(path), str(commit.id), kind))

    def _keys(self, item: Item) -> dict[bytes, str]:
        """In all of it, since what is once pushed cannot be taken back."""
        data = self._objects.blob(item.oid)
        return keys_in(data, longest=len(data))

    def check(self) -> None:
        if self._found:
            first = self._found[0]
            places = [{"path": f.path, "commit": f.commit, "holds": f.kind} for f in self._found[:MOST_FOUND]]
            raise Forbidden(
                f"`{first.path}` in commit {first.commit[:10]} holds {first.kind}, so nothing was pushed",
                hint="Take it out of the history and make that key invalid, since others may have seen it. If it is "
                "no secret, push this once yourself with `git push`; what is there already is not looked at again",
                details={"found": places},
            )
        if self._too_large is not None:
            path, size = self._too_large
            raise TooLarge(
                f"`{shown(path)}` has {size // MIB} MB; no file there may have more than {self._largest // MIB} MB",
                hint="Keep large files out of the history, for example with `.gitignore` before they are added",
            )
