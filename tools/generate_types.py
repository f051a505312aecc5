"""Write the TypeScript types of the messages between server and page.

    python tools/generate_types.py            writes web/src/wire/generated.ts, web/src/wire/studio.ts and
                                              web/src/state/texts/en/said.ts
    python tools/generate_types.py --check    exits 1 when a file is not what would be written

The structs in `openpendant.messages`, and those that `openpendant.messages.project` is made of, are the only
definition. Docstrings come along as comments. The English of every code comes from `openpendant.said`.
"""

import ast
import inspect
import json
import re
import sys
import textwrap
import types
import typing
from pathlib import Path

import msgspec
from msgspec import inspect as wire

ROOT = Path(__file__).resolve().parent.parent
WIRE = ROOT / "web" / "src" / "wire"
ENGLISH = ROOT / "web" / "src" / "state" / "texts" / "en"
sys.path.insert(0, str(ROOT / "src"))

from openpendant import messages  # noqa: E402
from openpendant.messages import operation as operate  # noqa: E402
from openpendant.messages import project as talk  # noqa: E402
from openpendant.programs import Action, ProgramCommand  # noqa: E402
from openpendant.projects import ProjectEdit  # noqa: E402
from openpendant.said import TEXTS  # noqa: E402
from openpendant.scene import CellItem, Command, Shape  # noqa: E402

HEADER = """\
// {what}. Generated from {source}; do not edit.
// Regenerate with: python tools/generate_types.py
"""
WIDTH = 100
UNIONS = {
    "Action": Action,
    "CellItem": CellItem,
    "Command": Command,
    "FromClient": talk.FromClient,
    "FromOperator": operate.FromOperator,
    "FromRobots": operate.FromRobots,
    "FromServer": talk.FromServer,
    "ProgramCommand": ProgramCommand,
    "ProjectEdit": ProjectEdit,
    "Shape": Shape,
}
"""The unions of the studio that have a name."""


