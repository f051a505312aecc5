"""Reading of single URDF elements; every complaint names the element and its line."""

import math
from collections.abc import Iterator
from pathlib import Path

from openpendant.errors import RobotFileError
from openpendant.said import Said, say

from .xml import XmlNode, read_xml


class Element:
    """An XML element that knows its file, and how complaints name it."""

    def __init__(self, node: XmlNode, path: Path, owner: str) -> None:
        """Wrap an element; `owner` is for example "joint 'elbow'"."""
        self.node = node
        self.path = path
        self.line = node.line
        self.owner = owner

    def fault(self, why: Said) -> RobotFileError:
        """Return the error to raise: file, line, element, what is wrong."""
        return RobotFileError(self.path, say("urdf.element", element=self.owner, why=why), line=self.line)

    def named(self, tag: str) -> Iterator["Element"]:
        """Return the children with a tag, each called after its name; raises where one has none."""
        for child in self.node.children:
            if child.tag == tag:
                name = Element(child, self.path, f"<{tag}>").text("name")
                yield Element(child, self.path, f"{tag} {name!r}")

    def all(self, tag: str) -> Iterator["Element"]:
        """Return the children with a tag."""
        for child in self.node.children:
            if child.tag == tag:
                yield Element(child, self.path, f"{self.owner}, <{tag}>")

    def one(self, tag: str) -> "Element | None":
        """Return the child with a tag, or None; raises where there are several."""
        found = list(self.all(tag))
        if len(found) > 1:
            raise found[1].fault(say("urdf.given_twice"))
        return found[0] if found else None

    def need(self, tag: str) -> "Element":
        """Return the child with a tag; raises if there is none."""
        found = self.one(tag)
        if found is None:
            raise self.fault(say("urdf.no_element", tag=tag))
        return found

    def text(self, attribute: str) -> str:
        """Return an attribute that must be there and not empty."""
        value = self.node.attributes.get(attribute, "").strip()
        if not value:
            raise self.fault(say("urdf.no_attribute", attribute=attribute))
        return value

    def number(self, attribute: str, default: float | None = None) -> float:
        """Return a finite number; raises where it is missing and has no default."""
        if default is not None and attribute not in self.node.attributes:
            return default
        return self._finite(self.text(attribute), attribute)

    def numbers(self, attribute: str, default: tuple[float, float, float]) -> tuple[float, float, float]:
        """Return three finite numbers, or the default where the attribute is missing."""
        text = self.node.attributes.get(attribute)
        if text is None:
            return default
        words = text.split()
        if len(words) != 3:
            raise self.fault(say("urdf.three_numbers", attribute=attribute, text=text))
        x, y, z = (self._finite(word, attribute) for word in words)
        return x, y, z

    def _finite(self, text: str, attribute: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise self.fault(say("urdf.no_number", attribute=attribute, text=text)) from None
        if not math.isfinite(value):
            raise self.fault(say("urdf.not_finite", attribute=attribute, text=text))
        return value


def open_urdf(path: Path) -> Element:
    """Return the `robot` element of a URDF file.

    Raises:
        RobotFileError: It is not XML, or not a URDF.
    """
    root = read_xml(path)
    for node in root.walk():
        if "xacro" in node.tag or any("${" in value for value in node.attributes.values()):
            raise RobotFileError(path, say("urdf.xacro"), line=node.line)
    if root.tag != "robot":
        raise RobotFileError(path, say("urdf.no_robot", tag=root.tag), line=root.line)
    return Element(root, path, "<robot>")
