"""Every setting, in one frozen class: defaults, then `config/settings.yaml`, then `.env`, then the environment."""

import ast
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from contracts.errors import BadSettings
from contracts.trust import Autonomy
from setting_sources import Given, gather

CHECKOUT = Path(__file__).resolve().parent
ORIGIN = re.compile(r"https?://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")
HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")


def _list(value: object) -> object:
    """Values come in as text; several are separated by commas."""
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _address(value: str) -> str:
    if value != "localhost":
        ipaddress.ip_address(value)
    return value


def _url(value: str | None) -> str | None:
    if value and not re.fullmatch(ORIGIN.pattern + r"(/[^\s?#]*)?", value):
        raise ValueError
    return value.rstrip("/") if value else None


def _preview_url(value: str | None) -> str | None:
    """Each app has a host or port of its own, and so an origin of its own."""
    if not value:
        return None
    filled = [value.replace("{project}", name).replace("{port}", port) for name, port in (("a", "5100"), ("b", "5101"))]
    if filled[0] == filled[1] or not all(ORIGIN.fullmatch(url.rstrip("/")) for url in filled):
        raise ValueError
    return value.rstrip("/")


def _origins(values: tuple[str, ...]) -> tuple[str, ...]:
    if not all(ORIGIN.fullmatch(value) for value in values):
        raise ValueError
    return tuple(value.lower() for value in values)


def _hosts(values: tuple[str, ...]) -> tuple[str, ...]:
    if not all(HOST.fullmatch(value) for value in values):
        raise ValueError
    return tuple(value.lower() for value in values)


def _token(value: SecretStr | None) -> SecretStr | None:
    if value and not re.fullmatch(r"[\x21-\x7e]+", value.get_secret_value()):
        raise ValueError
    return value


