"""Keeping a project's code elsewhere: pushing its history, repositories, pull requests and issues."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from code_hosts.slugs import GITHUB, LARGEST_FILE, is_slug, origin, slug_at
from contracts.actions import NOTHING_TO_UNDO, Action, ActionContext, ActionResult, Inspection, Params
from contracts.errors import Conflict, Forbidden, InvalidParams, Unauthorized
from contracts.trust import Effect
from contracts.words import counted
from credential_kinds import kind_of
from credentials import where_to_enter
from found_keys import keys_in
from git_manager import Address, GitManager, Login, Pushed, PushWish, address_of

if TYPE_CHECKING:
    from code_hosts.base import CodeHost
    from contracts.code_hosting import Repository

Credential = Callable[[str], Mapping[str, str] | None]
"""The values of a credential by its name; None if it is not set."""
OUTWARD = frozenset({Effect.NETWORK, Effect.PUBLISH})
STAYS = "What was pushed stays there, and whoever can see that repository has seen it"
SECONDS = 900.0
FORESEEN = Inspection(notes=("It reaches out of this machine; I show you what that means before it happens",))
LISTED = 5
REPOSITORY = Field(
    "",
    max_length=200,
    description="Owner and name on GitHub, such as `someone/notes`; empty: where this project is kept.",
)
BRANCH = Field("", max_length=200, description="Branch there; empty: the one that the project is on.")


class PushProject(Params):
    remote: str = Field(
        "",
        max_length=500,
        description="Where to: `someone/notes` on GitHub, or an address that begins with `https:`; empty: where it was "
        "pushed before.",
    )
    branch: str = BRANCH
    tags: bool = Field(False, description="Whether the tags of deployments go along.")


class CreateRepository(Params):
    repository: str = Field(
        "", max_length=200, description="Its name, or `organisation/name`; empty: the name of the project."
    )
    private: bool = Field(True, description="Whether only you and those you invite can see it.")
    description: str = Field("", max_length=300, description="One line about it.")


class OpenPullRequest(Params):
    title: str = Field(min_length=1, max_length=200, description="What the change is, in one line.")
    body: str = Field("", max_length=20_000, description="Why, and what to look at.")
    repository: str = REPOSITORY
    branch: str = Field("", max_length=200, description="Branch for the change; empty: one named after the title.")
    base: str = Field("", max_length=200, description="Branch to change; empty: the one that the repository works on.")


class ListIssues(Params):
    repository: str = REPOSITORY
    state: Literal["open", "closed", "all"] = Field("open", description="Which ones.")
    limit: int = Field(20, ge=1, le=200, description="How many at most, the newest first.")


class CreateIssue(Params):
    title: str = Field(min_length=1, max_length=200, description="What it is about, in one line.")
    body: str = Field("", max_length=20_000, description="The whole story.")
    labels: list[str] = Field(default_factory=list, max_length=20, description="Labels that the repository has.")
    repository: str = REPOSITORY


class CodeHosting:
    def __init__(
        self, git: GitManager, credential: Credential, github: Callable[[str], "CodeHost"], web_url: str
    ) -> None:
        self._git = git
        self._credential = credential
        self._github = github
        self._web_url = web_url
        self._host: tuple[str, CodeHost] | None = None

    def look_at_push(self, params: PushProject, ctx: ActionContext) -> Inspection:
        if ctx.drafting:
            return FORESEEN
        address = self._address(params.remote, ctx.project)
        if slug_at(self._web_url, address.url) and (missing := self._missing()):
            return missing
        seen = self._look(ctx.project, PushWish(address, branch=params.branch, tags=params.tags))
        return replace(seen, settled={"remote": address.url, "branch": seen.facts["branch"]})

    def push_project(self, params: PushProject, ctx: ActionContext) -> ActionResult:
        address = self._address(params.remote, ctx.project)
        pushed = self._push(PushWish(address, branch=params.branch, tags=params.tags), ctx)
        return ActionResult.done(_said(pushed), **_facts(pushed))

    def look_at_repository(self, params: CreateRepository, ctx: ActionContext) -> Inspection:
        name = params.repository or ctx.project
        seen = "only you and those you invite can see it" if params.private else "everybody can see it"
        found = Inspection(notes=(f"`{name}` on GitHub; {seen}",), facts={"repository": name}, identity=name)
        return (None if ctx.drafting else self._missing()) or replace(found, settled={"repository": name})

    def create_repository(self, params: CreateRepository, ctx: ActionContext) -> ActionResult:
        host = self._connected()
        slug = params.repository or ctx.project
        made = host.create_repository(
            slug, private=params.private, description=params.description, tick=ctx.check_cancelled
        )
        address = address_of(made.address)
        if not made.new:
            self._check_free(made, address, ctx)
        with self._git.open(ctx.project).departure() as departure:
            departure.adopt(address)
        seen = "only you and those you invite can see it" if made.private else "everybody can see it"
        verb = "Made" if made.new else "Took the repository that was there already:"
        said = f"{verb} `{made.slug}` on {host.title}; {seen}. `push_project` brings the code there"
        return ActionResult.done(said, **asdict(made))

    def look_at_pull_request(self, params: OpenPullRequest, ctx: ActionContext) -> Inspection:
        _no_keys(params.title, params.body)
        if ctx.drafting:
            return FORESEEN
        slug = self._slug(params.repository, ctx.project)
        if missing := self._missing():
            return missing
        seen = self._look(ctx.project, PushWish(self._at(slug), branch=_branch_of(params)))
        facts = {**seen.facts, "repository": slug, "title": params.title, "body": params.body}
        settled = {"repository": slug, "branch": seen.facts["branch"]}
        # Proposing a change tells people of it, so it is never a mere repetition.
        return replace(seen, facts=facts, settled=settled, verified=False)

    def open_pull_request(self, params: OpenPullRequest, ctx: ActionContext) -> ActionResult:
        host = self._connected()
        _no_keys(params.title, params.body)
        found = host.repository(self._slug(params.repository, ctx.project), tick=ctx.check_cancelled)
        _must_push(found, host)
        base, branch = params.base or found.default_branch, _branch_of(params)
        if base == branch:
            raise InvalidParams(
                f"A change cannot be proposed from `{base}` to itself", hint="Leave `branch` out, or name another one"
            )
        pushed = self._push(PushWish(address_of(found.address), branch=branch), ctx)
        opened = host.open_pull_request(found.slug, branch, base, params.title, params.body, tick=ctx.check_cancelled)
        how = "Opened" if opened.new else "It was open already, and has your newest commits now:"
        said = f"{how} pull request {opened.number} in `{found.slug}`: {opened.page}"
        return ActionResult.done(said, **{**_facts(pushed), **asdict(opened), "repository": found.slug})

    def look_at_issues(self, params: ListIssues, ctx: ActionContext) -> Inspection:
        if ctx.drafting:
            return FORESEEN
        slug = self._slug(params.repository, ctx.project)
        return self._missing() or Inspection(settled={"repository": slug}, facts={"repository": slug})

    def list_issues(self, params: ListIssues, ctx: ActionContext) -> ActionResult:
        slug = self._slug(params.repository, ctx.project)
        issues = self._connected().issues(slug, state=params.state, limit=params.limit, tick=ctx.check_cancelled)
        kind = "" if params.state == "all" else f"{params.state} "
        said = f"{counted(len(issues), f'{kind}issue')} in `{slug}`" if issues else f"`{slug}` has no {kind}issues"
        data = {"repository": slug, "issues": [asdict(issue) for issue in issues]}
        return ActionResult(True, said, data, tainted=bool(issues))

    def look_at_issue(self, params: CreateIssue, ctx: ActionContext) -> Inspection:
        _no_keys(params.title, params.body)
        if ctx.drafting:
            return FORESEEN
        slug = self._slug(params.repository, ctx.project)
        note = f"It goes to `{slug}`, and GitHub tells those who watch it"
        facts = {"repository": slug, "title": params.title, "body": params.body}
        return self._missing() or Inspection(notes=(note,), facts=facts, settled={"repository": slug}, identity=slug)

    def create_issue(self, params: CreateIssue, ctx: ActionContext) -> ActionResult:
        slug = self._slug(params.repository, ctx.project)
        _no_keys(params.title, params.body)
        opened = self._connected().create_issue(
            slug, params.title, params.body, tuple(params.labels), ctx.task_id, tick=ctx.check_cancelled
        )
        return ActionResult.done(f"Opened issue {opened.number} in `{slug}`: {opened.page}", **asdict(opened))

    def find_issue(self, params: CreateIssue, ctx: ActionContext) -> ActionResult | None:
        """After a crash: the issue if it was opened; if not, a person says whether it is still wanted."""
        slug = self._slug(params.repository, ctx.project)
        found = self._connected().find_issue(slug, ctx.task_id, tick=ctx.check_cancelled)
        if found is None:
            return None
        return ActionResult.done(f"Opened issue {found.number} in `{slug}`: {found.page}", **asdict(found))

    def _look(self, project: str, wish: PushWish) -> Inspection:
        """What would be sent, from what is known here; nobody is asked anything."""
        repo = self._git.open(project)
        with repo.departure() as departure:
            out = departure.outgoing(self._limited(wish))
        more = f", and {out.commits - LISTED} more" if out.commits > LISTED else ""
        titles = f": {', '.join(out.titles[:LISTED])}{more}" if out.titles else ""
        what = counted(out.commits, "commit") if out.commits else "No new commit"
        first = "" if out.known_place else ", for the first time"
        notes = [f"{what} to {wish.address}, branch `{out.branch}`{first}{titles}"]
        if edits := [path for path in repo.pending() if not path.endswith("/")]:
            stay = counted(
                len(edits), "changed file is in no commit and stays", "changed files are in no commit and stay"
            )
            notes.append(f"{stay} here")
        facts = {
            "remote": wish.address.url,
            "branch": out.branch,
            "commit": out.commit,
            "commits": out.commits,
            "titles": list(out.titles),
        }
        identity = f"{wish.address.same_as} {out.branch} {out.commit}"
        return Inspection(size=out.size, notes=tuple(notes), facts=facts, identity=identity, verified=out.known_place)

    def _missing(self) -> Inspection | None:
        """The card that asks for a token, if there is none; the step goes on when it has been entered."""
        if self._credential("github") is not None:
            return None
        kind = kind_of("github")
        remedy = where_to_enter(kind)
        words = f"GitHub is not connected yet: {remedy}. The step waits and goes on by itself then"
        facts = {"credential": "github", "remedy": remedy, "guide": tuple(kind.guide)}
        return Inspection(blocked=words, facts=facts, notes=(words, *kind.guide))

    def _push(self, wish: PushWish, ctx: ActionContext) -> Pushed:
        wish = replace(self._limited(wish), login=self._login(wish.address))
        try:
            return self._git.push(ctx.project, wish, say=ctx.progress, tick=ctx.check_cancelled)
        except Unauthorized as refused:
            account = kind_of("github" if slug_at(self._web_url, wish.address.url) else "git")
            refused.hint = f"{where_to_enter(account)}. The step stays queued: `/run_next` tries again"
            refused.stays_queued = True
            raise

    def _limited(self, wish: PushWish) -> PushWish:
        return replace(wish, largest=LARGEST_FILE) if slug_at(self._web_url, wish.address.url) else wish

    def _check_free(self, found: "Repository", address: Address, ctx: ActionContext) -> None:
        """Raises Conflict if a repository that was there already holds anything but this project."""
        wish = PushWish(address, self._login(address))
        tips = self._git.tips(ctx.project, wish, tick=ctx.check_cancelled)
        with self._git.open(ctx.project).departure() as departure:
            related = not tips or departure.has_of(tips.values())
        if not related or not found.may_push:
            raise Conflict(
                f"`{found.slug}` is there already, and is not this project's",
                hint="Choose another name with `repository`; what is there is left as it is",
            )

    def _address(self, remote: str, project: str) -> Address:
        text = remote.strip() or self._origin(project)
        if not text:
            raise InvalidParams(
                f"`{project}` was not pushed anywhere yet, so say where to",
                hint="`create_repository` makes a place on GitHub; or give `remote`, such as `someone/notes`",
            )
        return self._at(text) if is_slug(text) else address_of(text)

    def _at(self, slug: str) -> Address:
        return address_of(f"{self._web_url}/{slug.removesuffix('.git')}.git")

    def _slug(self, repository: str, project: str) -> str:
        """The GitHub repository that is meant."""
        text = repository.strip() or self._origin(project)
        slug = text if is_slug(text) else slug_at(self._web_url, text)
        if not slug:
            raise InvalidParams(
                f"`{project}` is not kept on GitHub, so say which repository is meant",
                hint="Give `repository` as `someone/notes`",
            )
        return slug

    def _origin(self, project: str) -> str:
        with self._git.open(project).departure() as departure:
            return departure.origin()

    def _connected(self) -> "CodeHost":
        token = self._github_token()
        if self._host is None or self._host[0] != token:
            # Kept from step to step, because it keeps a pause between changes, as GitHub asks for.
            self._host = (token, self._github(token))
        return self._host[1]

    def _github_token(self) -> str:
        values = self._credential("github")
        if values is None:
            raise Unauthorized(
                "GitHub is not connected any more",
                hint=where_to_enter(kind_of("github")),
                details={"credential": "github"},
            )
        return values["token"]

    def _login(self, address: Address) -> Login | None:
        """Each token goes only to the place that it is for."""
        if slug_at(self._web_url, address.url):
            return Login("x-access-token", self._github_token())
        other = self._credential("git")
        if other is not None and origin(other["address"]) == origin(address.url):
            return Login(other.get("user") or "git", other["token"])
        return None


def _said(pushed: Pushed) -> str:
    if not pushed.commits:
        said = f"Everything is there already: {pushed.address}, branch `{pushed.branch}`"
    else:
        said = f"Pushed {counted(pushed.commits, 'commit')} to {pushed.address}, branch `{pushed.branch}`"
    if pushed.tags_left:
        said += f". Left out, because they mean something else there: {', '.join(pushed.tags_left)}"
    return said


def _facts(pushed: Pushed) -> dict[str, Any]:
    return {
        "remote": pushed.address.url,
        "branch": pushed.branch,
        "commit": pushed.commit,
        "commits": pushed.commits,
        "titles": list(pushed.titles),
        "before": pushed.before,
    }


def _branch_of(params: OpenPullRequest) -> str:
    """Always the same for the same change, so that it is found again after a crash."""
    words = re.sub(r"[^a-z0-9]+", "-", params.title.lower()).strip("-")[:50].strip("-")
    return params.branch or f"agent/{words or 'change'}"


def _must_push(found: "Repository", host: "CodeHost") -> None:
    if not found.may_push:
        raise Forbidden(
            f"`{found.slug}` is archived, or not one that this token may push to",
            hint=f"Pull requests are opened in repositories of your own; see that the {host.title} token covers it",
        )


def _no_keys(*texts: str) -> None:
    for kind in keys_in("\n".join(texts).encode()).values():
        raise Forbidden(
            f"The text holds {kind}, so it was not sent", hint="Take it out, and make that key invalid if it is real"
        )


def code_hosting_actions(
    git: GitManager, credential: Credential, github: Callable[[str], "CodeHost"], web_url: str = GITHUB
) -> list[Action[Any]]:
    """`github` connects with a token."""
    do = CodeHosting(git, credential, github, web_url)
    return [*_publishing(do), *_issues(do)]


def _publishing(do: CodeHosting) -> list[Action[Any]]:
    return [
        Action(
            name="push_project",
            summary="Push the project's history to GitHub or another git server.",
            params=PushProject,
            effects=OUTWARD,
            handler=do.push_project,
            inspect=do.look_at_push,
            reconcile=do.push_project,
            undo=None,
            title=lambda p: f"Push the project's history to {f'`{p.remote}`' if p.remote else 'where it is kept'}",
            worst=STAYS,
            timeout=SECONDS,
        ),
        Action(
            name="create_repository",
            summary="Make a repository on GitHub for the project, private unless told otherwise.",
            params=CreateRepository,
            effects=OUTWARD,
            handler=do.create_repository,
            inspect=do.look_at_repository,
            reconcile=do.create_repository,
            undo=None,
            title=lambda p: f"Make a {'private' if p.private else 'public'} repository on GitHub",
            worst="An empty repository is left over, which you can delete on GitHub",
            timeout=SECONDS,
        ),
        Action(
            name="open_pull_request",
            summary="Propose the project's newest commits as a pull request in a repository of yours.",
            params=OpenPullRequest,
            effects=OUTWARD,
            handler=do.open_pull_request,
            inspect=do.look_at_pull_request,
            reconcile=do.open_pull_request,
            undo=None,
            title=lambda p: f"Open a pull request: {p.title}",
            worst=f"{STAYS}; the pull request can be closed on GitHub",
            timeout=SECONDS,
        ),
    ]


def _issues(do: CodeHosting) -> list[Action[Any]]:
    return [
        Action(
            name="list_issues",
            summary="List the issues of a repository on GitHub.",
            params=ListIssues,
            effects=frozenset({Effect.NETWORK}),
            handler=do.list_issues,
            inspect=do.look_at_issues,
            reconcile=do.list_issues,
            undo=NOTHING_TO_UNDO,
            title=lambda p: f"List {'all' if p.state == 'all' else f'the {p.state}'} issues",
            worst="Somebody's words in an issue mislead; nothing is done because of them without asking",
        ),
        Action(
            name="create_issue",
            summary="Open an issue in a repository on GitHub.",
            params=CreateIssue,
            effects=frozenset({Effect.NETWORK, Effect.SEND_MESSAGE}),
            handler=do.create_issue,
            inspect=do.look_at_issue,
            reconcile=do.find_issue,
            undo=None,
            title=lambda p: f"Open an issue: {p.title}",
            worst="People read it and are told of it; it can be closed on GitHub",
        ),
    ]
