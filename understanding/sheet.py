"""The text as a sheet on which what was understood is crossed out, so that nothing is read twice."""

import re

from understanding.text import KIND, lower


class Sheet:
    """Both forms are changed alike: a place in `low` is the same place in `text`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.low = lower(text)

    def sees(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        return pattern.search(self.low)

    def take(self, pattern: re.Pattern[str], *, leave: str = "") -> re.Match[str] | None:
        """The first match, crossed out."""
        found = pattern.search(self.low)
        if found:
            self.cross_out(found.start(), found.end(), leave)
        return found

    def take_all(self, pattern: re.Pattern[str], *, leave: str = "") -> list[re.Match[str]]:
        found = list(pattern.finditer(self.low))
        for match in reversed(found):
            self.cross_out(match.start(), match.end(), leave)
        return found

    def add(self, words: str) -> None:
        """At the end, as if it had been said."""
        self.text += words
        self.low += lower(words)

    def cross_out(self, start: int, end: int, leave: str = "") -> None:
        """Places before `start` stay what they were."""
        filling = f" {leave} "
        self.low = self.low[:start] + filling + self.low[end:]
        self.text = self.text[:start] + filling + self.text[end:]

    def blank(self, start: int, end: int) -> None:
        """Crosses out so that no place changes at all."""
        filling = ",".ljust(end - start)
        self.low = self.low[:start] + filling + self.low[end:]
        self.text = self.text[:start] + filling + self.text[end:]

    def take_kind(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """A word for the app itself leaves a mark, because what stands beside it says what the app is about."""
        return self.take_all(pattern, leave=KIND)
