"""The build hook makes the page only where it must."""

import os
import runpy
from pathlib import Path

import pytest

HOOK = runpy.run_path(str(Path(__file__).resolve().parents[1] / "hatch_build.py"))


def put(path: Path, when: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    os.utime(path, (when, when))
    return path


def test_a_page_newer_than_its_sources_is_fresh(tmp_path: Path) -> None:
    web, index = tmp_path / "web", tmp_path / "static" / "index.html"
    put(web / "src" / "main.ts", 100)
    assert not HOOK["is_fresh"](index, web)
    put(index, 200)
    assert HOOK["is_fresh"](index, web)
    put(web / "node_modules" / "three" / "three.js", 300)
    assert HOOK["is_fresh"](index, web)
    put(web / "src" / "main.ts", 300)
    assert not HOOK["is_fresh"](index, web)


def test_packages_are_installed_once_for_a_lock_file(tmp_path: Path) -> None:
    put(tmp_path / "package-lock.json", 100)
    assert not HOOK["is_installed"](tmp_path)
    put(tmp_path / "node_modules" / ".package-lock.json", 200)
    assert HOOK["is_installed"](tmp_path)
    put(tmp_path / "package-lock.json", 300)
    assert not HOOK["is_installed"](tmp_path)


@pytest.mark.parametrize(("skip", "target"), [("1", "wheel"), ("", "sdist")])
def test_no_page_is_built_where_none_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skip: str, target: str
) -> None:
    monkeypatch.setenv("OPENPENDANT_SKIP_WEB", skip)
    hook = HOOK["WebClientHook"](str(tmp_path), {}, None, None, "", target)
    hook.initialize("standard", {})
    assert list(tmp_path.iterdir()) == []


def test_a_failed_build_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENPENDANT_SKIP_WEB", raising=False)
    put(tmp_path / "web" / "package-lock.json", 100)
    put(tmp_path / "tools" / "npm.py", 100).write_text("def npm(*words):\n    return 1\n")
    hook = HOOK["WebClientHook"](str(tmp_path), {}, None, None, "", "wheel")
    with pytest.raises(RuntimeError, match=r"npm ci .* failed .* OPENPENDANT_SKIP_WEB=1"):
        hook.initialize("standard", {})
