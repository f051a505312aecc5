"""Write the JSON Schemas of the files in a cell's folder: `cell.json` and `programs/*.json`.

    python tools/generate_schema.py            writes docs/schema/*.schema.json
    python tools/generate_schema.py --check    exits 1 when those files are not what would be written

The structs in `openpendant.scene` and `openpendant.programs` are the only definition. Their docstrings come along as
descriptions.
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "schema"
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "tools"))

from generate_types import field_notes  # noqa: E402

from openpendant import messages, programs, scene  # noqa: E402

SCHEMAS = {
    "cell.schema.json": (scene.Cell, ["format", "name"], "cell.json of OpenPendant"),
    "program.schema.json": (programs.Program, ["format", "name", "robot"], "A file in programs/ of OpenPendant"),
}


def main(arguments: list[str]) -> int:
    """Write or check the file; return the exit code."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write(f"unknown arguments {arguments}; allowed: --check\n")
        return 2
    for name, (kind, required, title) in SCHEMAS.items():
        text, target = generate(kind, required, title), FOLDER / name
        shown = target.relative_to(ROOT)
        if not arguments:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            sys.stdout.write(f"wrote {shown}\n")
        elif not target.exists() or target.read_text(encoding="utf-8") != text:
            sys.stderr.write(f"{shown} does not fit {kind.__module__}: run `python tools/generate_schema.py`\n")
            return 1
    return 0


def generate(kind: type[msgspec.Struct], required: list[str], title: str) -> str:
    """Return the schema of a file with the notes of every field."""
    (root,), definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    rooms = (scene, programs, messages)
    kinds = {name: next(getattr(room, name) for room in rooms if hasattr(room, name)) for name in definitions}
    for name, definition in definitions.items():
        properties: dict[str, Any] = definition.get("properties", {})
        for field, note in field_notes(kinds[name]).items():
            if field in properties:
                properties[field]["description"] = " ".join(note.split())
        if "description" in definition:
            definition["description"] = " ".join(str(definition["description"]).split())
    # Every file says its format; only in Python can it be left out.
    whole = definitions[kind.__name__]
    whole["required"] = required
    whole["properties"]["format"]["const"] = sys.modules[kind.__module__].FORMAT
    whole["properties"]["format"].pop("default", None)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **root,
        "$defs": dict(sorted(definitions.items())),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
