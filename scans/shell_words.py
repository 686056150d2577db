"""Reads a shell command as the shell would: what is run with which words, through quotes, variables and nesting."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter
import tree_sitter_bash

MAX_BYTES = 100_000
MAX_DEPTH = 8
HOME = "~"
UNKNOWN = "\0"
"""Stands in a word for what only the running shell would know."""

SUBSTITUTIONS = ("command_substitution", "process_substitution")
DEFINITIONS = ("function_definition",)


@dataclass(frozen=True, slots=True)
class Simple:
    """One program with its words, after quotes and known variables; a word may hold UNKNOWN."""

    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    """Where its output is redirected to."""
    reads_from: tuple["Simple", ...] = ()
    """What is piped or substituted into it, the whole chain."""

    @property
    def program(self) -> str:
        return self.words[0].rpartition("/")[2] if self.words else ""


@dataclass(slots=True)
class Script:
    """A parsed script: its commands in order, and what it defines."""

    commands: list[Simple] = field(default_factory=list)
    recursive: bool = False
    """Whether a function calls itself: with a pipe or in the background, that is a fork bomb."""
    broken: bool = False
    """Whether part of it could not be understood."""


def read(text: str, *, depth: int = 0) -> Script:
    """Understand a script. What cannot be understood is marked, never skipped."""
    script = Script()
    data = text.encode("utf-8", "surrogateescape")
    if len(data) > MAX_BYTES or depth > MAX_DEPTH:
        script.broken = True
        return script
    tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language())).parse(data)
    script.broken = tree.root_node.has_error
    try:
        _Reader(script, data, depth).visit(tree.root_node)
    except RecursionError:
        script.broken = True
    return script


class _Reader:
    def __init__(self, script: Script, data: bytes, depth: int) -> None:
        self._script = script
        self._data = data
        self._depth = depth
        self._variables = {"HOME": HOME, "PWD": ".", "OLDPWD": UNKNOWN, "IFS": " "}
        self._aliases: dict[str, str] = {}
        self._functions: set[str] = set()

    def visit(self, node: tree_sitter.Node) -> tuple[Simple, ...]:
        """The simple commands of a node, recorded in order; gives those whose output it has."""
        match node.type:
            case "command":
                return self._command(node)
            case "pipeline":
                return self._pipeline(node)
            case "redirected_statement":
                return self._redirected(node)
            case "variable_assignment":
                self._assign(node)
                return self._inside(node)
            case "function_definition":
                return self._define(node)
        return tuple(found for child in node.named_children for found in self.visit(child))

    def _inside(self, node: tree_sitter.Node) -> tuple[Simple, ...]:
        """Commands in substitutions anywhere below."""
        found: list[Simple] = []
        for child in node.named_children:
            if child.type in SUBSTITUTIONS:
                found += (simple for inner in child.named_children for simple in self.visit(inner))
            else:
                found += self._inside(child)
        return tuple(found)

    def _command(self, node: tree_sitter.Node) -> tuple[Simple, ...]:
        sources = self._inside(node)
        words: list[str] = []
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._assign(child)
            elif child.type == "command_name":
                words += [self._word(inner) for inner in child.named_children]
            elif not child.type.endswith("redirect"):
                words.append(self._word(child))
        writes = [self._target(child) for child in node.named_children if child.type == "file_redirect"]
        recorded = self._record(Simple(tuple(words), tuple(writes), sources))
        for child in node.named_children:
            if child.type == "herestring_redirect":
                self._feed_text(" ".join(self._word(inner) for inner in child.named_children), recorded)
        return recorded

    def _record(self, simple: Simple) -> tuple[Simple, ...]:
        words = simple.words
        if words and words[0] == "alias":
            for word in words[1:]:
                name, _, value = word.partition("=")
                self._aliases[name] = value
        if words and words[0] in self._functions:
            self._script.recursive = self._script.recursive or self._defining == words[0]
        if words and words[0] in self._aliases:
            line = " ".join([self._aliases[words[0]], *words[1:]])
            inner = read(line, depth=self._depth + 1)
            self._script.commands += inner.commands
            return tuple(inner.commands)
        self._script.commands.append(simple)
        return (simple,)

    _defining: str | None = None

    def _define(self, node: tree_sitter.Node) -> tuple[Simple, ...]:
        name = node.child_by_field_name("name")
        before, self._defining = self._defining, self._text(name) if name else None
        if self._defining:
            self._functions.add(self._defining)
        body = node.child_by_field_name("body")
        found = self.visit(body) if body else ()
        self._defining = before
        return found

    def _pipeline(self, node: tree_sitter.Node) -> tuple[Simple, ...]:
        flowing: tuple[Simple, ...] = ()
        for child in node.named_children:
            at = len(self._script.commands)
            outputs = self.visit(child)
            if flowing:
                fed = [
                    Simple(c.words, c.writes, (*flowing, *c.reads_from)) if c in outputs else c
                    for c in self._script.commands[at:]
                ]
                self._script.commands[at:] = fed
                outputs = tuple(fed)
            flowing = (*flowing, *outputs)
        return flowing

    def _redirected(self, node: tree_sitter.Node) -> tuple[Simple, ...]:
        body = node.child_by_field_name("body")
        at = len(self._script.commands)
        outputs = self.visit(body) if body else ()
        targets = tuple(self._target(c) for c in node.named_children if c.type == "file_redirect")
        self._script.commands[at:] = [
            Simple(c.words, (*c.writes, *targets), c.reads_from) for c in self._script.commands[at:]
        ]
        outputs = tuple(self._script.commands[at:])
        for child in node.named_children:
            if child.type == "heredoc_redirect":
                outputs = self._heredoc(child, outputs)
            elif child.type == "herestring_redirect":
                self._feed_text(" ".join(self._word(inner) for inner in child.named_children), outputs)
        return outputs

    def _heredoc(self, node: tree_sitter.Node, outputs: tuple[Simple, ...]) -> tuple[Simple, ...]:
        bodies = [self._text(child) for child in node.named_children if child.type == "heredoc_body"]
        piped: tuple[Simple, ...] = ()
        for child in node.named_children:
            if child.type in {"pipeline", "command"}:
                piped = (*piped, *self.visit(child))
        for body in bodies:
            self._feed_text(body, (*outputs, *piped))
        return piped or outputs

    def _feed_text(self, text: str, readers: tuple[Simple, ...]) -> None:
        """Text that goes into a shell is a script of its own."""
        if any(reader.program in SHELLS for reader in readers):
            inner = read(text, depth=self._depth + 1)
            self._script.commands += inner.commands
            self._script.broken = self._script.broken or inner.broken

    def _assign(self, node: tree_sitter.Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            self._variables[self._text(name)] = self._word(value) if value else ""

    def _target(self, node: tree_sitter.Node) -> str:
        destination = node.child_by_field_name("destination")
        return self._word(destination) if destination else UNKNOWN

    def _word(self, node: tree_sitter.Node) -> str:
        text = self._text(node)
        match node.type:
            case "word" | "number" | "string_content":
                known = _unescaped(text)
            case "raw_string":
                known = text[1:-1]
            case "ansi_c_string":
                known = _ansi(text[2:-1])
            case "string" | "concatenation" | "command_name":
                known = "".join(self._pieces(node))
            case "simple_expansion" | "expansion":
                known = self._expanded(node)
            case _:
                known = UNKNOWN
        return known

    def _pieces(self, node: tree_sitter.Node) -> Iterator[str]:
        for child in node.named_children:
            yield self._word(child)

    def _expanded(self, node: tree_sitter.Node) -> str:
        names = [child for child in node.named_children if child.type == "variable_name"]
        plain = len(node.named_children) == 1 and self._text(node).strip("${}") == (
            self._text(names[0]) if names else ""
        )
        return self._variables.get(self._text(names[0]), UNKNOWN) if names and plain else UNKNOWN

    def _text(self, node: tree_sitter.Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")


SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "source", "."})


def _unescaped(text: str) -> str:
    """A bare word with its backslashes taken as the shell takes them."""
    out, skip = [], False
    for character in text:
        if character == "\\" and not skip:
            skip = True
            continue
        out.append(character if not (skip and character == "\n") else "")
        skip = False
    return "".join(out)


def _ansi(text: str) -> str:
    try:
        return text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    except UnicodeDecodeError:
        return UNKNOWN
