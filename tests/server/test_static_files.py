"""The page is served with the caching that suits it; a missing one is told of."""

from pathlib import Path

import httpx
import pytest

from openpendant.server import create_app, serving
from openpendant.server.static_files import STATIC

HOOK = Path(__file__).parents[2] / "web" / "test-hook.js"


def test_the_page_is_asked_for_each_time(http: httpx.Client) -> None:
    answer = http.get("/")
    assert answer.status_code == 200
    assert answer.text.startswith("<!doctype html>")
    assert answer.headers["cache-control"] == "no-cache"
    again = http.get("/", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


def test_hashed_files_are_kept_for_good(http: httpx.Client) -> None:
    answer = http.get("/assets/index-abc123.js")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "javascript" in answer.headers["content-type"]


def test_nothing_outside_the_folder_is_served(http: httpx.Client, page: Path) -> None:
    (page.parent / "secret.txt").write_text("secret")
    for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"):
        answer = http.get(path)
        assert answer.status_code == 404
        assert "secret" not in answer.json()["message"].replace("secret.txt", "")


def test_a_missing_page_says_what_to_do(tmp_path: Path) -> None:
    with serving(create_app(tmp_path)) as url:
        answer = httpx.get(url)
    assert answer.status_code == 503
    assert "make run" in answer.text
    assert "pip install ." in answer.text


@pytest.mark.parametrize("word", [".openpendant", "toolTilt"])
def test_the_built_page_has_nothing_of_the_test_hook(word: str) -> None:
    built = "".join(path.read_text() for path in sorted(STATIC.rglob("*.js")))
    assert "export{" in built
    assert word in HOOK.read_text()
    assert word not in built
