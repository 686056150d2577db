"""Text as git sees it: line endings by `.gitattributes`, and merging of two changes to one text."""

from dataclasses import dataclass

import pygit2
from pygit2.enums import FileMode, FilterMode

from repositories.objects import PLAIN, Objects


class TextForms:
    """Turns a file's bytes into what git stores and back. Only git's built-in conversions; no program is run."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._repo = objects.repo

    def needs_program(self, path: str) -> str | None:
        """The name of the conversion that `.gitattributes` asks for and that is not done here."""
        encoding = self._repo.get_attr(path, "working-tree-encoding")
        if isinstance(encoding, str) and encoding.lower() not in {"utf-8", "utf8"}:
            return encoding
        driver = self._repo.get_attr(path, "filter")
        if not isinstance(driver, str):
            return None
        config = self._repo.config
        return driver if any(f"filter.{driver}.{how}" in config for how in ("clean", "process")) else None

    def stored(self, path: str, oid: bytes) -> bytes:
        """The blob that git stores for a file with the content of this blob."""
        return self._converted(path, oid, FilterMode.TO_ODB)

    def checked_out(self, path: str, oid: bytes) -> bytes:
        """The blob with the content that a file has when git checks this blob out."""
        return self._converted(path, oid, FilterMode.TO_WORKTREE)

    def _converted(self, path: str, oid: bytes, mode: FilterMode) -> bytes:
        filters = self._repo.load_filter_list(path, mode)
        if filters is None:
            return oid
        data = self._objects.blob(oid)
        if not data or b"\0" in data:
            # The binding ends text at the first zero byte, and git converts no file with one unless told to.
            told = mode == FilterMode.TO_ODB and self._is_text_by_decree(path)
            return self._objects.write_blob(data.replace(b"\r\n", b"\n")) if told else oid
        return self._objects.write_blob(filters.apply_to_buffer(data))

    def _is_text_by_decree(self, path: str) -> bool:
        """Whether git takes the file for text without looking into it."""
        text = self._repo.get_attr(path, "text")
        if text is None:
            text = self._repo.get_attr(path, "crlf")
        if text is None:
            return isinstance(self._repo.get_attr(path, "eol"), str)
        return text is True or text == "input"


def merge_text(objects: Objects, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """The blob with both changes to the base; None if they touch the same lines or it is not text."""
    if theirs in {base, ours}:
        return ours
    if base == ours:
        return theirs
    contents = [objects.blob(oid) for oid in (base, ours, theirs)]
    if any(b"\0" in content for content in contents):
        return None
    encoding = "utf-8" if all(_is_utf8(content) for content in contents) else "latin-1"
    old, mine, other = (_as_entry(objects, content.decode(encoding)) for content in contents)
    merged = objects.repo.merge_file_from_index(old, mine, other)
    return objects.write_blob(merged.contents.encode(encoding)) if merged.automergeable else None


@dataclass(frozen=True, slots=True)
class Merged:
    """Both changes to one text; where they touch the same lines it is not clean, and both stand there marked."""

    text: str
    clean: bool


def merge_three(objects: Objects, base: str, ours: str, theirs: str) -> Merged:
    """The text with what `ours` and `theirs` each changed of the base; the marks of both name them for their owner."""
    if theirs in {base, ours} or base == ours:
        return Merged(ours if theirs in {base, ours} else theirs, clean=True)
    old, mine, other = (
        _as_entry(objects, text, name) for text, name in ((base, "before"), (ours, "yours"), (theirs, "new"))
    )
    merged = objects.repo.merge_file_from_index(old, mine, other)
    return Merged(merged.contents, merged.automergeable)


def _as_entry(objects: Objects, text: str, name: str = "text") -> pygit2.IndexEntry:
    return pygit2.IndexEntry(name, pygit2.Oid(raw=objects.write_blob(text.encode())), FileMode(PLAIN))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def text_diff(path: str, old: bytes, new: bytes) -> str:
    """The change of one file as a unified diff; a line in words if it is not text."""
    patch = pygit2.Patch.create_from(old, new, old_as_path=path, new_as_path=path)
    if patch.delta.is_binary:
        return f"{path}: not a text file\n"
    return patch.data.decode("utf-8", "replace")
