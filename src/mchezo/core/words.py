"""Sentences for people in four languages, looked up by key; a sentence's gaps are filled with named values."""

import re
import tomllib
from functools import cached_property
from importlib.resources import files

LANGUAGES = ("en", "de", "fr", "nl")


def unbroken(text: str, language: str) -> str:
    """No line ends before a %, nor at the spaces that French has beside its signs."""
    return re.sub("(?<=«) | (?=[%:;?!»])" if language == "fr" else " (?=%)", "\u00a0", text)


class Words:
    """The sentences of one package, from the `words.toml` beside its code."""

    def __init__(self, package: str) -> None:
        self.package = package

    @cached_property
    def sentences(self) -> dict[str, dict[str, str]]:
        """Key -> language -> sentence."""
        text = files(self.package).joinpath("words.toml").read_text(encoding="utf-8")
        return {
            key: {language: unbroken(said, language) for language, said in sentence.items()}
            for key, sentence in tomllib.loads(text).items()
        }

    def say(self, key: str, language: str = "en", **values: object) -> str:
        """The sentence of that key in that language."""
        return self.sentences[key][language].format(**values)


WORDS = Words("mchezo.core")
