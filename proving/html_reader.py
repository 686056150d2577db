"""Reads a page as a person who looks at it would: its title, headings, links, forms, tables and text."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
UNSEEN = frozenset({"script", "style", "template", "noscript"})
NOT_TYPED_INTO = frozenset({"hidden", "submit", "button", "reset", "image"})
DEEPEST = 2000


class Unreadable(ValueError):
    """The text is no page."""


@dataclass(slots=True)
class Input:
    """One thing in a form that has a value."""

    name: str
    type: str
    value: str = ""
    id: str = ""
    checked: bool = False
    options: list[tuple[str, str]] = field(default_factory=list)
    """The value and words of each choice."""
    labelled: bool = False

    @property
    def typed_into(self) -> bool:
        return self.type not in NOT_TYPED_INTO


@dataclass(slots=True)
class Form:
    action: str
    method: str
    inputs: list[Input] = field(default_factory=list)

    def input(self, name: str) -> Input | None:
        return next((one for one in self.inputs if one.name == name), None)

    @property
    def values(self) -> dict[str, str]:
        """What a browser would send if nobody touched anything."""
        sent = {}
        for one in self.inputs:
            off = one.type in {"checkbox", "radio"} and not one.checked
            if one.name and one.type not in {"submit", "button", "reset", "image"} and not off:
                sent[one.name] = one.value
        return sent


@dataclass(slots=True)
class Page:
    lang: str = ""
    title: str = ""
    description: str = ""
    viewport: str = ""
    headings: list[str] = field(default_factory=list)
    """The texts of its `h1`."""
    links: list[tuple[str, str]] = field(default_factory=list)
    """Where each leads, and its words."""
    forms: list[Form] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    assets: list[str] = field(default_factory=list)
    """Scripts, styles and pictures that it needs."""
    scripts: int = 0
    svg_titles: list[str] = field(default_factory=list)
    drawings: int = 0
    ids: set[str] = field(default_factory=set)
    navigation: list[str] = field(default_factory=list)
    """Where links inside `nav` lead."""
    text: str = ""

    def form_to(self, path: str) -> Form | None:
        """The form that is sent to this path by POST; one without a place of its own is sent to its page."""
        posted = [form for form in self.forms if form.method == "post"]
        exact = [form for form in posted if form.action.partition("?")[0] == path]
        return next(iter(exact), next((form for form in posted if not form.action), None))


def read_page(text: str) -> Page:
    """Raises Unreadable."""
    reader = _Reader()
    try:
        reader.feed(text)
        reader.close()
    except (AssertionError, ValueError, RecursionError) as error:
        raise Unreadable("it is not HTML that can be read") from error
    return reader.finished()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._open: list[str] = []
        self._text: list[str] = []
        self._collecting: list[tuple[str, list[str]]] = []
        self._form: Form | None = None
        self._loose: list[Input] = []
        self._select: Input | None = None
        self._label_for: set[str] = set()
        self._in_label = 0
        self._option: str | None = None
        self._owned: dict[str, list[Input]] = {}
        self._form_ids: dict[str, Form] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.page.ids.add(given["id"])
        if tag not in VOID and len(self._open) < DEEPEST:
            self._open.append(tag)
        action = getattr(self, f"_begin_{tag}", None)
        if action:
            action(given, {name for name, _ in attrs})
        if tag in {"h1", "title", "td", "th", "a", "option", "textarea"}:
            self._collecting.append((tag, []))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open and self._open.pop() != tag:
                pass
        if self._collecting and self._collecting[-1][0] == tag:
            self._collected(tag, "".join(self._collecting.pop()[1]))
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
        elif tag == "label":
            self._in_label = max(0, self._in_label - 1)

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in UNSEEN:
            return
        self._text.append(data)
        for _, pieces in self._collecting:
            pieces.append(data)

    def finished(self) -> Page:
        inputs = [one for form in self.page.forms for one in form.inputs] + self._loose
        for one in inputs:
            one.labelled = one.labelled or (bool(one.id) and one.id in self._label_for)
        for owner, owned in self._owned.items():
            if owner in self._form_ids:
                self._form_ids[owner].inputs += owned
        self.page.text = " ".join(" ".join(self._text).split())
        return self.page

    def _collected(self, tag: str, text: str) -> None:
        words = " ".join(text.split())
        if tag == "h1":
            self.page.headings.append(words)
        elif tag == "title":
            if "svg" in self._open:
                self.page.svg_titles.append(words)
            else:
                self.page.title = words
        elif tag == "a" and self.page.links:
            href, _ = self.page.links[-1]
            self.page.links[-1] = (href, words)
        elif tag in {"td", "th"} and self.page.tables and self.page.tables[-1]:
            self.page.tables[-1][-1].append(words)
        elif tag == "option" and self._select and self._option is not None:
            self._select.options.append((self._option or "", words))
        elif tag == "textarea" and self._last_input():
            self._last_input().value = text.removeprefix("\r\n").removeprefix("\n")

    def _last_input(self) -> Input:
        return (self._form.inputs if self._form and self._form.inputs else self._loose or [Input("", "")])[-1]

    def _begin_html(self, given: dict[str, str], names: set[str]) -> None:
        self.page.lang = given.get("lang", "")

    def _begin_meta(self, given: dict[str, str], names: set[str]) -> None:
        if given.get("name") == "description":
            self.page.description = given.get("content", "")
        if given.get("name") == "viewport":
            self.page.viewport = given.get("content", "")

    def _begin_a(self, given: dict[str, str], names: set[str]) -> None:
        self.page.links.append((given.get("href", ""), ""))
        if "nav" in self._open:
            self.page.navigation.append(given.get("href", ""))

    def _begin_script(self, given: dict[str, str], names: set[str]) -> None:
        self.page.scripts += 1
        if given.get("src"):
            self.page.assets.append(given["src"])

    def _begin_link(self, given: dict[str, str], names: set[str]) -> None:
        if given.get("href") and set(given.get("rel", "").split()) & {
            "stylesheet",
            "icon",
            "modulepreload",
            "manifest",
        }:
            self.page.assets.append(given["href"])

    def _begin_img(self, given: dict[str, str], names: set[str]) -> None:
        if given.get("src"):
            self.page.assets.append(given["src"])

    def _begin_svg(self, given: dict[str, str], names: set[str]) -> None:
        self.page.drawings += 1

    def _begin_table(self, given: dict[str, str], names: set[str]) -> None:
        self.page.tables.append([])

    def _begin_tr(self, given: dict[str, str], names: set[str]) -> None:
        if self.page.tables:
            self.page.tables[-1].append([])

    def _begin_label(self, given: dict[str, str], names: set[str]) -> None:
        self._in_label += 1
        if given.get("for"):
            self._label_for.add(given["for"])

    def _begin_form(self, given: dict[str, str], names: set[str]) -> None:
        self._form = Form(given.get("action", ""), given.get("method", "get").lower())
        self.page.forms.append(self._form)
        if given.get("id"):
            self._form_ids[given["id"]] = self._form

    def _begin_input(self, given: dict[str, str], names: set[str]) -> None:
        kind = given.get("type", "text").lower()
        value = given.get("value", "on" if kind in {"checkbox", "radio"} else "")
        self._add(Input(given.get("name", ""), kind, value, given.get("id", ""), "checked" in names), given)

    def _begin_textarea(self, given: dict[str, str], names: set[str]) -> None:
        self._add(Input(given.get("name", ""), "textarea", "", given.get("id", "")), given)

    def _begin_select(self, given: dict[str, str], names: set[str]) -> None:
        self._select = Input(given.get("name", ""), "select", "", given.get("id", ""))
        self._add(self._select, given)

    def _begin_option(self, given: dict[str, str], names: set[str]) -> None:
        self._option = given.get("value")
        if self._select and self._option is not None and ("selected" in names or not self._select.options):
            self._select.value = self._option

    def _add(self, one: Input, given: dict[str, str]) -> None:
        one.labelled = self._in_label > 0 or bool(given.get("aria-label") or given.get("aria-labelledby"))
        if given.get("form"):
            self._owned.setdefault(given["form"], []).append(one)
        elif self._form:
            self._form.inputs.append(one)
        else:
            self._loose.append(one)
