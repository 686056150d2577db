"""Sites: what is in the files, how they look, and that their own tests would notice a mistake."""

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.app_spec import AppSpec, Kind, Page, Section
from scaffolds import looks
from scaffolds.static_site import generate, paragraphs

RULES = "E,F,W,I,B,UP,C90,PL,RUF,S,SIM"
HOSTILE = [
    *('"><script>alert(1)</script>', "{{ 7 * 7 }} {% raw %}", "a 'quoted' \"word\" \\ back", "مرحبا بالعالم 👋🏽"),
    *("</title></h1>", "${x} `tick` <!-- --> &amp;", "x" * 120, "' onload='alert(1)", "|*_#[a](b)"),
]
WORDS = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=40).filter(str.strip),
)


def bakery(dark_mode: bool = True) -> AppSpec:
    return AppSpec(
        kind=Kind.SITE,
        name="harbour-bakery",
        title="Harbour Bakery",
        summary="Sourdough and buns, baked by the water.",
        dark_mode=dark_mode,
        pages=(
            Page(slug="about", title="About us", sections=(Section(heading="Two sisters", text="It began. " * 40),)),
            Page(
                slug="index",
                title="Home",
                sections=(
                    Section(heading="What we bake", text="By hand.", points=("Rye", "Buns & rolls")),
                    Section(heading="Hours", text="Tuesday\n7 to 14\n\nClosed on Sunday."),
                ),
            ),
            Page(slug="contact-us", title="Contact", sections=(Section(heading="Write", text="hi@harbour.example"),)),
        ),
    )


