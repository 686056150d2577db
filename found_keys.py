"""Recognises files that hold a key or a password, so that they stay out of commits."""

import re

ENVIRONMENT_FILE = re.compile(r"\.env(?:\.(?!example$|sample$|template$|dist$).+)?", re.IGNORECASE)
KEY_FILES = frozenset({"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".netrc", ".pypirc", ".git-credentials"})
KEYS: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    ("a private key", re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")),
    ("an AWS key", re.compile(rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("a GitHub token", re.compile(rb"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})")),
    ("a GitLab token", re.compile(rb"\bglpat-[\w-]{20,}")),
    ("an API key", re.compile(rb"\bsk-(?=[\w-]*\d)[\w-]{20,}")),
    ("a payment key", re.compile(rb"\b[sr]k_live_[A-Za-z0-9]{16,}")),
    ("a Slack token", re.compile(rb"\bxox[abeprs]-[\w-]{10,}")),
    ("a Google key", re.compile(rb"\bAIza[\w-]{35}")),
    ("a package registry token", re.compile(rb"\b(?:npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{50,})")),
    ("a Hugging Face token", re.compile(rb"\bhf_[A-Za-z0-9]{30,}")),
    ("a mail service key", re.compile(rb"\bSG\.[\w-]{16,}\.[\w-]{16,}")),
)
LONGEST_SEARCH = 4 << 20


def key_by_name(path: str) -> str | None:
    """What kind of secret a file of that name holds, whatever is in it."""
    name = path.rpartition("/")[2]
    if ENVIRONMENT_FILE.fullmatch(name):
        return "settings that are meant to stay private"
    return "a private key" if name in KEY_FILES else None


def keys_in(data: bytes) -> dict[bytes, str]:
    """The keys found in some content, each with what it is."""
    data = data[:LONGEST_SEARCH]
    return {match[0]: kind for kind, pattern in KEYS for match in pattern.finditer(data)}
