"""What is shown in place of an app that cannot answer: a page for a browser, plain text for others."""

import html
from dataclasses import dataclass

STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:12vh auto;padding:0 1rem;color:#1c2430;"
    "background:#fff}h1{font-size:1.4rem}pre{overflow:auto;padding:1rem;border-radius:.5rem;background:#f0f2f5;"
    "font-size:.85rem}@media(prefers-color-scheme:dark){body{color:#e6e9ee;background:#14181f}pre{background:#1f2530}}"
)
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to be said instead of the app's answer."""

    status: int
    title: str
    words: str
    lines: tuple[str, ...] = ()
    """The latest that the app has printed."""
    again: int = 0
    """Seconds after which a browser asks again by itself; 0 for not."""


def page(notice: Notice) -> bytes:
    refresh = f'<meta http-equiv="refresh" content="{notice.again}">' if notice.again else ""
    printed = html.escape("\n".join(notice.lines))
    log = f"<h2>What it printed last</h2><pre>{printed}</pre>" if notice.lines else ""
    title = html.escape(notice.title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{refresh}'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body><main><h1>{title}</h1>"
        f'<p role="status">{html.escape(notice.words)}</p>{log}</main></body></html>\n'
    ).encode()


def text(notice: Notice) -> bytes:
    return "\n".join([notice.title, notice.words, *notice.lines, ""]).encode()


def not_here(host: str) -> Notice:
    return Notice(
        403,
        "This preview does not answer under that name",
        f"It was called as `{host[:100]}`. Open it under this machine's own address, or allow the name in the settings",
    )


def no_key() -> Notice:
    return Notice(
        403, "This preview needs its link", "Open it from the control panel, or ask its owner for the whole link."
    )


def bad_request(words: str, status: int = 400) -> Notice:
    return Notice(status, "This request cannot be understood", words)


def busy() -> Notice:
    return Notice(503, "Too many connections at once", "Wait a moment and try again.", again=2)
