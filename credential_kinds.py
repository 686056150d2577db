"""The accounts that the agent can use, each declared once: what is asked for, where to get it, how it is recognised."""

from dataclasses import dataclass

from contracts.errors import NotFound


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a credential."""

    name: str
    label: str
    hint: str
    environment: str
    """The variable that holds it where nothing is stored."""
    secret: bool = True
    required: bool = True
    file: bool = False
    """It comes as a file: a JSON object, of which those in INNER_SECRETS are secrets by themselves."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One account elsewhere, and how a person gets what opens it."""

    name: str
    title: str
    purpose: str
    fields: tuple[Field, ...]
    guide: tuple[str, ...]
    finds: str
    """What `found_keys` calls such a value where it meets one."""

    @property
    def secrets(self) -> frozenset[str]:
        """The names of the fields that are never shown."""
        return frozenset(field.name for field in self.fields if field.secret)


INNER_SECRETS = ("private_key", "refresh_token", "client_secret")
"""What is secret by itself in a key that comes as a file."""
KINDS: tuple[Kind, ...] = (
    Kind(
        name="vercel",
        title="Vercel",
        purpose="Puts web apps and sites online",
        fields=(
            Field("token", "Token", "Newer ones begin with `vcp_`", "VERCEL_TOKEN"),
            Field(
                "team",
                "Team",
                "The team's short name or id (`team_...`); empty for your own account",
                "VERCEL_TEAM",
                secret=False,
                required=False,
            ),
        ),
        guide=(
            "Sign in at vercel.com; a free account is enough.",
            "Open vercel.com/account/tokens (your picture, Settings, Tokens).",
            "Name it, for example Task Agent. As scope choose your account, or the team that your apps belong to: a"
            " token for one single project cannot make new ones. Choose when it ends.",
            "Copy the token at once: Vercel shows it only this one time. Paste it here.",
            "If the apps belong to a team, also give the team's short name, as it stands in the address of its page.",
        ),
        finds="a Vercel token",
    ),
    Kind(
        name="netlify",
        title="Netlify",
        purpose="Puts sites without a server part online",
        fields=(Field("token", "Personal access token", "Begins with `nfp_`", "NETLIFY_AUTH_TOKEN"),),
        guide=(
            "Sign in at app.netlify.com; a free account is enough.",
            "Open app.netlify.com/user/applications (User settings, Applications, Personal access tokens).",
            "Choose New access token, say what it is for, and choose when it ends.",
            "Copy the token at once: Netlify shows it only this one time. Paste it here.",
        ),
        finds="a Netlify token",
    ),
    Kind(
        name="render",
        title="Render",
        purpose="Puts apps online that need a server of their own, from a Git repository",
        fields=(
            Field("api_key", "API key", "Begins with `rnd_`", "RENDER_API_KEY"),
            Field(
                "owner",
                "Workspace",
                "Its id (`tea-...`); needed only if the key opens several",
                "RENDER_OWNER",
                secret=False,
                required=False,
            ),
        ),
        guide=(
            "Sign in at dashboard.render.com.",
            "Open dashboard.render.com/u/settings (your picture, Account Settings) and find API Keys.",
            "Choose Create API Key and name it, for example Task Agent. If you are asked what it may do, let it read"
            " and write services in the workspace that your apps belong to.",
            "Copy the key at once: Render shows it only this one time. Paste it here.",
            "Render takes code from a Git repository, so GitHub is needed too; for a private one, connect GitHub in"
            " Render's own settings.",
        ),
        finds="a Render key",
    ),
    Kind(
        name="github",
        title="GitHub",
        purpose="Keeps a project's code and history in a repository of yours",
        fields=(Field("token", "Personal access token", "Begins with `github_pat_` or `ghp_`", "GITHUB_TOKEN"),),
        guide=(
            "Sign in at github.com and open github.com/settings/personal-access-tokens (Settings, Developer settings,"
            " Fine-grained tokens).",
            "Choose Generate new token, name it, and choose when it ends.",
            "Repository access: All repositories, if new ones are to be made; else only those that the agent may use.",
            "Repository permissions: Contents read and write; also Administration to make repositories, Pull requests"
            " and Issues to open those, and Workflows if the code has GitHub Actions.",
            "Copy the token at once: GitHub shows it only this one time. Paste it here.",
        ),
        finds="a GitHub token",
    ),
    Kind(
        name="git",
        title="Another git server",
        purpose="Keeps a project's code and history on a git server other than GitHub",
        fields=(
            Field("token", "Access token", "With the right to write to repositories", "GIT_SERVER_TOKEN"),
            Field(
                "address",
                "Address of a repository there",
                "Begins with `https:`; the token is tried with it, and goes to that server alone",
                "GIT_SERVER_ADDRESS",
                secret=False,
            ),
            Field(
                "user",
                "User name",
                "Empty where any will do, as on GitLab",
                "GIT_SERVER_USER",
                secret=False,
                required=False,
            ),
        ),
        guide=(
            "Sign in at your git server, for example gitlab.com or codeberg.org.",
            "Find Access tokens in the settings of your account there, and make one that may read and write"
            " repositories. Choose when it ends.",
            "Copy the token at once: most servers show it only this one time. Paste it here.",
            "Open a repository of yours there, choose Clone, and copy its address that begins with https: into the"
            " field for it.",
        ),
        finds="a GitLab token",
    ),
    Kind(
        name="drive",
        title="Google Drive",
        purpose="Keeps copies of the agent's logs and memory",
        fields=(
            Field(
                "key",
                "Key",
                "All of the JSON file: that of a service account, or of type `authorized_user`",
                "GOOGLE_DRIVE_KEY",
                file=True,
            ),
            Field(
                "folder",
                "Folder",
                "Its link; empty: one called Task Agent is made",
                "GOOGLE_DRIVE_FOLDER",
                secret=False,
                required=False,
            ),
            Field(
                "person",
                "Person",
                "Email address that a service account acts for; empty for all others",
                "GOOGLE_DRIVE_PERSON",
                secret=False,
                required=False,
            ),
        ),
        guide=(
            "Open console.cloud.google.com, choose or make a project, and switch on the Google Drive API there.",
            "With a plain Gmail account: under Credentials make an OAuth client of the type Desktop app, let it act for"
            " you once, and keep the refresh token in a file of type `authorized_user`; docs/backups.md shows it.",
            "With Google Workspace: make a service account and a JSON key for it, then add its address to a shared"
            " drive as content manager. Alone it has no storage anywhere else.",
            "Give all of that file here, and the link of the folder if the copies shall go to a certain one.",
        ),
        finds="a Google sign-in",
    ),
)


def kind_of(name: str) -> Kind:
    """The kind of that name. Raises NotFound."""
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise NotFound(
        f"There is no account called `{name}` here", hint=f"There are {', '.join(f'`{kind.name}`' for kind in KINDS)}"
    )
