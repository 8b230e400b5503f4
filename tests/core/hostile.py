"""Hostile texts: grammars that come close to records, packs and positions, and mutations of valid ones."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

SIGNS = st.sampled_from(
    [
        *(
            "[",
            "]",
            "{",
            "}",
            '"',
            "'",
            "\\",
            ".",
            ",",
            "=",
            "#",
            "/",
            "-",
            "+",
            "*",
            "\n",
            "\r",
            "\0",
            "\x1b",
            "\ufeff",
        ),
        *("é", "1e999", "nan", "-0", "99999999999999999999", "0x", "true", "  ", "\u2028", "\U0001f9ed", "a.a", "[["),
    ]
)
NUMBERS = st.sampled_from(["0", "9", "-1", "1e999", "4294967296", "0.0"])
ANYTHING = SIGNS | st.text(max_size=8)


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[str]) -> str:
    """Return a valid text after a few cuts, insertions, repetitions and exchanges."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 6))):
        begin = draw(st.integers(0, len(text)))
        end = min(len(text), begin + draw(st.integers(0, 40)))
        change = draw(st.sampled_from(["cut", "insert", "repeat", "exchange", "number"]))
        if change == "cut":
            text = text[:begin] + text[end:]
        elif change == "insert":
            text = text[:begin] + draw(ANYTHING) + text[begin:]
        elif change == "repeat":
            text = text[:begin] + text[begin:end] * draw(st.integers(2, 30)) + text[end:]
        elif change == "number":
            digits = [at for at, letter in enumerate(text) if letter.isdigit()]
            if digits:
                at = draw(st.sampled_from(digits))
                text = text[:at] + draw(NUMBERS) + text[at + 1 :]
        else:
            text = text[:begin] + draw(ANYTHING) + text[end:]
    return text
