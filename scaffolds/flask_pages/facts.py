"""What a web app needs, found out from its spec, so that its files have nothing that nothing uses."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from contracts.app_spec import COUNTABLE, AppSpec, FieldType, Page
from scaffolds.base import PYTHON_PINS, class_name
from scaffolds.flask_pages.trials import BARE, chart_orders, chart_trials, format_trials, trials
from scaffolds.python_parts.uses import Uses, searched

INPUTS = {"Date": "date", "Email": "email", "Time": "time", "Url": "url"}
"""The kinds of input that browsers have for types of fields."""
SHORT = ("Date", "Integer", "Money", "Number", "Time")
LONG_TITLES = {FieldType.LONG_TEXT, FieldType.URL}


@dataclass(frozen=True)
class Facts:
    spec: AppSpec

    @cached_property
    def uses(self) -> Uses:
        return Uses(self.spec)

    @cached_property
    def classes(self) -> set[str]:
        """The classes of the types that fields have."""
        return {class_name(kind) for kind in self.uses.types}

    @property
    def has_index(self) -> bool:
        return any(page.slug == "index" for page in self.spec.pages)

    @property
    def home(self) -> str:
        """What the first page shows."""
        if self.has_index:
            return "index"
        roots = [resource for resource in self.spec.resources if not resource.belongs_to]
        if self.spec.resources:
            return "list" if len(roots) == 1 else "overview"
        return "first" if self.spec.pages else "hello"

    @property
    def texts(self) -> tuple[Page, ...]:
        return tuple(sorted(self.spec.pages, key=lambda page: page.slug != "index"))

    @property
    def menu(self) -> tuple[tuple[str, str], ...]:
        """Endpoints and words; nothing if there is only one place to go to."""
        links = [(f"{resource.name}_list", resource.plural_label) for resource in self.spec.resources]
        links += [("charts", "Charts")] if self.spec.charts else []
        links += [(f"text:{page.slug}", page.title) for page in self.texts if page.slug != "index"]
        if self.home in {"index", "overview"}:
            links.insert(0, ("home", "Home"))
        return tuple(links) if len(links) > 1 else ()

    @property
    def quick(self) -> bool:
        return any(resource.quick_add for resource in self.spec.resources)

    @property
    def bare_mains(self) -> list[str]:
        """The classes of main fields whose values mean nothing without their label, such as a number."""
        return sorted({class_name(one.main.type) for one in self.spec.resources if one.main.type in BARE})

    @property
    def switches(self) -> bool:
        """Whether lists have buttons that turn a yes into a no."""
        return any(
            resource.quick_add
            and not resource.append_only
            and any(field.type is FieldType.YES_NO for field in resource.fields)
            for resource in self.spec.resources
        )

    @property
    def everywhere(self) -> dict[str, bool]:
        """The features that all resources have, so that nothing has to ask for them."""
        resources = self.spec.resources
        names = ("sort", "filter", "csv", "quick_add")
        return {
            "search": all(searched(resource) for resource in resources),
            **{name: all(getattr(resource, name) for resource in resources) for name in names},
        }

    @property
    def has_finder(self) -> bool:
        return self.uses.search or self.uses.sort or self.uses.filter

    @property
    def inits(self) -> list[str]:
        """The modules that the app is put together from, in order: who is here is known before forms are looked at."""
        kept = ["db", "sessions", *(["accounts"] if self.spec.login else []), "forgery", "formats", "rows"]
        pages = ["pages", "changes", *(["charts"] if self.spec.charts else [])]
        texts = ["texts"] if self.spec.pages else []
        return ["shell", *(kept + pages if self.spec.resources else []), *texts]

    @property
    def modules(self) -> list[str]:
        """The modules that are made here, besides those that all Flask apps share."""
        more = ["forms", *(["finder"] if self.uses.arguments else [])] if self.spec.resources else []
        return sorted({*self.inits, *more} - {"db"})

    @property
    def pages(self) -> list[str]:
        names = ["layout", "error", *(["hello"] if self.home == "hello" else [])]
        names += ["text"] if self.spec.pages else []
        if self.spec.resources:
            names += ["fields", "form", "item", "list", "table", "values"]
            names += ["delete"] if self.uses.change else []
            names += ["finder"] if self.has_finder else []
            names += ["home"] if self.home == "overview" else []
            names += ["charts"] if self.spec.charts else []
            names += ["account"] if self.spec.login else []
        return names

    @property
    def tests(self) -> list[str]:
        if not self.spec.resources:
            return ["browser", "conftest", "test_shell", *(["test_texts"] if self.spec.pages else [])]
        names = ["browser", "conftest", "examples", "steps", "test_formats", "test_items", "test_sessions"]
        more = {
            "test_lists": self.uses.arguments or self.uses.views or self.uses.csv,
            "test_shell": True,
            "test_changes": self.uses.change,
            "test_relations": self.uses.parents,
            "test_quick": self.quick,
            "test_charts": bool(self.spec.charts),
            "test_accounts": self.spec.login is not None,
            "test_texts": bool(self.spec.pages),
        }
        return names + [name for name, needed in more.items() if needed]

    @property
    def looks(self) -> list[str]:
        """The parts of the style sheet."""
        uses, types = self.uses, self.uses.types
        wanted = {
            "buttons": True,
            "hero": True,
            "prose": bool(self.spec.pages),
            "pages": bool(self.spec.resources),
            "lists": bool(self.spec.resources),
            "captions": bool(self.bare_mains),
            "facts": bool(self.spec.resources),
            "forms": bool(self.spec.resources),
            "danger": uses.change,
            "quick": self.quick,
            "finder": self.has_finder,
            "tabs": uses.views,
            "sorting": uses.sort,
            "paging": uses.paging,
            "belongings": uses.parents,
            "home": self.home == "overview",
            "charts": bool(self.spec.charts),
            "account": self.spec.login is not None,
            "switches": self.switches,
            "marks": "yes_no" in types,
            "pills": "choice" in types,
            "long_text": "long_text" in types,
        }
        return [name for name, needed in wanted.items() if needed]

    @property
    def open_endpoints(self) -> list[str]:
        """What can be seen without signing in."""
        texts = ["home" if page.slug == "index" else f"text:{page.slug}" for page in self.texts]
        return sorted({"health", "login", "register", "static", *texts})

    @property
    def wanted_in_pages(self) -> bool:
        """Whether the module of pages asks for lists itself."""
        uses = self.uses
        plain = uses.lists and (self.home == "overview" or not uses.arguments)
        return plain or (uses.parents and not uses.paging)

    @property
    def selects(self) -> str:
        """How the template of a field knows one that is chosen from a list."""
        kinds = [*(["Choice"] if "choice" in self.uses.types else []), *(["Parent"] if self.uses.parents else [])]
        if len(kinds) == 1:
            return f'entry.kind == "{kinds[0]}"'
        return 'entry.kind in ("Choice", "Parent")'

    @property
    def chart_kinds(self) -> set[FieldType]:
        """The types of the fields that tell bars apart."""
        return {self.spec.resource(chart.resource).field(chart.by).type for chart in self.spec.charts}

    def values(self) -> dict[str, Any]:
        """What templates may ask."""
        spec, uses, types = self.spec, self.uses, self.uses.types
        inputs = {name: kind for name, kind in INPUTS.items() if name in self.classes}
        figures = [kind.value for kind in COUNTABLE if kind.value in types]
        days = [class_name(kind) for kind in (FieldType.DATE, FieldType.TIME) if kind in self.chart_kinds]
        choices = FieldType.CHOICE in self.chart_kinds
        return {
            "spec": spec,
            "uses": uses,
            "types": types,
            "classes": self.classes,
            "home": self.home,
            "index": self.has_index,
            "texts": self.texts,
            "menu": self.menu,
            "quick": self.quick,
            "switches": self.switches,
            "switch_when": "resource.quick_add" + (" and not resource.append_only" if uses.append_only else ""),
            "everywhere": self.everywhere,
            "finder": self.has_finder,
            "inits": self.inits,
            "open_endpoints": self.open_endpoints,
            "wanted_here": self.wanted_in_pages,
            "places": self.places,
            "pytest_version": PYTHON_PINS["pytest"],
            "page_modules": self._page_modules(),
            "selects": self.selects,
            "inputs": "{" + ", ".join(f'"{name}": "{kind}"' for name, kind in inputs.items()) + "}" if inputs else "",
            "shorts": _tuple([name for name in SHORT if name in self.classes]),
            "figures": figures,
            "bare_mains": self.bare_mains,
            "row_classes": {"Field", *self.bare_mains, *({"LongText"} & self.classes)},
            "long_main": any(resource.main.type in LONG_TITLES for resource in spec.resources),
            "filter_options": uses.filter_parents or not types.isdisjoint({"yes_no", "choice"}),
            "finder_when": self._when("search", "sort", "filter"),
            "first_when": self._when("search", "sort"),
            "charts": tuple((chart.resource, chart.by, chart.total) for chart in spec.charts),
            "chart_days": days,
            "chart_choices": choices,
            "chart_classes": sorted([*days, *(["Choice"] if choices else []), "Field"]),
            "format_classes": {"Field", *({"Date", "Money", "Number", "Integer", "YesNo"} & self.classes)},
            "form_classes": {"Field", *({"Choice", "Money", "Number", "YesNo"} & self.classes)},
            "finder_classes": {"LongText", "YesNo"} & self.classes,
            "finder_forms": self._finder_forms(),
        }

    def _page_modules(self) -> list[str]:
        used = {"csv_files": self.uses.csv, "forms": self.quick, "lists": self.uses.arguments, "store": True}
        return [name for name, needed in used.items() if needed]

    def for_tests(self) -> dict[str, Any]:
        """What the templates of tests may ask besides."""
        spec, uses = self.spec, self.uses
        steps = {
            "Maker": uses.views or uses.csv,
            "add": uses.filter or uses.sort,
            "add_all": uses.arguments or uses.csv,
            "form": uses.paging or uses.views or uses.csv,
            "kept": uses.paging,
            "spelled_out": uses.views,
        }
        lists = [f"/{resource.path}" for resource in spec.resources]
        formats = format_trials(uses.types) if spec.resources else []
        return {
            "trials": trials(spec),
            "menu_paths": [(self.path_of(endpoint), words) for endpoint, words in self.menu],
            "static_files": [
                f"/static/{name}" for name in ("favicon.svg", "style.css", *(("theme.js",) if spec.dark_mode else ()))
            ],
            "text_paths": {
                "/" if page.slug == "index" else f"/{page.slug}": (
                    page.title,
                    [section.heading for section in page.sections],
                )
                for page in self.texts
            },
            "list_paths": lists,
            "list_steps": [name for name, used in steps.items() if used],
            "list_browser": {
                "Browser",
                *(["flat"] if uses.search or uses.views else []),
            },
            "list_examples": {
                "Example",
                "having",
                "path_of",
                *(["EXAMPLES"] if uses.arguments or (uses.csv and not self.everywhere["csv"]) else []),
            },
            "chart_tests": chart_trials(spec),
            "chart_orders": chart_orders(self.chart_kinds),
            "chart_test_classes": {"Field", *(class_name(kind) for kind in self.chart_kinds)},
            "format_tests": formats,
            "format_test_classes": {"Field", *(kind for kind, _, _ in formats)},
        }

    def path_of(self, endpoint: str) -> str:
        """The address of a place in the menu."""
        paths = {f"{resource.name}_list": resource.path for resource in self.spec.resources}
        paths |= {f"text:{page.slug}": page.slug for page in self.texts}
        return "/" + {**paths, "home": "", "charts": "charts"}[endpoint]

    @property
    def places(self) -> list[tuple[str, str]]:
        """Addresses for the README, with what is there."""
        found = [("/", "the first page")]
        for resource in self.spec.resources:
            found.append((f"/{resource.path}", resource.plural_label))
            found += [(f"/{resource.path}/{view.slug}", view.title) for view in resource.views]
            found += [(f"/{resource.path}.csv", f"{resource.plural_label} as a file")] if resource.csv else []
        found += [("/charts", "Charts")] if self.spec.charts else []
        return found + [(f"/{page.slug}", page.title) for page in self.texts if page.slug != "index"]

    def _finder_forms(self) -> list[str]:
        names = {"Entry": True, "choices": "choice" in self.uses.types, "choices_of": self.uses.filter_parents}
        return [name for name, used in names.items() if used]

    def _when(self, *features: str) -> str:
        """How a template knows a resource with one of these features; nothing if all have one."""
        if any(self.everywhere[name] for name in features):
            return ""
        words = {"search": "resource.searched", "sort": "resource.sort", "filter": "resource.filter"}
        return " or ".join(words[name] for name in features if getattr(self.uses, name))


def _tuple(names: list[str]) -> str:
    """A tuple of texts as Jinja reads it; nothing for none."""
    if not names:
        return ""
    return "(" + ", ".join(f'"{name}"' for name in names) + ("," if len(names) == 1 else "") + ")"
