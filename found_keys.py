"""Recognises files that hold a key or a password, so that they stay out of commits."""

import re
from collections.abc import Collection

ENVIRONMENT_FILE = re.compile(r"\.env(?:rc|~|[._-](?!(?:example|sample|template|dist)$).+)?", re.IGNORECASE)
KEY_FILES = frozenset({"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".netrc", ".pypirc", ".git-credentials"})
KEY_STORES = (".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk")
PRIVATE_SETTINGS = "settings that are meant to stay private"
KEYS: tuple[tuple[str, bytes, re.Pattern[bytes]], ...] = (
    # What it is, how it begins, and what follows.
    ("a private key", b"-----BEGIN ", re.compile(rb"(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")),
    ("an AWS key", b"AKIA", re.compile(rb"[0-9A-Z]{16}\b")),
    ("an AWS key", b"ASIA", re.compile(rb"[0-9A-Z]{16}\b")),
    ("a GitHub token", b"ghp_", re.compile(rb"[A-Za-z0-9]{36,}")),
    ("a GitHub token", b"gho_", re.compile(rb"[A-Za-z0-9]{36,}")),
    ("a GitHub token", b"ghu_", re.compile(rb"[A-Za-z0-9]{36,}")),
    ("a GitHub token", b"ghs_", re.compile(rb"[A-Za-z0-9]{36,}")),
    ("a GitHub token", b"ghr_", re.compile(rb"[A-Za-z0-9]{36,}")),
    ("a GitHub token", b"github_pat_", re.compile(rb"\w{22,}")),
    *(
        ("a Vercel token", start, re.compile(rb"[A-Za-z0-9]{20,}"))
        for start in (b"vcp_", b"vci_", b"vca_", b"vcr_", b"vck_")
    ),
    *(
        ("a Netlify token", start, re.compile(rb"[A-Za-z0-9]{30,}"))
        for start in (b"nfp_", b"nfc_", b"nfo_", b"nfu_", b"nfb_")
    ),
    ("a Render key", b"rnd_", re.compile(rb"[A-Za-z0-9]{20,}")),
    ("a GitLab token", b"glpat-", re.compile(rb"[\w-]{20,}")),
    ("an API key", b"sk-", re.compile(rb"(?=[\w-]*\d)[\w-]{20,}")),
    ("a payment key", b"sk_live_", re.compile(rb"[A-Za-z0-9]{16,}")),
    ("a payment key", b"rk_live_", re.compile(rb"[A-Za-z0-9]{16,}")),
    ("a Slack token", b"xox", re.compile(rb"[abeprs]-[\w-]{10,}")),
    ("a Google key", b"AIza", re.compile(rb"[\w-]{35}")),
    ("a Google sign-in", b"GOCSPX-", re.compile(rb"[\w-]{24,}")),
    ("a Google sign-in", b"1//0", re.compile(rb"[\w-]{40,}")),
    ("a package registry token", b"npm_", re.compile(rb"[A-Za-z0-9]{36}")),
    ("a package registry token", b"pypi-AgE", re.compile(rb"[\w-]{50,}")),
    ("a Hugging Face token", b"hf_", re.compile(rb"[A-Za-z0-9]{30,}")),
    ("a mail service key", b"SG.", re.compile(rb"[\w-]{16,}\.[\w-]{16,}")),
)
LONGEST_SEARCH = 4 << 20


def key_by_name(path: str) -> str | None:
    """What kind of secret a file of that name holds, whatever is in it."""
    name = path.rpartition("/")[2]
    if ENVIRONMENT_FILE.fullmatch(name):
        return PRIVATE_SETTINGS
    return "a private key" if name in KEY_FILES or name.lower().endswith(KEY_STORES) else None


def keys_in(data: bytes, *, only: Collection[str] | None = None, longest: int = LONGEST_SEARCH) -> dict[bytes, str]:
    """The keys found in the first so many bytes, each with what it is; with `only`, no others than these."""
    data = data[:longest]
    found: dict[bytes, str] = {}
    for kind, beginning, rest in KEYS:
        if only is not None and kind not in only:
            continue
        # Searching for plain bytes first is a hundred times faster than any pattern.
        at = data.find(beginning)
        while at != -1:
            end = at + len(beginning)
            if not _in_a_word(data, at) and (match := rest.match(data, end)):
                found[data[at : match.end()]] = kind
            at = data.find(beginning, end)
    return found


def _in_a_word(data: bytes, at: int) -> bool:
    before = data[at - 1 : at]
    return before.isalnum() or before == b"_"
