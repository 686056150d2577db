"""Pages seen by a real browser in the real sandbox: what nobody could see is found, and what anybody sees is not."""

import http.server
import shutil
import struct
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.app_spec import AppSpec
from picturing.browser import find_browser
from proof import AddressVisitor, CheckResult, run_check
from proving.check import Grounds
from proving.eyes import Eyes, Rest
from proving.look_checks import look_checks
from proving.pixels import Unreadable, letters_show, read_png
from proving.sight import DARK, PHONE, WIDE, CouldNotLook, Scene, Want
from sandboxes.bubblewrap import Bubblewrap
from tests.proving.tiny_notes import SPEC, make_app
from tests.proving.visits import answering, served

NOTES = AppSpec.model_validate(SPEC)
SOON = Rest(still=0.6, least=0.6, most=20.0)
FORM = "<form><label for=t>Title</label><input id=t name=title><button>Add</button></form>"


def words(*each: str) -> tuple[Want, ...]:
    return tuple(Want("words", one, (one,)) for one in each)


def of_form(name: str = "title") -> tuple[Want, ...]:
    """The field, its label and the button."""
    label = Want("label", f"{name}-label", (name,), name)
    return Want("field", f"{name}-field", name=name), label, Want("button", f"{name}-button", name=name)


HOME = Want("link", "home", ("/",), "/index.html")
FINE = {
    "plain": (f"<h1>Bread</h1>{FORM}", (Want("heading", "heading"), *words("bread"), *of_form())),
    "odd": (
        """<h1 style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">Gradient</h1>
        <a href="./">Home</a>
        <p style="color:#ccc">Faint</p><p style="color:#fff;background:linear-gradient(#000,#333)">Night</p>
        <p style="color:navy!important;transition:color 9s">Stubborn <b style="color:red!important">inside</b></p>
        <details><summary>What we bake</summary><p>Folded</p></details>
        <div style="overflow-x:auto"><p style="width:5000px;text-align:right">Beside</p></div>
        <form><label for=t style="position:absolute;clip-path:inset(50%)">Title</label>
        <input id=t name=title placeholder=Title><button>Add</button></form>
        <dl><dt>Mon</dt><dd>9 to 5</dd></dl><input value="Typed before">
        <dialog open style="position:fixed;inset:0;margin:auto;width:90vw;height:9em">Welcome</dialog>
        <p style="height:3000px">Down</p><p>Below</p><p id=last style="opacity:.11;color:#fff">Reached</p>
        <script>const show = all => all.forEach(one => one.isIntersecting && one.target.removeAttribute("style"));
        new IntersectionObserver(show).observe(document.getElementById("last"))</script>""",
        (
            *words(
                "Gradient",
                "Faint",
                "Night",
                "Stubborn inside",
                "Folded",
                "Beside",
                "Reached",
                "Mon 9 to 5",
                "Typed before",
                "Below",
            ),
            HOME,
            *of_form(),
        ),
    ),
    "strict": ("<h1>Bread</h1>" * 3, (*words("bread"), *words("Bread"))),
    "late": (
        "<script>fetch('/bread').then(r => r.text()).then(t => { document.body.append(t); })</script>",
        words("Rye"),
    ),
    "elsewhere": (
        "<h1>Bread</h1><script src=http://example.org/map.js></script><script>map.show()</script>",
        words("Bread"),
    ),
}
BROKEN: dict[str, tuple[str, tuple[Want, ...], tuple[str, ...]]] = {
    "parts": (
        """<style>.no{display:none} [name=born]{opacity:0} [name=city]~button{color:#fff;background:#fff}</style>
        <ul class=no><li>Hidden</ul><ul style="opacity:.02"><li>Ghost</ul><p style="color:#fefefe">White</p>
        <p style="position:absolute;left:-4000px">Away</p><p style="font-size:0">Tiny</p>
        <form><input name=age><button>Add</button></form>
        <form><label>Born <input name=born></label><button>Add</button></form>
        <form><label>City <input name=city><button>Add</button></label></form>""",
        (
            *words("Hidden", "Ghost", "White", "Away", "Tiny", "Gone"),
            *of_form("age"),
            *of_form("born"),
            *of_form("city"),
        ),
        (
            *("Hidden is hidden", "Ghost is transparent", "White cannot be told from what is behind or before it"),
            *("Away lies outside of the page", "Tiny has no room", "Gone is not in the page"),
            *("age-label is not in the page", "born-field is transparent"),
            "city-button cannot be told from what is behind or before it",
        ),
    ),
    "covered": (
        "<style>body::after{content:'';position:fixed;inset:0;background:#fff}</style><h1>Bread</h1>",
        words("Bread"),
        ("Bread cannot be told from what is behind or before it",),
    ),
    "failing": (
        """<link rel=stylesheet href=/gone.css><script src=/gone.js></script><h1>Bread</h1>
        <script>Promise.reject(new Error("no"))</script><script>undefined.books</script>""",
        words("Bread"),
        (
            "the style sheet `/gone.css` is answered with 404",
            "the script `/gone.js` is answered with 404",
            "a script stops with an error: TypeError: Cannot read properties of undefined (reading 'books') "
            "(`/failing` line 2)",
            "a script stops with an error: Error: no (`/failing` line 2)",
        ),
    ),
}
SCREENS = """<style>@media(max-width:500px){h1{visibility:hidden}}
@media(prefers-color-scheme:dark){h2{color:#fff}}</style>
<h1>Bread</h1><h2>Rye</h2><p style="width:700px">Wide</p>"""
DOOR = """<form><input name=who><input type=password name=word><button>In</button></form><script>
document.forms[0].onsubmit = event => {
  event.preventDefault();
  const [who, word] = document.querySelectorAll('input');
  fetch('/login', {method: 'POST', body: JSON.stringify([who.value, word.value])})
    .then(answer => answer.text()).then(text => { document.body.textContent = text; });
};</script>"""


