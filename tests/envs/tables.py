"""The tables of docs/research.md, generated from the games' encodings: `python -m tests.envs.tables` rewrites them."""

from pathlib import Path

from mchezo.core import registry
from mchezo.core.encoding import Block, starts

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def table(blocks: tuple[Block, ...]) -> str:
    """Return a table of blocks: offset, name, shape and meaning of each."""
    lines = ["| from | name | shape | |", "| ---: | --- | --- | --- |"]
    for block, first in zip(blocks, starts(blocks), strict=True):
        shape = " x ".join(map(str, block.shape))
        lines.append(f"| {first} | `{block.name}` | {shape} | {block.meaning} |")
    return "\n".join(lines)


def tables(name: str) -> str:
    """Return the tables of a game's observations and actions."""
    encoding = registry.find(name).encoding
    return (
        f"Observation, {encoding.size} numbers:\n\n{table(encoding.observation)}\n\n"
        f"Actions, {encoding.action_count}:\n\n{table(encoding.actions)}"
    )


def written(page: str) -> str:
    """Return the page with all tables regenerated."""
    for name in registry.names():
        opened, closed = f"<!-- {name} -->\n", "<!-- end -->"
        before, _, rest = page.partition(opened)
        page = before + opened + tables(name) + "\n" + rest[rest.index(closed) :]
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