def main(arguments: list[str]) -> int:
    """Write or check the file; return the exit code."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write(f"unknown arguments {arguments}; allowed: --check\n")
        return 2
    wrong = [write(path, text, check=bool(arguments)) for path, text in generate().items()]
    return int(any(wrong))


def write(path: Path, text: str, *, check: bool) -> bool:
    """Write a file, or return whether it is not what would be written."""
    shown = path.relative_to(ROOT)
    if check:
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return False
        sys.stderr.write(f"{shown} does not fit the structs in src/openpendant: run `python tools/generate_types.py`\n")
        return True
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"wrote {shown}\n")
    return False


def generate() -> dict[Path, str]:
    """Return the text of every file."""
    return {
        WIRE / "generated.ts": generate_messages(),
        WIRE / "studio.ts": generate_studio(),
        ENGLISH / "said.ts": generate_said(),
    }


def generate_said() -> str:
    """Return the English of every code; a place keeps how its number is written, as {share_percent:.1f}."""
    what = "What the server says, by its code"
    parts = [HEADER.format(what=what, source="src/openpendant/said/texts"), "export const said = {"]
    for code, text in TEXTS.items():
        parts.append(f"  {json.dumps(f'said.{code}')}: {quoted(text)},")
    return "\n".join([*parts, "} as const;", ""])


def quoted(text: str) -> str:
    """Return a text as TypeScript; names that Python would quote have their quotes in it."""
    return json.dumps(re.sub(r"\{(\w+)!r\}", r"'{\1}'", text), ensure_ascii=False)


def generate_messages() -> str:
    """Return the TypeScript for every struct and union behind the door of `messages`, sorted by name."""
    what = "The messages between server and page"
    parts = [HEADER.format(what=what, source="src/openpendant/messages")]
    for name in sorted(messages.__all__):
        value = getattr(messages, name)
        if isinstance(value, types.UnionType):
            members = [member.__name__ for member in typing.get_args(value)]
            parts.append(f"export type {name} = {' | '.join(members)};\n")
        elif isinstance(value, type) and issubclass(value, msgspec.Struct) and value is not messages.Wire:
            parts.append(interface(value))
    return "\n".join(parts)


def generate_studio() -> str:
    """Return the TypeScript for everything that is said about an open project, sorted by name."""
    found: dict[str, type[msgspec.Struct]] = {}
    for union in UNIONS.values():
        for member in typing.get_args(union):
            collect(wire.type_info(member), found)
    what = "Projects, cells, programs, and what is said about them"
    parts = [HEADER.format(what=what, source="src/openpendant/messages/project.py")]
    shared = sorted(name for name in found if name in messages.__all__)
    parts.append(f"/** What a page of this version speaks. */\nexport const PROTOCOL = {messages.PROTOCOL};\n")
    for name in sorted({*found, *UNIONS} - set(shared)):
        if name in UNIONS:
            members = [member.__name__ for member in typing.get_args(UNIONS[name])]
            parts.append(f"export type {name} = {' | '.join(members)};\n")
        else:
            parts.append(interface(found[name]))
    # What only another shared one holds is not named here.
    named = [name for name in shared if any(re.search(rf"\b{name}\b", part) for part in parts[1:])]
    parts.insert(1, f'import type {{ {", ".join(named)} }} from "./generated";\n')
    return "\n".join(parts)


def collect(kind: object, found: dict[str, type[msgspec.Struct]]) -> None:
    """Find every struct inside a type."""
    match kind:
        case wire.StructType(cls=cls, fields=fields):
            if cls.__name__ not in found:
                found[cls.__name__] = cls
                for field in fields:
                    collect(field.type, found)
        case wire.UnionType(types=members) | wire.TupleType(item_types=members):
            for member in members:
                collect(member, found)
        case wire.ListType(item_type=item) | wire.VarTupleType(item_type=item):
            collect(item, found)
        case wire.DictType(value_type=value):
            collect(value, found)
        case _:
            pass


def interface(struct: type[msgspec.Struct]) -> str:
    """Return the interface for one struct; a field with a default may be left out by who sends."""
    info = wire.type_info(struct)
    if not isinstance(info, wire.StructType):
        raise TypeError(f"{struct.__name__} is no msgspec struct")
    notes = field_notes(struct)
    lines = [*comment(inspect.getdoc(struct) or "", ""), f"export interface {struct.__name__} {{"]
    if info.tag_field is not None:
        lines.append(f"  readonly {info.tag_field}: {json.dumps(info.tag)};")
    for field in info.fields:
        lines.extend(comment(notes.get(field.name, ""), "  "))
        lines.append(f"  readonly {field.encode_name}{'' if field.required else '?'}: {typescript(field.type)};")
    return "\n".join([*lines, "}", ""])


def typescript(kind: wire.Type) -> str:
    """Return the TypeScript for a type; raises TypeError for one that no message has used so far."""
    match kind:
        case wire.StructType(cls=cls):
            return cls.__name__
        case wire.StrType():
            return "string"
        case wire.IntType() | wire.FloatType():
            return "number"
        case wire.BoolType():
            return "boolean"
        case wire.NoneType():
            return "null"
        case wire.LiteralType(values=values):
            return " | ".join(json.dumps(value) for value in sorted(values, key=str))
        case wire.UnionType(types=members) if (named := union_name(members)) is not None:
            return named
        case wire.UnionType(types=members):
            # null comes last, as people write it.
            return " | ".join(
                typescript(member) for member in sorted(members, key=lambda m: isinstance(m, wire.NoneType))
            )
        case wire.TupleType(item_types=items):
            return f"readonly [{', '.join(typescript(item) for item in items)}]"
        case wire.DictType(value_type=value):
            return f"Readonly<Record<string, {typescript(value)}>>"
        case wire.AnyType():
            return "unknown"
        case wire.ListType(item_type=item) | wire.VarTupleType(item_type=item):
            inner = typescript(item)
            return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
        case _:
            raise TypeError(f"no TypeScript known for {kind}")


def union_name(members: tuple[wire.Type, ...]) -> str | None:
    """Return the name of a union of structs that has one."""
    classes = {member.cls for member in members if isinstance(member, wire.StructType)}
    if len(classes) != len(members) or len(classes) < 2:
        return None
    return next((name for name, union in UNIONS.items() if set(typing.get_args(union)) == classes), None)


def field_notes(struct: type) -> dict[str, str]:
    """Return the docstrings that stand below the fields of a struct, by field name."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(struct))).body[0]
    if not isinstance(tree, ast.ClassDef):
        raise TypeError(f"no class found in the source of {struct.__name__}")
    notes: dict[str, str] = {}
    for before, after in zip(tree.body, tree.body[1:], strict=False):
        match before, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                notes[name] = inspect.cleandoc(text)
            case _:
                pass
    return notes


def comment(text: str, indent: str) -> list[str]:
    """Return a JSDoc comment, on one line where it fits."""
    if not text:
        return []
    if "\n" not in text and len(indent) + len(text) + 7 <= WIDTH:
        return [f"{indent}/** {text} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in text.splitlines()), f"{indent} */"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
