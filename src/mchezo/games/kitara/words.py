"""The sentences of Kitara in four languages, from `words.toml`."""

from mchezo.core.words import Words

WORDS = Words(__package__)
