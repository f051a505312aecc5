"""How a page stands: what leaves its place, what covers what, and every text that a person reads or hears."""

from itertools import combinations

from studio import Studio

__all__ = ["fits", "overflowing", "small_targets", "spoken"]

OVERFLOWING = """() => {
  const NEAR = 1.5;
  const found = new Set();
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const name = (e) => `${e.tagName.toLowerCase()}.${e.getAttribute("data-testid") ?? e.className}`;
  // What may be wider than its place, because one scrolls there or it ends in an ellipsis.
  const gives = ({ overflowX, textOverflow }) => ["auto", "scroll"].includes(overflowX) || textOverflow === "ellipsis";
  const around = (e) => {
    while (["inline", "contents"].includes(getComputedStyle(e).display)) e = e.parentElement;
    return e;
  };
  const leaves = (box, outer) => box.left < outer.left - NEAR || box.right > outer.right + NEAR;
  for (const e of document.body.querySelectorAll("*")) {
    if (e.closest("svg, canvas, option") !== null || !shown(e)) continue;
    const style = getComputedStyle(e);
    const box = e.getBoundingClientRect();
    // What is written for screen readers alone has a pixel.
    if (style.display !== "contents" && (box.width <= 1 || box.height <= 1)) continue;
    if (["static", "relative", "sticky"].includes(style.position)) {
      if (e.parentElement !== document.body && style.display !== "contents") {
        const outer = around(e.parentElement);
        if (leaves(box, outer.getBoundingClientRect()) && !gives(getComputedStyle(outer)))
          found.add(`${name(e)} "${e.innerText.slice(0, 40)}" leaves ${name(outer)}`);
      }
    } else if (leaves(box, { left: 0, right: innerWidth })) found.add(`${name(e)} leaves the page`);
    const place = around(e);
    if (gives(style) || gives(getComputedStyle(place))) continue;
    // Its own words, line by line.
    for (const node of e.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === "") continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const outer = place.getBoundingClientRect();
      if ([...range.getClientRects()].some((line) => leaves(line, outer)))
        found.add(`"${node.data.trim().slice(0, 60)}" leaves ${name(place)}`);
    }
  }
  return [...found];
}"""

SPOKEN = """() => {
  const texts = new Set();
  const put = (text) => { for (const one of (text ?? "").split("\\n")) if (one.trim() !== "") texts.add(one.trim()); };
  for (const e of document.body.querySelectorAll("*")) {
    if (e.closest("kbd, code, pre, .mono") !== null || !e.checkVisibility({ visibilityProperty: true })) continue;
    for (const name of ["aria-label", "title", "placeholder", "alt"]) put(e.getAttribute(name));
    for (const node of e.childNodes) if (node.nodeType === Node.TEXT_NODE) put(node.data);
  }
  return [...texts];
}"""


SMALL = """() => {
  const LEAST = 43.5;
  const found = new Set();
  const wanted = "button, a[href], input, select, textarea, [role=treeitem], [role=option], [role=separator][tabindex]";
  const reach = (e) => {
    const box = e.getBoundingClientRect();
    // What is drawn beside an element and belongs to it: its label, or a grip.
    const label = e.closest("label")?.getBoundingClientRect() ?? box;
    const drawn = ["::before", "::after"].map((one) => getComputedStyle(e, one));
    const grips = drawn.filter((one) => one.content !== "none");
    const most = (side) => Math.max(box[side], label[side], ...grips.map((one) => parseFloat(one[side]) || 0));
    return [most("width"), most("height")];
  };
  for (const e of document.querySelectorAll(wanted)) {
    if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || e.matches(":disabled")) continue;
    const box = e.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    const [width, height] = reach(e);
    if (width >= LEAST && height >= LEAST) continue;
    const name = e.dataset.testid ?? e.getAttribute("aria-label") ?? e.innerText?.slice(0, 30);
    found.add(`${e.tagName.toLowerCase()} ${name}: ${Math.round(width)} x ${Math.round(height)}`);
  }
  return [...found];
}"""


def small_targets(studio: Studio) -> list[str]:
    """Return what can be pressed and is narrower or lower than 44 CSS pixels, with its size."""
    return studio.page.evaluate(SMALL)


def overflowing(studio: Studio) -> list[str]:
    """Return what is wider than its place, elements and lines of text; what scrolls or ends in an ellipsis aside."""
    return studio.page.evaluate(OVERFLOWING)


def spoken(studio: Studio) -> set[str]:
    """Return all texts that are shown, and names and hints; keys and code aside."""
    return set(studio.page.evaluate(SPOKEN))


def fits(studio: Studio, width: int) -> None:
    """Fail where something of the top bar is outside of the page or under something else."""
    assert studio.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    boxes = []
    for testid in ("project-menu", "modes", "undo", "people", "palette", "stop"):
        box = studio.find(testid).bounding_box()
        assert box is not None, testid
        assert box["x"] >= 0, testid
        assert box["x"] + box["width"] <= width, f"{testid} is outside of the page"
        boxes.append((testid, box))
    for (one, a), (other, b) in combinations(boxes, 2):
        beside = a["x"] + a["width"] <= b["x"] + 0.5 or b["x"] + b["width"] <= a["x"] + 0.5
        above = a["y"] + a["height"] <= b["y"] + 0.5 or b["y"] + b["height"] <= a["y"] + 0.5
        assert beside or above, f"{one} and {other} cover each other"
