"""Accounts: user names that cannot be mistaken for others, and recovery phrases."""

from __future__ import annotations

import hmac
import unicodedata

from mchezo.server.domain.context import INVISIBLE, clean_name
from mchezo.server.errors import TableError

MIN_NAME, MAX_NAME = 2, 24  # characters
# Letters that look like others: Cyrillic, Greek, digits and letters that many typefaces draw alike.
LOOKALIKES = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕԁԛԝһӏүғԍѡ", "abekmhopctyxijsdqwhlyfgw", strict=True)),
        **dict(zip("αβγεηικνορτυχω", "abyenikvoptuxw", strict=True)),
        **dict(zip("օհոսցյ", "ohnugj", strict=True)),
        **dict(zip("01358@$|!", "oleebasll", strict=True)),
        **dict(zip("i\u0131łøđħŧ", "lllodht", strict=True)),
    }
)
# Scripts that people write in every day. Others have letters that look like these, and nobody's name in them.
SCRIPTS = (
    *("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "ETHIOPIC", "THAANA", "SYRIAC"),
    *("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA"),
    *("THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER", "MONGOLIAN", "HANGUL", "HIRAGANA", "KATAKANA", "BOPOMOFO", "CJK"),
)
LATIN = frozenset("abcdefghijklmnopqrstuvwxyzßæœøłđðþħŧŋə\u0131")  # of the alphabets in use, without accents
RESERVED = ("mchezo", "admin", "administrator", "moderator", "operator", "computer", "guest", "bot", "server", "system")
# Words that are nobody's name, in the spelling that `skeleton` gives; an operator can rename whoever finds another.
ABUSIVE = (
    *("nigger", "nigga", "faggot", "hitler", "nazi", "kanake", "neger", "fotze", "hurensohn", "arschloch", "wichser"),
    *("encule", "negre", "salope", "connard", "kanker", "klootzak", "fuck", "cunt"),
)

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
WORDS, WORD_BITS = 5, 16


def check_user_name(name: str) -> str:
    """Return a user name as it is kept; refuse one that is too short, mixes scripts or is not a person's."""
    name = unicodedata.normalize("NFC", clean_name(name))
    if not MIN_NAME <= len(name) <= MAX_NAME:
        raise TableError("bad-request", "name-length", least=MIN_NAME, most=MAX_NAME)
    if not all(letter.isalnum() or letter in " _-.'" or unicodedata.combining(letter) for letter in name):
        raise TableError("bad-request", "name-letters")
    scripts = {script(letter) for letter in name if letter.isalpha()}
    if len(scripts) != 1 or not scripts.issubset(SCRIPTS) or (scripts == {"LATIN"} and not is_plain_latin(name)):
        raise TableError("bad-request", "name-letters")
    looks = skeleton(name)
    if looks in {skeleton(word) for word in RESERVED} or any(skeleton(word) in looks for word in ABUSIVE):
        raise TableError("not-possible", "name-reserved")
    return name


def script(letter: str) -> str:
    """Return the script of a letter, as its Unicode name begins."""
    return unicodedata.name(letter, "UNKNOWN").partition(" ")[0]


def is_plain_latin(name: str) -> bool:
    """Return whether all letters are those of alphabets, not phonetic or decorative ones."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return all(letter in LATIN for letter in plain if letter.isalpha())


def skeleton(name: str) -> str:
    """Return what a name looks like: two names with the same skeleton could be mistaken for each other."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(letter for letter in plain if (letter.isalnum() or letter in "@$|!") and letter not in INVISIBLE)
    return letters.translate(LOOKALIKES).replace("rn", "m").replace("vv", "w")


def phrase_of(number: int) -> str:
    """Return a number of eighty bits as a recovery phrase: five words that can be pronounced in every language."""
    return " ".join(word(number >> WORD_BITS * place & ((1 << WORD_BITS) - 1)) for place in range(WORDS))


def word(number: int) -> str:
    """Return a number of sixteen bits as a word: consonant, vowel, consonant, vowel, consonant."""
    first, low = divmod(number, 1 << 12)
    second, low = divmod(low, 1 << 10)
    third, low = divmod(low, 1 << 6)
    fourth, fifth = divmod(low, 1 << 4)
    return CONSONANTS[first] + VOWELS[second] + CONSONANTS[third] + VOWELS[fourth] + CONSONANTS[fifth]


def phrase_hash(secret: bytes, phrase: str) -> str:
    """Return what is stored of a phrase: it cannot be computed backwards, and spelling variants are the same."""
    letters = "".join(letter for letter in phrase.casefold() if letter.isalnum())
    return hmac.digest(secret, f"phrase {letters}".encode(), "sha256").hex()
