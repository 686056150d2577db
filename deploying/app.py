"""The app of a project as a deployment sees it: what it is, what it needs, and whether it is proven."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import code_generator as generator
from code_generator import AppRecord
from contracts.app_spec import API_KINDS, SERVED, AppSpec, Kind, Language
from contracts.errors import Conflict, NotFound
from contracts.files import Draft

ProofOf = Callable[[str], dict[str, Any] | None]
"""How the proof of a project came out, if it was about the files as they are now."""


@dataclass(frozen=True, slots=True)
class App:
    project: str
    record: AppRecord | None
    """None if it was not built here."""
    framework: str
    """`flask`, `static` or `node`; empty if nothing can be served."""
    proof: Mapping[str, Any] | None
    secrets: tuple[str, ...]
    """Variables that only have to be hard to guess, and the same each time."""

    @property
    def spec(self) -> AppSpec | None:
        return self.record.spec if self.record else None

    @property
    def proven(self) -> bool:
        proof = self.proof or {}
        return bool(self.spec and proof.get("ok")) and proof.get("digest") == generator.digest(self.spec)  # type: ignore[arg-type]

    @property
    def served(self) -> bool:
        return self.spec.kind in SERVED if self.spec else bool(self.framework)

    def refuse_unproven(self) -> None:
        """Raises Conflict unless somebody has shown that it works as it stands."""
        if self.proven:
            return
        how = (
            "Prove it with `test_app` first; `start_app` shows it as it is, and `unproven: true` puts it online "
            "anyway, after asking you"
            if self.spec
            else "It was not built here, so I cannot prove it; `unproven: true` puts it online anyway, after asking you"
        )
        raise Conflict(
            f"`{self.project}` is not proven as it stands, so it is not put where people use it",
            hint=how,
            details={"unproven": True, "can_be_proven": bool(self.spec)},
        )

    def made(self) -> str:
        """What it is and how it was proven, for the beginning of a sentence."""
        if self.record is None:
            return f"`{self.project}`"
        words = (self.proof or {}).get("words", "")
        about = f"“{self.record.spec.title}”{' is ready' if self.proven else ''}"
        return f"{about}: {words}" if words else about

    def facts(self) -> dict[str, Any]:
        if self.record is None:
            return {}
        return {"files_created": len(self.record.sums), "proof": (self.proof or {}).get("words", "")}

    def addresses(self, url: str) -> dict[str, str]:
        """Where its API and its front end are, below the address of the app."""
        if self.spec is None or self.spec.kind not in API_KINDS:
            return {}
        base = url.rstrip("/")
        ui = {"ui_url": f"{base}/ui/"} if self.spec.ui else {}
        return {"api_url": f"{base}/{self.spec.resources[0].path}", **ui}


def look_at(project: str, files: Draft, proof: Mapping[str, Any] | None) -> App:
    record = generator.read_record(files)
    return App(project, record, _framework(record, files), proof, _secrets(record))


def _framework(record: AppRecord | None, files: Draft) -> str:
    if record is not None:
        if record.spec.kind is Kind.SITE:
            return "static"
        return "node" if record.spec.language is Language.NODE else "flask"
    from previews import detect  # noqa: PLC0415  loaded when an app is looked at

    try:
        argv = " ".join(detect(files).argv)
    except NotFound:
        return ""
    if "http.server" in argv:
        return "static"
    return "node" if "node" in argv or files.node("package.json") else "flask"


def _secrets(record: AppRecord | None) -> tuple[str, ...]:
    if record is None:
        return ()
    spec = record.spec
    sessions = ("SECRET_KEY",) if spec.kind is Kind.WEB_APP else ()
    return (*sessions, *(("API_KEY",) if spec.api_key else ()))
