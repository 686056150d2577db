"""How a project's app is run, found from its files alone."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import AppError, InvalidParams, NotFound
from previews import Found, detect
from project_files import Workspace

FLASK = "from flask import Flask\n{}\n@app.get('/')\ndef home(): return 'hi'\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


def look(project: Path, **files: str) -> Found:
    for name, text in files.items():
        path = project / name.replace("__", "/").replace("_", ".", 1)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return detect(Workspace(project.parent).draft("shop"))


def flask_run(app: str) -> tuple[str, ...]:
    return ("python3", "-m", "flask", "--app", app, "run", "--host", "127.0.0.1", "--port", "8000")


@pytest.mark.parametrize(
    ("made", "name"),
    [
        ("app = Flask(__name__)", "app"),
        ("import flask\napplication: flask.Flask = flask.Flask(__name__)", "application"),
        ("api = app = Flask(__name__)", "app"),
        ("site = Flask('site')", "site"),
        ("def create_app(config=None):\n    return Flask(__name__)", "create_app"),
        ("def create_app():\n    return Flask(__name__)\napp = create_app()", "app"),
        ("from flask_openapi3 import OpenAPI\napp = OpenAPI(__name__)", "app"),
    ],
)
@pytest.mark.parametrize("file", ["app_py", "main_py", "wsgi_py", "server_py"])
def test_a_flask_app_is_found_without_running_it(project: Path, file: str, made: str, name: str) -> None:
    found = look(project, **{file: f"raise SystemExit\n{FLASK.format(made)}"})
    assert found.argv == flask_run(f"{file[:-3]}:{name}")
    assert found.port == 8000
    assert f"`{name}`" in found.words


def test_a_factory_that_needs_arguments_is_no_app(project: Path) -> None:
    with pytest.raises(NotFound):
        look(project, app_py="from flask import Flask\ndef create_app(config):\n    return Flask(__name__)")


def test_the_procfile_comes_first(project: Path) -> None:
    found = look(
        project,
        Procfile="release: ./migrate\nweb:  gunicorn app:app --bind 0.0.0.0:$PORT && true \n",
        app_py=FLASK.format("app = Flask(__name__)"),
    )
    assert found.argv == ("/bin/sh", "-c", "gunicorn app:app --bind 0.0.0.0:$PORT && true")
    assert found.port == 8000


@pytest.mark.parametrize("line", ["serve --port 3000", "serve --port=3000", "serve -p 3000", "PORT=3000 serve"])
def test_a_port_that_is_written_down_is_used(project: Path, line: str) -> None:
    assert look(project, Procfile=f"web: {line}").port == 3000


def test_a_port_that_apps_may_not_have_is_not_used(project: Path) -> None:
    assert look(project, Procfile="web: serve --port 80").port == 8000


def test_the_start_script_of_a_package_is_run(project: Path) -> None:
    found = look(project, package_json='{"scripts": {"start": "node ./src/main.js"}}', src__main_js="a.listen(3456)")
    assert found.argv == ("/bin/sh", "-c", "node ./src/main.js")
    assert found.port == 3456


@pytest.mark.parametrize(
    ("source", "port"),
    [
        ("http.createServer(f).listen(process.env.PORT || 3000)", 8000),
        ("app.listen( 3000 , () => {})", 3000),
        ("http.createServer(f).listen(port)", 8000),
    ],
)
def test_a_node_server_is_found_with_its_port(project: Path, source: str, port: int) -> None:
    found = look(project, server_js=source)
    assert (found.argv, found.port) == (("node", "server.js"), port)
    assert look(project, package_json='{"main": "./server.js"}').argv == ("node", "server.js")


@pytest.mark.parametrize(
    ("source", "port"),
    [
        ("import os\nif __name__ == '__main__':\n    serve(port=int(os.environ.get('PORT', 5000)))", 8000),
        ("from http.server import *\nHTTPServer(('', 8080), SimpleHTTPRequestHandler).serve_forever()", 8080),
        ("from bottle import run\nrun(host='localhost', port=9090)", 9090),
    ],
)
def test_a_python_program_that_listens_is_found_with_its_port(project: Path, source: str, port: int) -> None:
    found = look(project, server_py=source)
    assert (found.argv, found.port) == (("python3", "server.py"), port)


def test_a_flask_app_counts_before_any_other_program(project: Path) -> None:
    found = look(project, app_py="import os\nos.environ['PORT']", main_py=FLASK.format("app = Flask(__name__)"))
    assert found.argv == flask_run("main:app")


@pytest.mark.parametrize("folder", ["", "public", "dist"])
def test_a_page_without_a_server_is_a_static_site(project: Path, folder: str) -> None:
    (project / folder).mkdir(exist_ok=True)
    (project / folder / "index.html").write_text("<h1>hi</h1>")
    found = look(project, index_js="document.title = 'hi'")
    assert found.argv[:4] == ("python3", "-m", "http.server", "8000")
    assert found.argv[-1] == (folder or ".")
    assert found.ready == ("/",)


def test_the_programs_to_run_it_with_can_be_named(project: Path) -> None:
    (project / "app.py").write_text(FLASK.format("app = Flask(__name__)"))
    draft = Workspace(project.parent).draft("shop")
    assert detect(draft, python="/environment/bin/python").argv[0] == "/environment/bin/python"


def test_what_cannot_be_run_is_said_with_a_remedy(project: Path) -> None:
    with pytest.raises(NotFound) as caught:
        look(project, notes_txt="nothing to run", index_js="console.log(1)", app_py="print('hi')")
    assert caught.value.message == "there is nothing in this project that can be run as a web app"
    assert "`Procfile`" in caught.value.hint and "`PORT`" in caught.value.hint


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"Procfile": "worker: x"}, "`Procfile` has no line that begins with `web:`"),
        ({"package_json": "{"}, "`package.json` is not valid JSON: "),
        ({"package_json": "[]"}, "`package.json` is not a JSON object"),
        ({"app_py": "def"}, "`app.py` is not valid Python in line 1"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(project: Path, files: dict[str, str], words: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        look(project, **files)
    assert caught.value.message.startswith(words)
    assert caught.value.hint


def test_links_and_huge_files_are_not_looked_into(project: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("web: cat")
    (project / "Procfile").symlink_to(tmp_path / "secret")
    (project / "app.py").write_bytes(b"#" * 2_000_000)
    (project / "index.html").mkdir()
    with pytest.raises(NotFound):
        look(project)


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(["Procfile", "package.json", "app.py", "server.js", "index.html"]),
    content=st.one_of(
        st.binary(max_size=200),
        st.text(st.sampled_from('web: {}[]"scriptsmain,0()=\n\\'), max_size=60).map(str.encode),
        st.integers(1, 3000).map(lambda depth: b"(" * depth),
    ),
)
def test_whatever_a_file_holds_the_answer_is_a_way_or_plain_words(
    tmp_path_factory: pytest.TempPathFactory, name: str, content: bytes
) -> None:
    root = tmp_path_factory.mktemp("any")
    (root / "shop").mkdir()
    (root / "shop" / name).write_bytes(content)
    try:
        assert detect(Workspace(root).draft("shop")).spec("shop").argv
    except AppError as error:
        assert error.message and error.hint
