"""Reads XML into plain values with line numbers: no entities, no DTD, no network."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import lxml.etree

from openpendant.errors import RobotFileError
from openpendant.said import say

# lxml carries no types; it is used for its line numbers, and only here.
_etree = cast(Any, lxml.etree)  # pyright: ignore[reportUnknownMemberType]
MAX_BYTES = 50_000_000
MAX_DEPTH = 200


@dataclass(frozen=True)
class XmlNode:
    """An element; comments and text are dropped."""

    tag: str
    attributes: dict[str, str]
    children: tuple["XmlNode", ...]
    line: int

    def walk(self) -> Iterator["XmlNode"]:
        """Return this element and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()


def read_xml(path: Path) -> XmlNode:
    """Return the outermost element of an XML file.

    Raises:
        RobotFileError: It cannot be read, is larger than 50 MB, is not well-formed, or declares a DTD.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise RobotFileError(path, say("urdf.large", most=MAX_BYTES // 1_000_000))
        content = path.read_bytes()
    except OSError as error:
        raise RobotFileError(path, say("file.not_read", why=str(error.strerror))) from None
    parser = _etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = _etree.fromstring(content, parser)
    except _etree.XMLSyntaxError as error:
        raise RobotFileError(path, say("urdf.no_xml", why=str(error.msg)), line=error.lineno) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise RobotFileError(path, say("urdf.dtd"), line=1)
    return _element(root, path, 0)


def _element(element: Any, path: Path, depth: int) -> XmlNode:
    line = int(element.sourceline or 0)
    if depth > MAX_DEPTH:
        raise RobotFileError(path, say("urdf.deep", most=MAX_DEPTH), line=line)
    return XmlNode(
        tag=str(element.tag),
        attributes={str(key): str(value) for key, value in element.attrib.items()},
        children=tuple(_element(child, path, depth + 1) for child in element if isinstance(child.tag, str)),
        line=line,
    )
