"""Nouns, plurals, slips of the pen, other languages, and names that are safe."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.app_spec import TAKEN_PATHS, is_free_name
from understanding.english import is_plural, plural, singular, with_article
from understanding.languages import code_language, foreign_language, is_gibberish
from understanding.names import name_field, name_project, name_thing
from understanding.nouns import find_noun
from understanding.phrases import unify
from understanding.resources import read_notation
from understanding.spelling import meant, mend
from understanding.text import clean, lower, sentences, slug, snake
from understanding.things import places, things


@pytest.mark.parametrize(
    ("said", "meant_by_it"),
    [
        ("can u do me a thing where we list books pls", "can you make me an app where we list books please"),
        ("smth 4 our club w members", "something for our club with members"),
        ("artist + title", "artist, title"),
        ("condition(new, used) of the item(s)", "condition (new, used) of the item(s)"),
        ("who owes me money", "debts"),
        ("upload pictures", "upload pictures"),
        ("c++", "c++"),
        ("<b>pets</b> with name", " pets  with name"),
        ("hours, billable or not", "hours, billable (yes/no)"),
        ("whether it was paid or not", "whether it was paid or not"),
        ("who did which chore and when", "chore list with title, person and date"),
        ("an app with five fields", "an app "),
        ("books with 3 fields: title, author, year", "books with 3 fields: title, author, year"),
        ("task board with columns title and due date", "task board with columns title and due date"),
    ],
)
def test_hurried_words_are_written_out(said: str, meant_by_it: str) -> None:
    assert unify(said) == meant_by_it


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("book", "books"),
        ("city", "cities"),
        ("person", "people"),
        ("child", "children"),
        ("class", "classes"),
        ("bus", "buses"),
        ("box", "boxes"),
        ("shelf", "shelves"),
        ("expense", "expenses"),
        ("movie", "movies"),
        ("match", "matches"),
        ("series", "series"),
        ("status", "statuses"),
        ("potato", "potatoes"),
        ("shoe", "shoes"),
        ("blog post", "blog posts"),
        ("shopping list item", "shopping list items"),
        ("day", "days"),
        ("quiz", "quizzes"),
        ("analysis", "analyses"),
        ("tooth", "teeth"),
        ("equipment", "equipment"),
    ],
)
def test_one_and_many(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one
    assert singular(one) == one


@pytest.mark.parametrize("word", ["chess", "address", "bus", "homework", "news", "class", "gas", "this"])
def test_some_words_only_look_like_several(word: str) -> None:
    assert not is_plural(word)


def test_every_usual_thing_has_a_name_and_fields_that_can_be_read() -> None:
    known = {thing.name: thing for thing in things().values()}
    assert len(known) >= 60
    for name, thing in known.items():
        noun = find_noun(name)
        assert noun is not None, name
        assert [read_notation(part) for part in thing.fields]
        assert name_thing(name).name != name_thing(name).plural


@given(noun=st.text(max_size=60))
def test_every_thing_gets_names_that_mean_nothing_else(noun: str) -> None:
    named = name_thing(noun)
    for name in (named.name, named.plural):
        assert is_free_name(name)
        assert name not in TAKEN_PATHS
    assert named.name != named.plural
    assert named.label and named.plural_label


@given(words=st.text(max_size=60), taken=st.sets(st.sampled_from(["title", "title_2", "book_id", "detail"])))
def test_every_field_gets_a_name_of_its_own(words: str, taken: set[str]) -> None:
    name = name_field(words, "book", taken)
    assert is_free_name(name)
    assert name not in taken | {"id", "created_at", "owner_id", "q", "sort", "page"}


@pytest.mark.parametrize(
    ("words", "name"),
    [("type", "pet_type"), ("class", "pet_class"), ("order", "pet_order"), ("Name", "name"), ("Größe", "grosse")],
)
def test_words_that_mean_something_elsewhere_get_the_name_of_their_thing(words: str, name: str) -> None:
    assert name_field(words, "pet", ()) == name


def test_a_project_name_is_free_whatever_the_case() -> None:
    assert name_project("BookShelf", []) == "book-shelf"
    assert name_project("Books API", ["BOOKS-API", "books-api-2"]) == "books-api-3"
    assert name_project("con", []) == "con-app"
    assert name_project("🙂", []) == "app"


@pytest.mark.parametrize(
    ("words", "noun"),
    [
        ("all our wedding guests", "guest"),
        ("rehearsal room booking", "booking"),
        ("my chess club members", "member"),
        ("llama sightings", "llama sighting"),
        ("i watered my plants", "plant"),
        ("birds", "bird"),
        ("a movie watchlist", "movie"),
        ("shopping list", "shopping item"),
        ("guestbook", "entry"),
    ],
)
def test_the_thing_that_words_are_about(words: str, noun: str) -> None:
    found = find_noun(words)
    assert found is not None
    assert found.words == noun


def test_a_place_says_what_is_likely_kept_there() -> None:
    found = find_noun("our small shop")
    assert found is not None
    assert (found.place, places()["street"]) == ("product", "")


@pytest.mark.parametrize(
    ("slip", "word"),
    [
        ("expence", "expense"),
        ("studnets", "students"),
        ("serach", "search"),
        ("recipies", "recipes"),
        ("libary", "library"),
    ],
)
def test_slips_are_put_right(slip: str, word: str) -> None:
    assert meant(slip) == word


@pytest.mark.parametrize("word", ["boots", "planes", "carts", "lending", "llama", "scored", "books", "xy", "converts"])
def test_a_word_that_may_be_one_stays(word: str) -> None:
    assert meant(word) is None


def test_what_was_read_for_what_is_said_and_names_stay() -> None:
    text, told = mend("an expence app called Expence Buddy")
    assert text == "an expense app called Expence Buddy"
    assert told == ("I read “expence” as “expense”",)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wir brauchen eine Seite für unseren Verein", "German"),
        ("Necesito una página para mi tienda", "Spanish"),
        ("Je voudrais un site pour mon restaurant", "French"),
        ("maak een app voor mijn boeken", "Dutch"),
        ("做一个应用", "Chinese or Japanese"),
        ("a page for the menu of my cafe", None),
        ("la carte menu for my cafe", None),
        ("die hard movie list", None),
        ("Build a todo API", None),
    ],
)
def test_other_languages_are_told_from_english(text: str, language: str | None) -> None:
    assert foreign_language(text) == language


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("SELECT * FROM a", "SQL"),
        ("books with name'; DROP TABLE users;-- and year", "SQL"),
        ("<div>x</div>", "HTML"),
        ("def f(): pass", "code"),
        ("sudo rm -rf /", "a shell command"),
        ('{"a": 1}', "JSON"),
        ("select the best photos for my page", None),
        ("import my contacts into an app", None),
        ("app for books (title, author); members (name)", None),
    ],
)
def test_code_is_told_from_sentences(text: str, what: str | None) -> None:
    assert code_language(text) == what


def test_keys_beside_each_other_are_no_words() -> None:
    assert is_gibberish("asdf qwer zxcv")
    assert not is_gibberish("axolotl sightings")


def test_one_lower_case_has_the_length_of_the_other() -> None:
    assert len(lower("İstanbul ẞ")) == len("İstanbul ẞ")


def test_lists_stay_with_the_line_that_they_explain() -> None:
    assert sentences(clean("Volunteers:\n* name\n* email\nThanks!")) == ["Volunteers:\n- name\n- email", "Thanks"]
    assert clean("a\u200bb\x00c “x”") == 'a b c "x"'


def test_names_from_words() -> None:
    assert (snake("Due date"), slug("BookShelf"), snake("TODO"), snake("123 go"), snake("!!")) == (
        *("due_date", "book-shelf", "todo", "go"),
        "",
    )
    assert (with_article("order"), with_article("unit"), with_article("hour")) == ("an order", "a unit", "an hour")