def _timezone(value: str) -> str:
    if value != "local":
        import zoneinfo  # noqa: PLC0415  start-up is faster without it, and few set a zone

        try:
            zoneinfo.ZoneInfo(value)
        except (zoneinfo.ZoneInfoNotFoundError, OSError) as error:
            raise ValueError from error
    return value


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a value may be, in words, where its type and bounds do not say it."""

    words: str


Count = Annotated[int, Field(ge=1, le=1_000_000)]
Size = Annotated[int, Field(ge=1024)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Share = Annotated[float, Field(ge=0, le=1)]
Url = Annotated[str | None, AfterValidator(_url), Allowed("an address such as `https://agent.example`")]


class Settings(BaseModel):
    """All that an owner can set. The text under a field is its documentation."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    home: Annotated[Path, Allowed("a folder")] = CHECKOUT
    """Folder where the memory, logs and projects live; the checkout unless set."""
    bind: Annotated[str, AfterValidator(_address), Allowed("an IP address or `localhost`")] = "127.0.0.1"
    """Address that the service listens on; `0.0.0.0` opens it to the network."""
    port: Annotated[int, Field(ge=0, le=65_535)] = 5000
    """Port that the service listens on; 0 takes any free one."""
    token: Annotated[SecretStr | None, AfterValidator(_token), Allowed("printable characters without spaces")] = None
    """Token that requests must carry; overrides the one that is made at first start."""
    url: Url = None
    """Address of the running service that `./agent` talks to; found by itself unless set."""
    public_url: Url = None
    """Address under which people reach the service, if a proxy or another machine stands in front of it."""
    allowed_hosts: Annotated[
        tuple[str, ...], BeforeValidator(_list), AfterValidator(_hosts), Allowed("host names, separated by commas")
    ] = ()
    """Further host names under which requests are answered; this machine's own and the public address always are."""
    cors_origins: Annotated[
        tuple[str, ...],
        BeforeValidator(_list),
        AfterValidator(_origins),
        Allowed("origins such as `https://panel.example`, separated by commas"),
    ] = ()
    """Web pages of these origins may call the service from a browser."""

    workers: Annotated[int, Field(ge=1, le=64)] = 3
    """How many projects are worked on at the same time."""
    step_seconds: Seconds = 300.0
    """Longest time that one step may take, unless its kind declares its own."""
    wait_seconds: Annotated[float, Field(ge=0, le=3600)] = 30.0
    """How long a request waits for its result before it is told where to follow it."""
    recent_tasks: Count = 100
    """How many ended tasks the memory keeps at hand; older ones stay in the logs."""
    failure_patterns: Count = 100
    """How many distinct failures the memory keeps at hand."""
    snapshot_keep_days: Count = 90
    """Days after which the snapshots that undo needs may be removed."""
    journal_segment_bytes: Annotated[int, Field(ge=4096)] = 8 * 2**20
    """Size at which a new file of the journal is begun (8 MiB)."""

    autonomy: Annotated[Literal[Autonomy.ASK_ALL, Autonomy.EARNED], BeforeValidator(_lower)] = Autonomy.EARNED
    """Whether the agent asks before everything or acts alone where its record has earned it."""
    always_confirm: bool = False
    """Ask before every action; the same as `ask_all`."""
    trust_z: Annotated[float, Field(gt=0, le=10)] = 1.645
    """How cautious the score is: standard errors between the average and the bound that counts."""
    trust_half_life: Annotated[float, Field(ge=1, le=1_000_000)] = 50.0
    """After this many newer outcomes, an outcome counts half."""
    trust_borrowed_weight: Annotated[float, Field(ge=0, le=1_000_000)] = 12.0
    """Most that the same kind of action in other projects may weigh."""
    trust_write: Share = 0.75
    """Score from which undoable writes inside a project run alone."""
    trust_execute: Share = 0.85
    """Score from which running code and installing run alone."""
    trust_publish: Share = 0.90
    """Score from which pushing and undoable, verified redeploys run alone."""
    trust_demotion: Annotated[int, Field(ge=0, le=1_000_000)] = 10
    """Approved good outcomes that are needed after a failure, a rejection or an undo."""

    max_body_bytes: Size = 25 * 2**20
    """Largest request that is read (25 MiB)."""
    max_file_bytes: Size = 2_000_000
    """Largest content of one file in an action."""
    max_upload_bytes: Size = 25 * 2**20
    """Largest file or archive that can be uploaded (25 MiB)."""
    max_archive_bytes: Size = 200 * 2**20
    """Largest total size of an archive's files once unpacked (200 MiB)."""
    max_archive_files: Count = 10_000
    """Most files in an archive."""
    max_archive_ratio: Annotated[float, Field(ge=1, le=10_000)] = 100.0
    """Most by which a file of an archive may grow when it is unpacked."""
    rate_limit: Count = 1200
    """Requests a minute that one client may make."""
    max_streams: Annotated[int, Field(ge=1, le=4096)] = 256
    """Most event streams that may be open at once."""
    keepalive_seconds: Annotated[float, Field(gt=0, le=2)] = 1.5
    """Pause between signs of life on an event stream; short, so that a closed tab is noticed."""

    sandbox: Annotated[Literal["auto", "bubblewrap", "container", "landlock", "off"], BeforeValidator(_lower)] = "auto"
    """What untrusted code runs in; `auto` takes the strongest that proves itself here, `off` runs none."""
    sandbox_root: Annotated[Path | None, Allowed("a folder")] = None
    """Folder for what goes into and out of the sandbox; outside any home if the service runs as root."""
    sandbox_pool: Annotated[int, Field(ge=0, le=64)] = 4
    """How many Python workers are kept ready for snippets; each costs about 8 MiB while it waits."""
    sandbox_parallel: Annotated[int, Field(ge=1, le=64)] = 8
    """How many jobs may run in the sandbox at the same time."""
    sandbox_memory_bytes: Annotated[int, Field(ge=32 * 2**20)] = 512 * 2**20
    """Memory that code in the sandbox may use (512 MiB)."""
    container_socket: Annotated[str | None, Allowed("an address such as `unix:///run/podman/podman.sock`")] = None
    """Where Docker or podman listens, if containers are to be used."""
    safety_block_operations: Annotated[
        tuple[str, ...], BeforeValidator(_list), Allowed("names of Python functions or modules, separated by commas")
    ] = ("eval", "exec", "compile")
    """Names in Python code that are refused before it runs."""
    safety_watch_operations: Annotated[
        tuple[str, ...], BeforeValidator(_list), Allowed("names of Python functions or modules, separated by commas")
    ] = ("os", "subprocess", "ctypes", "shutil", "socket", "multiprocessing", "signal", "pty", "importlib", "builtins")
    """Names in Python code that make running it a stricter kind of action, with a record of its own."""
    proof_browser: bool = True
    """Whether a proof also looks at the pages of an app in Chromium, where this machine has it."""
    preview_first_port: Annotated[int, Field(ge=1024, le=65_000)] = 5100
    """First of the ports on which running apps are shown, one a project."""
    preview_last_port: Annotated[int, Field(ge=1024, le=65_535)] = 5999
    """Last of these ports."""
    preview_url: Annotated[
        str | None, AfterValidator(_preview_url), Allowed("an address such as `https://{project}.apps.example`")
    ] = None
    """Address of running apps where a proxy stands in front, with `{project}` or `{port}` in the name of the host."""

    drive_key_file: Annotated[Path | None, Allowed("a file")] = None
    """File with the key of a Google service account, or of a person's sign-in, with which logs are copied to Drive."""
    drive_folder: Annotated[str, Allowed("the id or the link of a folder")] = ""
    """Folder in Google Drive that the copies go to; one called Task Agent is made unless set."""
    drive_subject: Annotated[str, Allowed("an email address")] = ""
    """Person in whose name a service account acts, where an administrator has allowed that."""
    backup_folder: Annotated[Path | None, Allowed("a folder")] = None
    """Folder that logs and memory are copied to, such as one on another disk; used where no Drive is set."""

    timezone: Annotated[str, AfterValidator(_timezone), Allowed("`local` or a name such as `Europe/Berlin`")] = "local"
    """Time zone of days and months in folder names and caps; stored times are UTC."""
    log_level: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(_lower)] = "info"
    """Least serious messages that are written to `logs/agent.log`."""
    log_bytes: Size = 10 * 2**20
    """Size at which `logs/agent.log` is put aside and a new one begun (10 MiB)."""
    log_files: Annotated[int, Field(ge=0, le=1000)] = 5
    """How many put-aside log files are kept."""

    @property
    def zone(self) -> tzinfo | None:
        """For `datetime.astimezone`; None is the machine's own zone."""
        if self.timezone == "local":
            return None
        import zoneinfo  # noqa: PLC0415  start-up is faster without it, and few set a zone

        return zoneinfo.ZoneInfo(self.timezone)

    @property
    def workspace(self) -> Path:
        return self.home / "workspace"

    @property
    def logs(self) -> Path:
        return self.home / "logs"

    def shown(self) -> dict[str, Any]:
        """Every value as JSON, a secret only as whether it is set."""
        return {
            name: value is not None if name in SECRETS else value
            for name, value in self.model_dump(mode="json").items()
        }

    @classmethod
    def from_sources(
        cls, environ: Mapping[str, str], home: Path | None = None, *, checkout: Path = CHECKOUT
    ) -> "Settings":
        """Read every source; raises BadSettings that names every bad value at once."""
        given, problems = gather(environ, home, checkout, frozenset(cls.model_fields))
        try:
            settings = cls.model_validate({name: item.text for name, item in given.items()})
        except ValidationError as error:
            wrong = [str(e["loc"][0]) for e in error.errors(include_url=False)]
            problems += [_complaint(given[name], name) for name in wrong]
        else:
            if not settings.trust_write <= settings.trust_execute <= settings.trust_publish:
                problems.append("`trust_write`, `trust_execute` and `trust_publish` must not fall from one to the next")
        if problems:
            raise _bad(problems)
        return settings


