"""What the agent may do alone, as the owner sets it. Tighter takes effect at once; looser always asks."""

from typing import Any, Literal

from pydantic import Field

from contracts.actions import NOTHING_TO_UNDO, Action, ActionContext, ActionResult, Note, Params
from contracts.trust import Autonomy, Code, Decision, Effect, Level, Verdict

ANY_PROJECT = "*"


class AlwaysConfirm(Params):
    enabled: bool = Field(True, description="Whether to ask before every change.")


class TrustOverride(Params):
    action: str = Field(min_length=1, max_length=80, description="The action it is about, in the project or in all.")
    verdict: Literal["auto", "ask", "refuse"] | None = Field(description="What to do from now on; null takes it back.")
    lift_floor: bool = Field(False, description="With `auto`: also where it would ask whatever the record says.")


def permission_actions() -> list[Action[Any]]:
    def always_confirm(params: AlwaysConfirm, ctx: ActionContext) -> ActionResult:
        mode = Autonomy.ASK_ALL if params.enabled else Autonomy.EARNED
        said = "I will ask before every change" if params.enabled else "I will ask until my record has earned trust"
        return ActionResult(True, said, {"mode": mode.value}, notes=(Note("autonomy_set", {"mode": mode.value}),))

    def trust_override(params: TrustOverride, ctx: ActionContext) -> ActionResult:
        where = f"in `{ctx.project}`" if ctx.project else "in every project"
        words = {"auto": "will run alone", "ask": "will always ask", "refuse": "will be refused"}
        said = words[params.verdict] if params.verdict else "follows my record again"
        data = {
            "key": f"{params.action}@{ctx.project or ANY_PROJECT}",
            "verdict": params.verdict,
            "lifted": params.lift_floor,
        }
        return ActionResult(True, f"`{params.action}` {said} {where}", data, notes=(Note("override_set", data),))

    shared: Any = {
        "effects": frozenset({Effect.READ}),
        "undo": NOTHING_TO_UNDO,
        "needs_project": False,
    }
    return [
        Action(
            name="always_confirm",
            summary="Ask before every change, or go by the record again.",
            params=AlwaysConfirm,
            handler=always_confirm,
            title=lambda p: "Ask before every change" if p.enabled else "Stop asking before every change",
            worst="I act alone where my record allows it",
            gate=lambda p, ctx: tighter() if p.enabled else looser(),
            **shared,
        ),
        Action(
            name="trust_override",
            summary="Set for one kind of action, in one project or all, whether it runs alone, asks or is refused.",
            params=TrustOverride,
            handler=trust_override,
            title=lambda p: f"Set `{p.action}` to {p.verdict or 'earned trust'}",
            worst="This kind of action runs without asking you",
            gate=lambda p, ctx: tighter() if p.verdict in {"ask", "refuse"} else looser(),
            **shared,
        ),
    ]


def tighter() -> Decision:
    reason = "it makes me ask more, which is always allowed"
    return Decision(Verdict.AUTO, 1.0, 0.0, Level.HIGH, Code.ACTION_RULE, (reason,))


def looser() -> Decision:
    reason = "it lets me ask less, which only you can decide"
    return Decision(Verdict.ASK, 0.0, 1.0, Level.LOW, Code.ACTION_RULE, (reason,))
