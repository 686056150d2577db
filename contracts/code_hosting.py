"""Repositories, pull requests and issues as a code host knows them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Repository:
    slug: str
    """Owner and name, such as `someone/notes`."""
    address: str
    """Where git finds it; without a password."""
    page: str
    """Where people find it."""
    private: bool
    default_branch: str
    owner: str
    may_push: bool
    new: bool = False
    """Whether it was made just now."""


@dataclass(frozen=True, slots=True)
class PullRequest:
    number: int
    title: str
    page: str
    branch: str
    base: str
    new: bool = False
    """Whether it was opened just now; else it was there already."""


@dataclass(frozen=True, slots=True)
class Issue:
    """Its words were written by whoever opened it."""

    number: int
    title: str
    state: str
    author: str
    created: str
    page: str
    body: str = ""
    labels: tuple[str, ...] = ()
    comments: int = 0