SECRETS = frozenset(name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation))


def allowed(name: str) -> str:
    """What the setting may be, in words."""
    field = Settings.model_fields[name]
    words = [m.words for m in field.metadata if isinstance(m, Allowed)]
    if words:
        return words[0]
    if field.annotation is bool:
        return "`true` or `false`"
    choices = getattr(field.annotation, "__args__", ())
    if choices:
        return " or ".join(f"`{choice}`" for choice in choices)
    kind = "a whole number" if field.annotation is int else "a number"
    bounds = {key: getattr(m, key) for m in field.metadata for key in ("ge", "gt", "le") if hasattr(m, key)}
    low = f"from {bounds['ge']:,}" if "ge" in bounds else f"above {bounds['gt']:,}"
    return f"{kind} {low}" + (f" to {bounds['le']:,}" if "le" in bounds else "")


@cache
def described() -> dict[str, str]:
    """By name, what each setting does: the text under it in the source."""
    tree = ast.parse(Path(__file__).read_text("utf-8"))
    [body] = [node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Settings"]
    return {
        field.target.id: ast.literal_eval(under.value)
        for field, under in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(under, ast.Expr)
    }


def _complaint(given: Given, name: str) -> str:
    value = "" if name in SECRETS else f" is `{given.text}` but"
    return f"`{given.name}` in {given.source}{value} must be {allowed(name)}"


def _bad(problems: list[str]) -> BadSettings:
    one = len(problems) == 1
    return BadSettings(
        problems[0] if one else f"{len(problems)} settings are wrong:" + "".join(f"\n- {line}" for line in problems),
        hint="Correct what is named here; `docs/settings.md` lists every setting",
        details={"problems": problems},
    )