class Pages(http.server.BaseHTTPRequestHandler):
    """Gives each of the pages above, and lets somebody in."""

    def do_GET(self) -> None:
        name = self.path[1:]
        found = {"door": DOOR, "screens": SCREENS, "bread": "Rye"}
        found |= {one: page[0] for one, page in FINE.items()} | {one: page[0] for one, page in BROKEN.items()}
        policy = "style-src 'self'" if name == "strict" else "object-src 'none'"
        body = found.get(name, "").encode()
        whole = b"<!doctype html><meta charset=utf-8><body style='margin:0'>" + body
        self._give(200 if name in found else 404, "text/html", whole, policy)

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        words = b"Bread for Ada" if sent == b'["ada","secret-word"]' else b"No"
        self._give(200, "text/plain", words, "object-src 'none'")

    def _give(self, status: int, kind: str, body: bytes, policy: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", policy)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Bubblewrap]:
    root = Path(tempfile.mkdtemp(prefix="look-tests-"))
    root.chmod(0o711)
    made = Bubblewrap(root, pool_size=0)
    if not made.available().ok:
        pytest.skip(f"bubblewrap: {made.available().words}")
    yield made
    made.close()
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def eyes(sandbox: Bubblewrap) -> Eyes:
    program = find_browser()
    if program is None:
        pytest.skip("Chromium is not installed")
    return Eyes(lambda: sandbox, program, SOON)


def test_what_anybody_sees_is_seen_and_what_nobody_sees_is_told(eyes: Eyes) -> None:
    fine = [Scene(f"/{name}", page[1]) for name, page in FINE.items()]
    broken = [Scene(f"/{name}", page[1]) for name, page in BROKEN.items()]
    door = Scene("/door", words("Bread for Ada"), types=("ada", "secret-word"))
    with answering(Pages) as visitor:
        sights = eyes.look(visitor, [*fine, door, *broken], (WIDE,), lambda: None)
    found = {sight.scene.path[1:]: (*sight.errors, *sight.unseen[WIDE.id]) for sight in sights}
    assert {name: found.pop(name) for name in (*FINE, "door")} == dict.fromkeys((*FINE, "door"), ())
    assert {name: set(told) for name, told in found.items()} == {name: set(page[2]) for name, page in BROKEN.items()}


def test_each_screen_is_looked_at_by_itself(eyes: Eyes) -> None:
    with answering(Pages) as visitor:
        (sight,) = eyes.look(visitor, [Scene("/screens", words("Bread", "Rye"))], (WIDE, DARK, PHONE), lambda: None)
    dark = ["Rye cannot be told from what is behind or before it"]
    assert sight.unseen == {WIDE.id: [], DARK.id: dark, PHONE.id: ["Bread is hidden"]}
    assert sight.beyond == {PHONE.id: "it is 310 pixels wider than the screen, by `p`"}


def results(eyes: Eyes, style: str = "") -> dict[str, CheckResult]:
    app = make_app()

    @app.after_request
    def styled(answer):  # type: ignore[no-untyped-def]
        if answer.mimetype == "text/html":
            answer.set_data(answer.get_data(as_text=True).replace("</style>", f"{style}</style>"))
        return answer

    with served(app) as url:
        grounds = Grounds(NOTES, "salt", visitor=AddressVisitor(url), eyes=eyes)
        return {check.id: run_check(check, grounds) for check in look_checks(NOTES)}


def test_a_web_app_that_keeps_its_word_is_seen_to(eyes: Eyes) -> None:
    found = results(eyes)
    assert {name: result.why for name, result in found.items()} == dict.fromkeys(
        ("look-opens", "look-wide", "look-dark", "look-phone"), ""
    )
    shown = {exchange.asked: exchange.answered for exchange in found["look-phone"].exchanges}
    assert shown["Look at /notes on a phone"] == "Seen: a heading, “Notes”, the note that was added"


def test_a_list_that_nobody_can_see_is_found(eyes: Eyes) -> None:
    found = results(eyes, "ul { display: none }")
    assert found["look-wide"].why == "on `/notes` the note that was added is hidden"
    assert found["look-opens"].ok and not found["look-phone"].ok


def test_a_browser_that_does_not_start_says_nothing_about_the_app(sandbox: Bubblewrap) -> None:
    blind = Eyes(lambda: sandbox, "/bin/false")
    with answering(Pages) as visitor:
        for _ in range(2):
            with pytest.raises(CouldNotLook, match="the browser did not start"):
                assert blind.seen is None and blind.look(visitor, [Scene("/plain", ())], (WIDE,), lambda: None)
    assert "did not start" in blind.trouble


def png(*rows: bytes) -> bytes:
    """Each row with how it is written before it."""
    width = (len(rows[0]) - 1) // 3
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"".join(rows))),
    )
    chunks = (struct.pack(">I", len(data)) + name + data + b"\0\0\0\0" for name, data in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def test_pictures_are_compared_pixel_by_pixel() -> None:
    white, dot = png(b"\0" + b"\xff" * 6, b"\2" + b"\0" * 6), png(b"\0" + b"\xff" * 6, b"\2" + b"\0\0\0\x90\x01\x01")
    assert read_png(dot).rows == (b"\xff" * 6, b"\xff\xff\xff\x8f\x00\x00")
    assert letters_show(read_png(dot), read_png(white), (0, 0, 2, 2))
    assert not letters_show(read_png(dot), read_png(white), (0, 0, 2, 0.5))
    pale = png(b"\0" + b"\xff" * 6, b"\2" + b"\0\0\0\xf8\xf8\xf8")
    assert not letters_show(read_png(pale), read_png(white), (0, 0, 2, 2))
    for other in (b"", b"GIF89a", png(b"\1" + b"\xff" * 6), white[:50], white.replace(b"IDAT", b"IDOT")):
        with pytest.raises(Unreadable):
            read_png(other)
