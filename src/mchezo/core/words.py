"""Sentences in four languages, looked up by key and formatted with named values."""

import re
from functools import cached_property

from mchezo.core.data import read_toml

LANGUAGES = ("en", "de", "fr", "nl")


def unbroken(text: str, language: str) -> str:
    """Put non-breaking spaces before % and, in French, beside punctuation."""
    return re.sub("(?<=«) | (?=[%:;?!»])" if language == "fr" else " (?=%)", "\u00a0", text)


class Words:
    """The sentences of one package, from its `words.toml`."""

    def __init__(self, package: str) -> None:
        self.package = package

    @cached_property
    def sentences(self) -> dict[str, dict[str, str]]:
        """Key -> language -> sentence."""
        return {
            key: {language: unbroken(said, language) for language, said in sentence.items()}
            for key, sentence in read_toml(self.package, "words.toml").items()
        }

    def say(self, key: str, language: str = "en", **values: object) -> str:
        """Return the sentence of that key in that language."""
        return self.sentences[key][language].format(**values)


WORDS = Words("mchezo.core")
