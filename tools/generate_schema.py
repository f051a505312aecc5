"""Write the JSON Schema of `cell.json`.

    python tools/generate_schema.py            writes docs/schema/cell.schema.json
    python tools/generate_schema.py --check    exits 1 when that file is not what would be written

The structs in `openpendant.scene` are the only definition. Their docstrings come along as descriptions.
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "schema" / "cell.schema.json"
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "tools"))

from generate_types import field_notes  # noqa: E402

from openpendant import messages, scene  # noqa: E402


def main(arguments: list[str]) -> int:
    """Write or check the file; return the exit code."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write(f"unknown arguments {arguments}; allowed: --check\n")
        return 2
    text = generate()
    if arguments:
        if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
            return 0
        shown = TARGET.relative_to(ROOT)
        sys.stderr.write(f"{shown} does not fit src/openpendant/scene: run `python tools/generate_schema.py`\n")
        return 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    sys.stdout.write(f"wrote {TARGET.relative_to(ROOT)}\n")
    return 0


def generate() -> str:
    """Return the schema with the notes of every field."""
    (root,), definitions = msgspec.json.schema_components([scene.Cell], ref_template="#/$defs/{name}")
    kinds = {name: getattr(scene, name, None) or getattr(messages, name) for name in definitions}
    for name, definition in definitions.items():
        properties: dict[str, Any] = definition.get("properties", {})
        for field, note in field_notes(kinds[name]).items():
            if field in properties:
                properties[field]["description"] = " ".join(note.split())
        if "description" in definition:
            definition["description"] = " ".join(str(definition["description"]).split())
    # Every file says its format; only in Python can it be left out.
    definitions["Cell"]["required"] = ["format", "name"]
    definitions["Cell"]["properties"]["format"]["const"] = 1
    definitions["Cell"]["properties"]["format"].pop("default", None)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cell.json of OpenPendant",
        **root,
        "$defs": dict(sorted(definitions.items())),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
