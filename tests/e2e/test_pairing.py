"""Coming in over the network, in a real browser: by code and by link, in a role, and out again."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect


@pytest.fixture(scope="module")
def told() -> Iterator[dict[str, Any]]:
    """What a server in the network says of itself; it stays on this machine."""
    words = ["serve", "--lan", "--lan-address", "127.0.0.1", "--lan-port", "0", "--port", "0", "--json", "--no-open"]
    process = subprocess.Popen([sys.executable, "-m", "openpendant", *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield json.loads(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture
def strange(browser: Browser) -> Iterator[Page]:
    """A device that has been warned of the certificate, and went on."""
    context = browser.new_context(ignore_https_errors=True, viewport={"width": 1000, "height": 760}, locale="en-GB")
    yield context.new_page()
    context.close()


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(ignore_https_errors=True, viewport={"width": 1000, "height": 760}, locale="en-GB")
    yield context.new_page()
    context.close()


def offer(told: dict[str, Any], role: str) -> dict[str, Any]:
    return httpx.post(f"{told['url']}/api/pairings", json={"role": role}).json()


def test_a_code_lets_a_viewer_in_who_sees_everything_and_changes_nothing(
    told: dict[str, Any], strange: Page, other: Page
) -> None:
    strange.goto(told["lan"][0])
    expect(strange.get_by_role("heading", name="Pair this device")).to_be_visible()
    strange.get_by_test_id("pair-code").fill("000 000")
    strange.get_by_test_id("pair-go").click()
    expect(strange.get_by_test_id("pair-complaint")).to_contain_text("code is wrong")
    strange.get_by_test_id("pair-code").fill(offer(told, "viewer")["code"])
    strange.get_by_test_id("pair-name").fill("Tablet")
    strange.get_by_test_id("pair-name").press("Enter")
    expect(strange.get_by_test_id("network")).to_have_text("Viewer")
    assert strange.evaluate("document.cookie") == ""
    assert strange.evaluate("window.isSecureContext")
    # Making a project is not for viewers, and they are told so.
    strange.get_by_test_id("new-project").click()
    strange.get_by_test_id("new-title").fill("mine")
    strange.get_by_test_id("create").click()
    expect(strange.get_by_text(re.compile("needs the role engineer"))).to_be_visible()
    # In Operate they see what is there; only STOP is theirs.
    made = httpx.post(f"{told['url']}/api/projects", json={"title": "watched", "demo": "bench"}, timeout=60).json()
    strange.set_viewport_size({"width": 1280, "height": 760})
    strange.goto(f"{told['lan'][0]}/?aa=0&sharp=0.5#/projects/{made['id']}")
    strange.get_by_role("button", name="Skip").click()
    strange.get_by_test_id("modes").get_by_text("Operate").click()
    expect(strange.get_by_test_id("operate-watching")).to_contain_text("STOP works for you")
    expect(strange.get_by_test_id("operate-start")).to_be_disabled()
    expect(strange.get_by_test_id("stop")).to_be_enabled()

    # In a project they see all of it; what edits it is there, cannot be used, and says why.
    project = httpx.post(f"{told['url']}/api/projects", json={"title": "Theirs"}).json()["id"]
    strange.set_viewport_size({"width": 1000, "height": 760})
    strange.goto(f"{told['lan'][0]}/#/projects/{project}")
    strange.get_by_test_id("toggle-left").click()
    expect(strange.get_by_test_id("not-allowed")).to_contain_text("for the role Engineer; you are paired as Viewer")
    expect(strange.get_by_test_id("add-robot")).to_be_disabled()
    expect(strange.get_by_test_id("tree-search")).to_be_enabled()

    # Somebody in charge, by link, sees the tablet and puts it out.
    other.goto(offer(told, "engineer")["links"][0])
    expect(other.get_by_test_id("network")).to_have_text("Engineer")
    assert other.url.endswith("/#/")
    other.get_by_test_id("network").click()
    other.get_by_test_id("offer-go").click()
    expect(other.get_by_test_id("offer-code")).to_have_text(re.compile(r"^\d{3} \d{3}$"))
    other.get_by_role("button", name="Unpair Tablet").click()
    expect(strange.get_by_test_id("pair-page")).to_be_visible()


def test_the_page_on_this_machine_asks_nobody(told: dict[str, Any], strange: Page) -> None:
    strange.goto(told["url"])
    expect(strange.get_by_test_id("network")).to_have_text("Network")
    expect(strange.get_by_test_id("pair-page")).not_to_be_visible()