class Seen(HTMLParser):
    """The elements and the words of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def own_tests_pass(folder: Path) -> bool:
    ran = subprocess.run(
        [sys.executable, "-B", "-m", "unittest", "discover", "tests"], cwd=folder, capture_output=True, check=False
    )
    return ran.returncode == 0


def ruff(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "ruff", *arguments, "--isolated", "--no-cache", "."]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=os.environ)
    return "" if ran.returncode == 0 else ran.stdout + ran.stderr


def test_a_site_is_these_files() -> None:
    assert list(generate(bakery())) == [
        *("README.md", "about.html", "contact-us.html", "favicon.svg", "index.html", "style.css"),
        *("tests/test_site.py", "theme.js"),
    ]


def test_the_same_spec_gives_the_same_files() -> None:
    assert generate(bakery()) == generate(bakery())


@pytest.mark.parametrize("dark_mode", [True, False])
def test_its_own_tests_pass_and_its_code_is_clean(tmp_path: Path, dark_mode: bool) -> None:
    write(tmp_path, generate(bakery(dark_mode)))
    assert own_tests_pass(tmp_path)
    assert not ruff(tmp_path, "format", "--check", "--diff")
    assert not ruff(tmp_path, "check", "--select", RULES, "--ignore", "PLR2004,S101")


def test_home_comes_first_and_has_the_name_of_the_site() -> None:
    home = Seen(generate(bakery())["index.html"])
    menu = [link["href"] for link in home.all("a")][2:5]
    assert menu == ["index.html", "about.html", "contact-us.html"]
    assert "Harbour Bakery" in home.words
    assert "<h1>Harbour Bakery</h1>" in generate(bakery())["index.html"]
    assert "<h1>About us</h1>" in generate(bakery())["about.html"]


def test_texts_have_paragraphs_lines_points_and_links() -> None:
    files = generate(bakery())
    assert "<p>Tuesday<br>7 to 14</p>" in files["index.html"]
    assert "<p>Closed on Sunday.</p>" in files["index.html"]
    assert "<li>Buns &amp; rolls</li>" in files["index.html"]
    assert '<a href="mailto:hi@harbour.example">hi@harbour.example</a>' in files["contact-us.html"]


def test_addresses_become_links_without_what_ends_the_sentence() -> None:
    assert paragraphs("See https://a.example/x?y=1&z=2, and b@c.example.") == [
        'See <a href="https://a.example/x?y=1&amp;z=2">https://a.example/x?y=1&amp;z=2</a>, '
        'and <a href="mailto:b@c.example">b@c.example</a>.'
    ]
    assert paragraphs("javascript:alert(1) <b>") == ["javascript:alert(1) &lt;b&gt;"]


def test_descriptions_are_the_beginning_of_a_page() -> None:
    files = generate(bakery())
    about = next(meta["content"] for meta in Seen(files["about.html"]).all("meta") if meta.get("name") == "description")
    assert about.startswith("It began. It began.") and about.endswith("began. It…") and len(about) <= 155
    assert 'content="Sourdough and buns, baked by the water."' in files["index.html"]


def test_without_a_dark_mode_there_is_no_script_and_no_second_colour() -> None:
    files = generate(bakery(dark_mode=False))
    assert "theme.js" not in files
    assert "light-dark(" not in files["style.css"] and "color-scheme: light;" in files["style.css"]
    assert not any("<script" in text for name, text in files.items() if name.endswith(".html"))


def test_with_a_dark_mode_both_colours_are_there_and_a_choice_wins() -> None:
    style = generate(bakery())["style.css"]
    assert "color-scheme: light dark;" in style
    assert '[data-theme="dark"] {\n  color-scheme: dark;' in style
    assert "light-dark(" in style


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("index.html", "about.html", "abuot.html"),
        ("index.html", "<h1>", "<h1></h1><h1>"),
        ("index.html", 'alt=""', ""),
        ("about.html", '<meta name="description"', '<meta name="descripton"'),
        ("about.html", "<h1>About us", "<h1>Aboot us"),
        ("about.html", ' lang="en"', ""),
        ("about.html", "<title>About us – Harbour Bakery", "<title>"),
        ("about.html", 'id="content"', 'id="contents"'),
        ("about.html", ' aria-current="page"', ""),
        ("about.html", "</section>", ""),
        ("contact-us.html", '<link rel="stylesheet" href="style.css">', ""),
        ("contact-us.html", '<h2 id="part-1">Write</h2>', ""),
        ("contact-us.html", "<main", '<script src="https://elsewhere.example/x.js"></script><main'),
        ("contact-us.html", "<main", '<main onclick="go()"'),
        ("contact-us.html", "mailto:", "javascript:"),
        ("theme.js", '"theme"', '"thema"'),
    ],
)
def test_its_own_tests_notice(tmp_path: Path, file: str, before: str, after: str) -> None:
    files = generate(bakery())
    assert before in files[file]
    write(tmp_path, files | {file: files[file].replace(before, after)})
    assert not own_tests_pass(tmp_path)


@settings(max_examples=40, deadline=None)
@given(title=WORDS, summary=WORDS, page=WORDS, heading=WORDS, text=WORDS, point=WORDS)
def test_what_people_wrote_is_text_and_nothing_else(
    title: str, summary: str, page: str, heading: str, text: str, point: str
) -> None:
    section = Section(heading=heading, text=f"{text}\n{text}", points=(point,))
    spec = AppSpec(
        kind=Kind.SITE,
        name="odd",
        title=title,
        summary=summary,
        pages=(Page(slug="index", title=page, sections=(section,)), Page(slug="more", title=page)),
    )
    files = generate(spec)
    seen = Seen(files["index.html"])
    plain = Seen(generate(bakery(dark_mode=False))["index.html"])
    assert {tag for tag, _ in seen.tags} <= {tag for tag, _ in plain.tags}
    assert {name for _, found in seen.tags for name in found} <= {name for _, found in plain.tags for name in found}
    assert {heading, point, summary, title} <= set(seen.words)
    compile(files["tests/test_site.py"], "test_site.py", "exec")


def test_hostile_words_pass_the_sites_own_tests(tmp_path: Path) -> None:
    pages = tuple(
        Page(slug=f"page-{number}", title=words, sections=(Section(heading=words, text=words, points=(words,)),))
        for number, words in enumerate(HOSTILE)
    )
    spec = AppSpec(
        kind=Kind.SITE,
        name="odd",
        title=HOSTILE[0],
        summary=HOSTILE[1],
        dark_mode=True,
        pages=(*pages, Page(slug="index", title=HOSTILE[2])),
    )
    write(tmp_path, generate(spec))
    assert own_tests_pass(tmp_path)
    assert not ruff(tmp_path, "format", "--check", "--diff")
    assert not ruff(tmp_path, "check", "--select", RULES, "--ignore", "PLR2004,S101")


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted([light(one), light(other)])
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("dark", [0, 1])
def test_every_colour_of_text_can_be_read(dark: int) -> None:
    tones = {name: pair[dark] for name, pair in looks.TONES.items()}
    grounds = [tones["ground"], tones["surface"], tones["raised"]]
    assert all(contrast(tones[ink], ground) >= 4.5 for ink in ("ink", "ink-soft", "bad") for ground in grounds)
    assert contrast(tones["bad"], tones["bad-soft"]) >= 4.5
    assert all(contrast(tones["line-strong"], ground) >= 3 for ground in (tones["surface"], tones["ground"]))
    for accent in looks.ACCENTS:
        plain, strong = accent[2 * dark : 2 * dark + 2]
        on_it = "#101014" if dark else "#ffffff"
        assert contrast(plain, on_it) >= 4.5 and contrast(strong, on_it) >= 4.5
        assert all(contrast(plain if dark else strong, ground) >= 4.5 for ground in grounds)
        assert contrast(plain, tones["surface"]) >= 3


def test_the_sign_is_a_letter_or_a_ring() -> None:
    assert ">H</text>" in looks.favicon(bakery())
    assert "<circle" in looks.favicon(bakery().model_copy(update={"title": "مرحبا"}))
    assert "<circle" in looks.favicon(bakery().model_copy(update={"title": "<>"}))
