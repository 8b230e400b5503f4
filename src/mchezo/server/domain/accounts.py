"""Accounts: user names that cannot be mistaken for others, and recovery phrases."""

from __future__ import annotations

import hmac
import unicodedata

from mchezo.server.domain.context import clean_name
from mchezo.server.errors import TableError

MIN_NAME, MAX_NAME = 2, 24  # characters
# Letters that look like others: Cyrillic, Greek, digits and letters that many typefaces draw alike.
LOOKALIKES = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕԁԛԝһ", "abekmhopctyxijsdqwh", strict=True)),
        **dict(zip("αβεηικνορτυχω", "abenikvoptuxw", strict=True)),
        **dict(zip("01358@$|!", "oleebasll", strict=True)),
        **dict(zip("i\u0131łøđħŧ", "lllodht", strict=True)),
    }
)
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
    if not any(letter.isalpha() for letter in name) or len({script(letter) for letter in name if letter.isalpha()}) > 1:
        raise TableError("bad-request", "name-letters")
    looks = skeleton(name)
    if looks in {skeleton(word) for word in RESERVED} or any(skeleton(word) in looks for word in ABUSIVE):
        raise TableError("not-possible", "name-reserved")
    return name


def script(letter: str) -> str:
    """Return the script of a letter, as its Unicode name begins."""
    return unicodedata.name(letter, "UNKNOWN").partition(" ")[0]


def skeleton(name: str) -> str:
    """Return what a name looks like: two names with the same skeleton could be mistaken for each other."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(letter for letter in plain if letter.isalnum() or letter in "@$|!")
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
