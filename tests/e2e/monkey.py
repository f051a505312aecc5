"""Monkey: somebody who does anything, anywhere; always the same for one seed and one page."""

import random
import time
from collections import deque
from collections.abc import Callable

from playwright.sync_api import Error
from studio import Studio

__all__ = ["Monkey"]

# What takes a person out of the project, or reaches out of the machine, is left alone.
LEAVE_ALONE = (
    "operate-address",
    "operate-pendant",
    "close-project",
    "remove-project",
    "language",
    "import-file",
    "import-mesh",
)
KEYS = (
    *("Alt+1", "Alt+2", "Alt+3", "Alt+4", "Control+z", "Control+z", "Control+Shift+z", "Control+k", "Escape"),
    *("Escape", "Delete", "Backspace", "F2", "Control+c", "Control+v", "Control+d", "Control+x", "Control+a"),
    *("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Shift+ArrowDown", "Tab", "Tab", "Shift+Tab", "Enter"),
    *("Enter", "Space", "?", "[", "]", "b", "t", "f", "g", "r", "m", "n", "p", "s", "w", "h", "l", "Home", "End"),
    *("PageUp", "PageDown", "Pause", "Shift+Escape", "Control+s", "1", "2", "3", "0", "."),
)
TEXTS = ("12", "-0.5", "25.4*3", "1e9", "NaN", "", "name", "Ñandú 🦤", "<b>x</b>", "a" * 80, "../..", "0", "if x")
# Every control that can be seen and is not covered by anything, in the order of the page.
CONTROLS = """(leaveAlone) => {
  const found = [];
  for (const one of document.querySelectorAll(
    "button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=treeitem], " +
    "[role=option], [role=slider], [role=separator], [role=row], li[data-testid], [tabindex='0']")) {
    if (one.disabled || one.type === "file" || leaveAlone.includes(one.dataset.testid)) continue;
    const { left, top, width, height } = one.getBoundingClientRect();
    if (width < 2 || height < 2) continue;
    const x = left + width / 2, y = top + height / 2;
    const at = document.elementFromPoint(x, y);
    if (at === null || !(one.contains(at) || at.contains(one))) continue;
    if (at.closest("a[href], [download]") !== null) continue;
    found.push([x, y, one.dataset.testid ?? one.tagName, one.tagName === "SELECT" ? one.options.length : 0]);
  }
  return found;
}"""
CHOOSE = """([x, y, index]) => {
  const select = document.elementFromPoint(x, y)?.closest("select");
  if (!select || select.disabled) return;
  select.selectedIndex = index;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}"""
# STOP is there and nothing lies over it, whatever else is open.
STOP_SEEN = """() => [...document.querySelectorAll("[data-testid=stop]")].some((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const at = document.elementFromPoint(left + width / 2, top + height / 2);
  return width > 0 && at !== null && one.contains(at);
})"""


class Monkey:
    """Does one thing after the other, and remembers the last of them."""

    def __init__(self, studio: Studio, seed: int) -> None:
        self.studio = studio
        self.did: deque[str] = deque(maxlen=60)
        self.count = 0
        self._dice = random.Random(seed)
        size = studio.page.viewport_size
        assert size is not None
        self._width, self._height = size["width"], size["height"]

    def play(self, seconds: float, look: Callable[[], None]) -> None:
        """Do things for a while; `look` after every few of them."""
        deeds = (self.click, self.click, self.click, self.press, self.press, self.type, self.drag, self.turn)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            deed = self._dice.choice(deeds)
            try:
                deed()
            except Error as error:
                # What was aimed at may be gone before it is hit; that is life on a page that changes.
                self.did.append(f"  missed: {str(error).splitlines()[0]}")
            self.count += 1
            if self.count % 10 == 0:
                look()

    @property
    def sees_stop(self) -> bool:
        """Whether STOP could be pressed now."""
        return bool(self.studio.page.evaluate(STOP_SEEN))

    def click(self) -> None:
        """Press some control, or choose from some list."""
        controls = self.studio.page.evaluate(CONTROLS, LEAVE_ALONE)
        if not controls:
            return self.press()
        x, y, name, options = self._dice.choice(controls)
        self.did.append(f"click {name} at {x:.0f}, {y:.0f}")
        if options:
            self.studio.page.evaluate(CHOOSE, [x, y, self._dice.randrange(options)])
            return None
        modifier = self._dice.choice((None, None, None, None, "Shift", "Control"))
        button = self._dice.choice(("left", "left", "left", "left", "right"))
        if modifier is not None:
            self.studio.page.keyboard.down(modifier)
        self.studio.page.mouse.click(x, y, button=button, click_count=self._dice.choice((1, 1, 1, 2)))
        if modifier is not None:
            self.studio.page.keyboard.up(modifier)
        return None

    def press(self) -> None:
        """Press some key."""
        key = self._dice.choice(KEYS)
        self.did.append(f"press {key}")
        self.studio.page.keyboard.press(key)

    def type(self) -> None:
        """Write something where the focus is, and mostly finish it."""
        focus = self.studio.page.evaluate("document.activeElement?.dataset.testid ?? ''")
        if focus in LEAVE_ALONE:
            return
        text = self._dice.choice(TEXTS)
        self.did.append(f"type {text!r} into {focus}")
        self.studio.page.keyboard.press("Control+a")
        self.studio.page.keyboard.insert_text(text)
        if self._dice.random() < 0.7:
            self.studio.page.keyboard.press(self._dice.choice(("Enter", "Tab", "Escape")))

    def drag(self) -> None:
        """Take something somewhere, or nothing nowhere."""
        mouse, dice = self.studio.page.mouse, self._dice
        x, y = self._place()
        self.did.append(f"drag from {x}, {y}")
        mouse.move(x, y)
        mouse.down(button=dice.choice(("left", "left", "right", "middle")))
        for _ in range(dice.randint(1, 4)):
            x, y = x + dice.randint(-200, 200), y + dice.randint(-150, 150)
            mouse.move(x, y)
        if dice.random() < 0.1:
            self.studio.page.keyboard.press("Escape")
        for button in ("left", "right", "middle"):
            mouse.up(button=button)

    def turn(self) -> None:
        """Turn the wheel."""
        x, y = self._place()
        self.did.append(f"wheel at {x}, {y}")
        self.studio.page.mouse.move(x, y)
        self.studio.page.mouse.wheel(0, self._dice.choice((-400, -100, 100, 400)))

    def _place(self) -> tuple[int, int]:
        return self._dice.randrange(self._width), self._dice.randrange(self._height)
