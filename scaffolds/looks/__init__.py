"""How pages look: the style sheet, the theme button and the sign of an app, the same for sites and web apps."""

from html import escape
from pathlib import Path
from zlib import crc32

from contracts.app_spec import AppSpec

TONES = {
    "ground": ("#f8f8f9", "#101014"),
    "surface": ("#ffffff", "#18181d"),
    "raised": ("#f1f1f4", "#232329"),
    "line": ("#e3e3e8", "#2e2e36"),
    "line-strong": ("#8c8c99", "#72727f"),
    "ink": ("#17171c", "#eeeef2"),
    "ink-soft": ("#5a5a66", "#a6a6b3"),
    "bad": ("#b42318", "#ff9d92"),
    "bad-soft": ("#fef3f2", "#34191a"),
}
"""One neutral scale and the colour of mistakes; each name with its light and its dark value."""
ACCENTS = (
    ("#4f46e5", "#4338ca", "#aaa6ff", "#c4c1ff"),
    ("#0f766e", "#115e59", "#5fd0c3", "#8de3d9"),
    ("#1d5fd6", "#1a4fb3", "#8ab8ff", "#b0d0ff"),
    ("#7c3aed", "#6d28d9", "#c3a6ff", "#d6c3ff"),
    ("#b8175b", "#97134b", "#ff9dc3", "#ffbfd8"),
    ("#137a3c", "#116432", "#7dd99a", "#a5e8ba"),
    ("#b0450f", "#91390d", "#ffb083", "#ffcaab"),
)
"""Light and its stronger shade, dark and its stronger shade; each can be read on the ground and as a ground."""
PARTS = Path(__file__).parent / "parts"


def style(spec: AppSpec, *parts: str) -> str:
    """The style sheet of an app, with no more than the parts that its pages need."""
    names = ("base", "shell", *(("theme",) if spec.dark_mode else ()), *parts)
    return "\n".join((_colours(spec), *(part(f"{name}.css") for name in names)))


def part(name: str) -> str:
    return (PARTS / name).read_text("utf-8")


def theme_script() -> str:
    return part("theme.js")


def theme_button(indent: int) -> str:
    """Hidden until the script that makes it work is there."""
    return "".join(" " * indent + line for line in part("theme_button.html").splitlines(keepends=True))


def favicon(spec: AppSpec) -> str:
    """The first letter of the title on the accent; a ring if the title begins with something else."""
    colour = accent(spec)[0]
    letter = next((letter for letter in spec.title if letter.isalnum()), "")
    if letter.isascii() and letter:
        sign = (
            '<text x="32" y="45" fill="#ffffff" font-family="system-ui, sans-serif" font-size="36" '
            f'font-weight="700" text-anchor="middle">{escape(letter.upper())}</text>'
        )
    else:
        sign = '<circle cx="32" cy="32" r="14" fill="none" stroke="#ffffff" stroke-width="8"/>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">\n'
        f'  <rect width="64" height="64" rx="16" fill="{colour}"/>\n'
        f"  {sign}\n"
        "</svg>\n"
    )


def accent(spec: AppSpec) -> tuple[str, str, str, str]:
    """Each app has one of its own, by its name."""
    return ACCENTS[crc32(spec.name.encode()) % len(ACCENTS)]


def _colours(spec: AppSpec) -> str:
    light, light_strong, dark, dark_strong = accent(spec)
    tones = TONES | {
        "accent": (light, dark),
        "accent-strong": (light_strong, dark_strong),
        "accent-ink": (light_strong, dark),
        "on-accent": ("#ffffff", "#101014"),
    }
    lines = [f"  --{name}: {_tone(pair, spec.dark_mode)};" for name, pair in tones.items()]
    lines += [
        "  --accent-soft: color-mix(in srgb, var(--accent) 11%, var(--surface));",
        "  --focus: var(--accent);",
    ]
    scheme = "light dark" if spec.dark_mode else "light"
    text = ":root {\n" + f"  color-scheme: {scheme};\n\n" + "\n".join(lines) + "\n}\n"
    for theme in ("light", "dark") if spec.dark_mode else ():
        text += f'\n:root[data-theme="{theme}"] {{\n  color-scheme: {theme};\n}}\n'
    return text


def _tone(pair: tuple[str, str], both: bool) -> str:
    return f"light-dark({pair[0]}, {pair[1]})" if both else pair[0]
