"""The messages as TypeScript types: `python -m mchezo.server.typescript > web/src/messages.ts`."""

import sys
from types import UnionType
from typing import Any, get_args

import msgspec

from mchezo.server import messages

SIMPLE = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
# What the browser names in its code, beside everything that these contain.
ROOTS: dict[str, Any] = {
    "FromServer": messages.FromServer,
    "FromClient": messages.FromClient,
    "Command": messages.Commands,
    "TableEvent": messages.Events,
    "View": messages.View,
    "Code": messages.codes_as_type(),
}
ANSWERS = (
    messages.CreateTable,
    messages.CheckSetup,
    messages.CheckPack,
    messages.Sketch,
    messages.NameMe,
    messages.Me,
    messages.BotToken,
    messages.CreatedTable,
    messages.TableList,
    messages.GameInfo,
    messages.CheckedSetup,
    messages.Sketched,
    messages.KitaraMap,
    messages.CheckedPack,
    messages.Health,
    messages.Moment,
    messages.Attempt,
    messages.RulesPage,
    messages.Attempted,
    messages.Lesson,
    messages.Statistics,
    messages.Replay,
    messages.ReplayViews,
    messages.Vary,
    messages.Varied,
    messages.Uploaded,
    messages.Analysed,
)


def write() -> str:
    """All types, in alphabetical order, after a line that says where they come from."""
    structs = [*ANSWERS, *(kind for root in ROOTS.values() if isinstance(root, UnionType) for kind in get_args(root))]
    _, components = msgspec.json.schema_components(structs, ref_template="{name}")
    lines = ["// Made by `python -m mchezo.server.typescript` from src/mchezo/server/messages/; do not edit.", ""]
    for name, schema in sorted(components.items()):
        lines += comment(schema.get("description", ""), "")
        lines.append(f"export interface {name} {interface(schema)}" if "properties" in schema else "")
        lines.append("")
    for name, root in ROOTS.items():
        (schema,), _ = msgspec.json.schema_components([root], ref_template="{name}")
        lines += [f"export type {name} = {type_of(schema)};", ""]
    return "\n".join(lines)


def interface(schema: dict[str, Any]) -> str:
    """An object with named fields; those that may be left out have a question mark."""
    required = schema.get("required", ())
    sent = schema.get("additionalProperties") is False  # requests may leave out what has a default; answers never do
    fields = []
    for name, field in schema["properties"].items():
        optional = "?" if sent and name not in required else ""
        fields.append(f"  {name}{optional}: {type_of(field)};")
    return "\n".join(["{", *fields, "}"])


def type_of(schema: dict[str, Any]) -> str:
    """The TypeScript of a JSON schema."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(literal(value) for value in schema["enum"])
    if "const" in schema:
        return literal(schema["const"])
    kind = schema.get("type")
    if kind == "array":
        return f"Array<{type_of(schema.get('items', {}))}>"
    if kind == "object":
        names = schema.get("propertyNames", {}).get("enum")
        key = " | ".join(map(literal, names)) if names else "string"
        return f"Record<{key}, {type_of(schema.get('additionalProperties', {}))}>"
    return SIMPLE[kind] if kind else "unknown"


def literal(value: object) -> str:
    """A constant as TypeScript writes it."""
    return "null" if value is None else f'"{value}"' if isinstance(value, str) else str(value).lower()


def comment(text: str, indent: str) -> list[str]:
    """What a type is for."""
    return [f"{indent}/** {' '.join(text.split())} */"] if text else []


if __name__ == "__main__":
    sys.stdout.write(write())
