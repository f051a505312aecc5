"""A robot of one block, whose bodies are made in a moment."""

from pathlib import Path

__all__ = ["write_brick"]

VISUALS = """from openpendant.shapes import Material, box, part

from .more import SIZE


def build():
    return {"block": [part(box(SIZE), Material("#336699"), 0.005, 200)]}
"""


def write_brick(folder: Path, *, size: str = "(0.1, 0.1, 0.1)", title: str = "Brick") -> Path:
    """Write the entry of a catalogue, as far as its bodies need it, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "visuals.py").write_text(VISUALS)
    (folder / "more.py").write_text(f"SIZE = {size}\n")
    (folder / "facts.toml").write_text(f'title = "{title}"\n')
    return folder
