"""The artwork of Kiwara: animals, the totem, plants and grounds, each drawn around the point 0 0.

Animals fit into a circle of radius 27. `picture.py` outlines animals and totem in ink; parts without an outline say so.
"""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import NamedTuple

INK = "#2a190f"
WHITE = "#fffaf0"


def _both(half: str) -> str:
    """Return a shape and its mirror image."""
    return f'{half}<g transform="scale(-1 1)">{half}</g>'


_HORN = "M3-7C4-13 11.5-14 10.5-20C10-23 8-25 6-26"
_GAZELLE = (
    _both(
        f'<path d="{_HORN}" fill="none" stroke-width="4.6" stroke-linecap="round"/>'
        f'<path d="{_HORN}" fill="none" stroke="#b79a7c" stroke-width="2.2" stroke-dasharray="1.2 1.7"/>'
        '<path d="M5-4C10-11 18-12 24-8C21 0 13 4 6 2Z" fill="#b87333"/>'
        '<path d="M8-3C12-7 17-8 20.5-6.6C18-2 13 0 8 0Z" fill="#f6dcc0" stroke="none"/>'
    )
    + '<path d="M0-10C6-10 10-6.5 9.5 0C9 7 6 11 5.5 17C5.5 22 3 24.5 0 24.5C-3 24.5-5.5 22-5.5 17'
    'C-6 11-9 7-9.5 0C-10-6.5-6-10 0-10Z" fill="#c9833d"/>'
    '<g stroke="none">'
    + _both('<path d="M6.6-5C3-4 3.4 6 3.2 15C4.4 12 5.6 6 6.4 2Z" fill="#fff6e6"/>')
    + '<path d="M-4.6 16C-2 13 2 13 4.6 16C4.8 21 3 23.6 0 23.6C-3 23.6-4.8 21-4.6 16Z" fill="#fff6e6"/>'
    f'<path d="M-3 17.5C-1.5 16.5 1.5 16.5 3 17.5C2.5 20 1 21 0 21C-1 21-2.5 20-3 17.5Z" fill="{INK}"/>'
    + _both(f'<ellipse cx="6.6" rx="2.3" ry="2.8" fill="{INK}"/><circle cx="6.3" cy="-1" r=".9" fill="#fff"/>')
    + "</g>"
)

_ZEBRA = (
    f'<path d="M-1-21C4-26 12-25 17-19C23-12 25.5-2 25 10C24.8 15 23.5 19 21 22L13 22Z" fill="{WHITE}"/>'
    '<path d="M6-24L7-17M12-23L10-15M17.5-18.5L14-11M21.5-11.5L16-6M24-4L18 0M25 4L18 6M25 12L18 12'
    'M23 18.5L17 17.5" stroke-width="2.6"/>'
    '<path d="M-2-18C5-19 11-14 14-6C17 2 18 12 16 23C10 26 2 27-5 25C-3 20-2 15-3 11C-7 12-10 14-12 17'
    f'C-14 20-19 21-22 18C-25 15-24 11-21 8C-16 2-11-6-8-12C-6-16-4-18-2-18Z" fill="{WHITE}"/>'
    f'<g fill="{INK}" stroke="none">'
    '<path d="M14-5C9-3 3 0 1 5C5 3 10 0 15-1ZM16.5 4C10 4 3 6-1 12C4 10 11 9 17 9ZM17 14C10 12 3 14-2 20C4 18 11 18'
    ' 16.5 20ZM11-12C6-11 3-8 2-3C5-6 9-8 13-8Z"/>'
    '<path d="M-9-10C-5-9-2-7 0-4C-1-8-4-12-8-12.5ZM-13-3C-9-3-6-1-4 3C-5-2-8-6-11.5-6.5ZM-17 3C-13 2.5-10 4-8 8'
    'C-9 3-12-.5-15 0Z"/>'
    '<path d="M-21 8C-18 8-14 11-13 16C-14 20-19 21-22 18C-25 15-24 11-21 8Z"/>'
    '<ellipse cx="-4.5" cy="-8" rx="2" ry="2.3"/></g>'
    f'<path d="M-4-17C-5-22-3-25 0-27C4-24 5-19 3-15Z" fill="{WHITE}"/>'
    f'<path d="M-1-18C-2-21-1-23 0-24C2-22 2-19 1-17Z" fill="{INK}" stroke="none"/>'
)

_CROCODILE = (
    # hind leg, then the body with its toothed tail that curls over the back, then the fore leg
    '<path d="M13 13L14 21C14 22.5 21 22.5 22 20L20 11Z" fill="#557f35"/>'
    '<path d="M-2 17C6 20 14 20 19.9 15.5L24.4 13.8L22.7 10.2L26.8 7.5L24.5 4.5L27.7.9L24.9-1.5L27-5.8L23.8-7.4L24.7-12'
    "L21.3-12.9L21-17.5L17.6-17.6L16.1-21.9L12.9-21.3L10.4-25L7.4-23.8L4.1-26.6L1.5-24.9L-2.4-26.7L-4.5-24.5L-8.6-25.2"
    'L-10.2-22.7L-17-20.5C-3-23.5 7-21 12-14.5C15-10 16-5 14-1L6-2Z" fill="#78a84b"/>'
    '<path d="M1 14L-1 22.5C-1 24 7 24 8 22.5L9.5 14Z" fill="#648f3d"/>'
    # the mouth, the lower jaw, the upper jaw with its raised eye, and the teeth
    '<path d="M-9 4L5 6L4 12L-9 12Z" fill="#8f2f2c" stroke="none"/>'
    '<path d="M9 15C-4 20-15 20.5-23.5 18C-26 17-25.5 14-23 14L-6 12C-2 11.5 0 10 7 7Z" fill="#a3c76f"/>'
    '<path d="M14 5C14-1 12-4 9.5-6C9-11.5 1-12-.5-6.5C-2-4.5-4-4-6-4C-13-3.5-17-4-20-6C-23-8-27-6-26.5-2'
    'C-26.2 0-24.5 1-22.5 1.2L-7 5.5C-3 6.5-1 9 4 10C9 11 14 9 14 5Z" fill="#78a84b"/>'
    '<path d="M-22 1.4L-20.5 6.5L-18 2.4ZM-16.5 2.9L-15 8L-12.5 4ZM-11 4.4L-9.5 9L-7 5.5ZM-20 13.7L-18 8.5L-15.5 13.2Z'
    f'M-14 13L-12 8.5L-9.5 12.4Z" fill="{WHITE}" stroke-width=".9"/>'
    '<circle cx="4.3" cy="-5.8" r="3" fill="#f6dd55" stroke-width="1.2"/><path d="M3.9-7.5V-4" stroke-width="1.8"/>'
    f'<circle cx="-23" cy="-3.5" r="1.2" fill="{INK}" stroke="none"/>'
)

_ELEPHANT = (
    _both(
        '<path d="M8-14C14-23 27-20 27-7C27 4 20 13 11 9Z" fill="#848b98"/>'
        '<path d="M11-12C15-17 23.5-15 23.5-6C23.5 2 18 7 12 5Z" fill="#bb9ca2" stroke="none"/>'
        f'<path d="M6 7C9 12 13 15 17 14C15 19 8 20 4 12Z" fill="{WHITE}"/>'
    )
    + '<path d="M0-20C8-20 13-14 13-6C13 0 9 3 7.5 8C6.5 12 6 15 6.5 18C7 21 10 21 11 18L15 20C13 27 3 28 0 21'
    'C-2 17-5 14-7.5 8C-9 3-13 0-13-6C-13-14-8-20 0-20Z" fill="#9aa2ae"/>'
    '<path d="M-6 7C-2 8.5 3 8.5 6 7M-4.5 11.5C-1 12.5 3 12.5 5.5 11.5M-2.5 15.5C0 16.5 3 16.5 5 15.5'
    'M0 19.5C2 20 4 19.5 5.5 18.5" fill="none" stroke="#5d6470" stroke-width="1.3"/>'
    + _both(
        f'<ellipse cx="7" cy="-4" rx="2" ry="2.5" fill="{INK}" stroke="none"/>'
        '<path d="M10.5-7.5C9-9.5 6-9.5 4-8" fill="none" stroke="#5d6470" stroke-width="1.4"/>'
    )
)

_LION = (
    '<path d="M-4.7-20.5Q0-32.5 4.7-20.5Q14.1-29.3 13.1-16.4Q25.4-20.3 18.9-9.1Q31.7-7.2 21 0Q31.7 7.2 18.9 9.1'
    "Q25.4 20.3 13.1 16.4Q14.1 29.3 4.7 20.5Q0 32.5-4.7 20.5Q-14.1 29.3-13.1 16.4Q-25.4 20.3-18.9 9.1"
    'Q-31.7 7.2-21 0Q-31.7-7.2-18.9-9.1Q-25.4-20.3-13.1-16.4Q-14.1-29.3-4.7-20.5Z" fill="#74390f"/>'
    '<path d="M-4.6-15.8Q0-25.5 4.6-15.8Q13.8-21.5 12.5-10.8Q23.2-10.6 16.3-2.3Q25.2 3.6 15 6.9Q19.3 16.7 8.9 13.9'
    "Q7.2 24.5 0 16.5Q-7.2 24.5-8.9 13.9Q-19.3 16.7-15 6.9Q-25.2 3.6-16.3-2.3Q-23.2-10.6-12.5-10.8"
    'Q-13.8-21.5-4.6-15.8Z" fill="#b5651d" stroke="none"/>'
    + _both('<circle cx="11.5" cy="-11" r="4.6" fill="#e0a04a"/>')
    + '<path d="M0-14C8-14 13-8 13-1C13 5 10 8 9 12C8 16 4 18 0 18C-4 18-8 16-9 12C-10 8-13 5-13-1C-13-8-8-14 0-14Z"'
    ' fill="#f3bd63"/>'
    '<path d="M0 7C5 5 9 8 8.5 12C8 16 4 17.3 0 17.3C-4 17.3-8 16-8.5 12C-9 8-5 5 0 7Z" fill="#fff0d0" stroke="none"/>'
    '<path d="M-3-10C-3-3-4 2-4 5H4C4 2 3-3 3-10Z" fill="#dd9c45" stroke="none"/>'
    f'<path d="M-4.5 4.5C-2 3.5 2 3.5 4.5 4.5C4 8 1.5 9.5 0 9.5C-1.5 9.5-4 8-4.5 4.5Z" fill="{INK}" stroke="none"/>'
    '<path d="M0 9V12.5M-5 13C-3 14.5-1 14 0 12.5C1 14 3 14.5 5 13" fill="none" stroke-width="1.5"/>'
    + _both(
        f'<ellipse cx="6.5" cy="-2.5" rx="2" ry="2.4" fill="{INK}" stroke="none"/>'
        '<path d="M9.8-6C8-7.5 5.5-7.5 3.5-6" fill="none" stroke-width="1.5"/>'
    )
)

_OKAPI = (
    _both(
        '<path d="M3-13L5-21C6-22.5 8.5-22 8.5-20L8-12Z" fill="#4a2412"/>'
        '<path d="M7-7C11-18 20-21 25-19C26-10 19-1 9-1Z" fill="#6d3519"/>'
        '<path d="M11-6.5C14-13 19-16 22.5-16C22.5-10 17-4 11-4Z" fill="#eab9a2" stroke="none"/>'
    )
    + '<path d="M0-15C7-15 11-11 10.5-4C10 3 7 8 7 14C7 20 4 22.5 0 22.5C-4 22.5-7 20-7 14C-7 8-10 3-10.5-4'
    'C-11-11-7-15 0-15Z" fill="#7a3d1d"/><g stroke="none">'
    + _both('<path d="M10 0C10 5 7 8 6.3 13C3 12 2.5 8 4.5 4C6 1.5 8 0 10 0Z" fill="#f3e2cc"/>')
    + '<path d="M-6.3 14C-4 10.5 4 10.5 6.3 14C6.5 19.5 3.5 21.8 0 21.8C-3.5 21.8-6.5 19.5-6.3 14Z" fill="#33190c"/>'
    + _both(
        f'<circle cx="6.5" cy="-4" r="2.5" fill="{INK}"/><circle cx="6.2" cy="-4.9" r=".9" fill="#fff"/>'
        '<ellipse cx="2.6" cy="17" rx="1.2" ry=".8" fill="#b98e78"/>'
    )
    + "</g>"
)

WARTHOG = (  # small, for it also stands on a stone of the path
    _both('<path d="M5-10L10-16L13-8Z" fill="#7b5f4d"/>')
    + '<path d="M0-13C7-13 11-8 10-2C9 3 7 6 7 10C7 14 4 15 0 15C-4 15-7 14-7 10C-7 6-9 3-10-2C-11-8-7-13 0-13Z"'
    ' fill="#927361"/>'
    + _both(
        f'<path d="M6 8C10 9 13 6 13 1C10 4 8 4 6 4Z" fill="{WHITE}"/>'
        f'<circle cx="5" cy="-5" r="1.7" fill="{INK}" stroke="none"/>'
    )
    + '<path d="M-4 9H4C4 13-4 13-4 9Z" fill="#5b463a"/>'
)

_QUILLS = "".join(
    f"M{2 + 6 * sin(step * pi / 14):.1f} {9 - 6 * cos(step * pi / 14):.1f}"
    f"L{2 + reach * sin(step * pi / 14):.1f} {9 - reach * cos(step * pi / 14):.1f}"
    for step, reach in enumerate((27, 31, 27, 31, 27, 31, 27, 31, 27, 30, 26, 29, 25, 27), -6)
)
_PORCUPINE = (
    f'<g fill="none" stroke-linecap="round"><path d="{_QUILLS}" stroke-width="3.8"/>'
    f'<path d="{_QUILLS}" stroke="{WHITE}" stroke-width="2" stroke-dasharray="5 3"/></g>'
    '<path d="M-8 16V21H-3V17M8 16V21H13V16" fill="#3f2f27"/>'
    '<path d="M-2-1C-12-2-20 5-27 12C-28 15-25 17-21 17.5C-12 19 8 19 14 17C19 14 14 0-2-1Z" fill="#6b5344"/>'
    f'<g fill="{INK}" stroke="none"><circle cx="-16" cy="8.5" r="1.9"/><circle cx="-26" cy="13.5" r="2.2"/></g>'
    '<path d="M-11 4C-12 0-8-1-6 1" fill="#6b5344"/>'
)

_BODY = "M20-23A30 30 0 1 0 29 8Q30 4 26 1"
_BOA = (
    f'<g fill="none" stroke-linecap="round"><path d="{_BODY}" stroke-width="9.5"/>'
    f'<path d="{_BODY}" stroke="#4f9a45" stroke-width="6.5"/>'
    f'<path d="{_BODY}" stroke="#e9d36a" stroke-width="3" stroke-dasharray="1 8"/>'
    '<path d="M26-17L31-12M28.5-14.5L32.5-15.5M28.5-14.5L28-10.5" stroke="#c0392b" stroke-width="1.5"/>'
    '<ellipse rx="8" ry="6" fill="#4f9a45" transform="translate(21 -22) rotate(45)"/>'
    '<path d="M23.5-24.5h.01M18.8-19.8h.01" stroke-width="3"/></g>'
)

_BABOON = (
    _both(
        '<path d="M0-21C9-25 19-20 22-11C27-8 28 0 25 6C25 13 20 18 13 19L4 8Z" fill="#8a7a5c"/>'
        '<path d="M13-17L19-12M17-11L23-5M18-4L24 1M17 4L22 9M14 10L18 15" stroke="#5b4d36" stroke-width="1.4"/>'
        '<ellipse cx="14.5" cy="-7" rx="3.6" ry="4.6" fill="#6b4a44"/>'
    )
    + '<path d="M0-16C6-17 12-12 12-6C12-2 9 1 8 6C8 10 9 13 8 17C7 22 4 24 0 24C-4 24-7 22-8 17C-9 13-8 10-8 6'
    'C-9 1-12-2-12-6C-12-12-6-17 0-16Z" fill="#7d5a50"/>'
    '<path d="M0-4C3-4 4 0 4.5 6C6 9 7 13 6.5 17C6 20.5 3 22 0 22C-3 22-6 20.5-6.5 17C-7 13-6 9-4.5 6'
    'C-4 0-3-4 0-4Z" fill="#a97a6c" stroke="none"/>'
    '<path d="M-11-8C-7-11.5-3-10.5 0-8.5C3-10.5 7-11.5 11-8" fill="none" stroke-width="2.6" stroke-linecap="round"/>'
    + _both(
        '<circle cx="5" cy="-5" r="2.5" fill="#e3a23c" stroke-width="1"/>'
        f'<circle cx="4.8" cy="-5" r="1.3" fill="{INK}" stroke="none"/>'
        f'<ellipse cx="2.2" cy="12.5" rx="1.3" ry="1.9" fill="{INK}" stroke="none"/>'
    )
    + '<path d="M-5 18C-2 19.5 2 19.5 5 18" fill="none" stroke-width="1.5"/>'
)

_VULTURE = (
    # wings drawn up to the shoulders, the ruff, then the bald head with its hooked beak
    '<path d="M-14 26C-24 14-27-2-22-16C-17-21-11-17-8-8L-1 4L14 3C22 6 27 14 26 26Z" fill="#5a4636"/>'
    '<path d="M-20-8C-20 4-17 14-10 22M-14-8C-13 4-10 13-4 20M20 12C20 17 19 20 17 24M14 9C14 15 12 19 10 23"'
    ' fill="none" stroke="#3a2a1e" stroke-width="1.5"/>'
    f'<path d="M-9 9C-11 3-6 0-3 2C0-3 6-3 8 1C13-1 17 3 15 8C18 12 14 17 10 15C7 19 1 19-1 16C-6 18-11 14-9 9Z"'
    f' fill="{WHITE}"/>'
    '<path d="M1 9C-2-1-5-9 0-17C4-24 13-25 17-18C19-14 17-10 13-9C8-8 7-4 9 8Z" fill="#d99a8c"/>'
    '<path d="M2-2L7-3M3 3L8 2" fill="none" stroke="#a9675c" stroke-width="1.3"/>'
    '<path d="M14-20C20-21 26-18 26-12C26-8 24-6 22-5C22-9 20-10 15-9.5C12-12 12-17 14-20Z" fill="#e5b64c"/>'
    '<path d="M20-19.5C25-18 26-15 26-12C26-8 24-6 22-5C22-8 22-12 20-19.5Z" fill="#4d443c" stroke="none"/>'
    f'<circle cx="9.5" cy="-16" r="2.7" fill="#f6dd55" stroke-width="1"/>'
    f'<circle cx="10" cy="-16" r="1.4" fill="{INK}" stroke="none"/>'
)

_RHINOCEROS = (
    _both(
        '<path d="M6-15C6-22 11-27 17-26C20-20 18-13 12-9Z" fill="#858c92"/>'
        '<path d="M9-15C9-19 12-22.5 15-22.5C16-18 14.5-14 11.5-12Z" fill="#c39f9a" stroke="none"/>'
    )
    + '<path d="M0-18C9-18 15-12 14-4C13 2 12 6 13 12C14 20 8 25 0 25C-8 25-14 20-13 12C-12 6-13 2-14-4'
    'C-15-12-9-18 0-18Z" fill="#9aa1a6"/>'
    '<path d="M-11.5 12C-6 8 6 8 11.5 12C13 19 7 23.5 0 23.5C-7 23.5-13 19-11.5 12Z" fill="#b4babd" stroke="none"/>'
    '<path d="M-9-13C-5-10 5-10 9-13M-10.5 5C-8 3.5-6 3.5-4.5 4.5M10.5 5C8 3.5 6 3.5 4.5 4.5" fill="none"'
    ' stroke="#6b7278" stroke-width="1.5"/>'
    '<path d="M-3.6-1C-3-5-1.5-9 0-11C1.5-9 3-5 3.6-1Z" fill="#efe3c8"/>'
    '<path d="M-6.5 13C-6 4-3-4 1-9C3-3 6 5 6.5 13C3 15.5-3 15.5-6.5 13Z" fill="#f3ead4"/>'
    '<path d="M-5.5 10C-2 12 2 12 5.5 10" fill="none" stroke="#b9a787" stroke-width="1.3"/>'
    + _both(
        f'<ellipse cx="9.4" cy="-2" rx="1.9" ry="2.3" fill="{INK}" stroke="none"/>'
        f'<ellipse cx="7" cy="17.5" rx="1.6" ry="2" fill="{INK}" stroke="none"/>'
    )
)

_WILDEBEEST = (
    _both(
        '<path d="M2-13C9-11 17-10 19-15C21-19 18-23 15-25C22-25 27-20 25-12C23-5 12-3 2-6Z" fill="#d8c29a"/>'
        '<path d="M8-3C13-6 19-5 22-1C19 4 12 4 8 2Z" fill="#6f5b4d"/>'
    )
    + '<path d="M-5 18C-7 22-4 27 0 28C4 27 7 22 5 18Z" fill="#e4d4b6"/>'
    '<path d="M0-13C6-13 10-9 9.5-2C9 5 7 9 7.5 14C8 20 4 23 0 23C-4 23-8 20-7.5 14C-7 9-9 5-9.5-2'
    'C-10-9-6-13 0-13Z" fill="#5c4a40"/>'
    '<path d="M-6-14C-4-18 4-18 6-14C4-9 3-6 3.5-1L0 5L-3.5-1C-3-6-4-9-6-14Z" fill="#2f2520"/>'
    '<path d="M-6.6 14C-4 11 4 11 6.6 14C7 19.5 3.5 22 0 22C-3.5 22-7 19.5-6.6 14Z" fill="#3a2e28" stroke="none"/>'
    + _both(
        f'<ellipse cx="6.6" cy="-1" rx="1.9" ry="2.3" fill="{INK}" stroke="none"/>'
        '<circle cx="6.3" cy="-1.8" r=".8" fill="#fff" stroke="none"/>'
        '<ellipse cx="3" cy="16.5" rx="1.3" ry="1.7" fill="#a48672" stroke="none"/>'
    )
)

_HYENA = (
    _both(
        '<path d="M6-12C7-21 13-26 20-25C25-18 22-8 14-3Z" fill="#a98a5b"/>'
        '<path d="M9.5-12C10.5-18 14.5-21.5 18.5-21.5C21-16 18.5-10.5 13.5-7Z" fill="#6d4b3a" stroke="none"/>'
    )
    + '<path d="M-4-15C-3-21 0-25 0-25C0-25 3-21 4-15Z" fill="#5c4229"/>'
    '<path d="M0-16C9-16 16-10 16-2C16 5 11 9 9 13C8 19 5 24 0 24C-5 24-8 19-9 13C-11 9-16 5-16-2C-16-10-9-16 0-16Z"'
    ' fill="#c9a873"/>'
    '<path d="M0 2C4 2 7 6 8 11C8 18 5 23 0 23C-5 23-8 18-8 11C-7 6-4 2 0 2Z" fill="#4e3a30" stroke="none"/>'
    '<path d="M-4.5 8C-2 6.8 2 6.8 4.5 8C4 11.5 1.5 13 0 13C-1.5 13-4 11.5-4.5 8Z" fill="#1c120c" stroke="none"/>'
    f'<path d="M-6 15.5C-3 18 3 18 6 15.5L5 19C2 21-2 21-5 19Z" fill="{WHITE}" stroke-width="1"/>'
    + _both(
        '<path d="M3-12h.01M8-11h.01M5.5-8.5h.01M12.5-6h.01M13 0h.01M11 4h.01" fill="none" stroke="#6d4b2c"'
        ' stroke-width="3" stroke-linecap="round"/>'
        '<circle cx="6.8" cy="-2.5" r="2.6" fill="#f0c34a" stroke-width="1"/>'
        f'<circle cx="6.5" cy="-2.4" r="1.4" fill="{INK}" stroke="none"/>'
    )
)

_GIRAFFE = (
    _both(
        '<path d="M3-14L4-22C2-25 5-28 8-26C10-25 10-22 8-21L8-13Z" fill="#8a5526"/>'
        '<path d="M8-7C13-13 20-14 25-10C22-4 15 0 9-2Z" fill="#d9a954"/>'
        '<path d="M11-6C15-9 18-10 21.5-9C19-5.5 15-3.5 11-4Z" fill="#f3cdb2" stroke="none"/>'
    )
    + '<path d="M0-16C7-16 11-11 10-4C9 3 6.5 7 7.5 13C8.5 20 5 25 0 25C-5 25-8.5 20-7.5 13C-6.5 7-9 3-10-4'
    'C-11-11-7-16 0-16Z" fill="#ecc26c"/>'
    '<g stroke="none" fill="#a8672b"><path d="M-4-14L0-11L4-14L2.5-15.3H-2.5ZM-2.8-8L0-9.5L2.8-8L2 -3H-2Z"/>'
    + _both('<path d="M4.6-12L8-11L9-7.5L5.5-9ZM4 3L7.5 1L6.5 6L4.2 8Z"/>')
    + "</g>"
    '<path d="M-6.8 14C-4 10.5 4 10.5 6.8 14C7.6 20 4.5 24 0 24C-4.5 24-7.6 20-6.8 14Z" fill="#f6e2b4" stroke="none"/>'
    + _both(
        f'<ellipse cx="6.8" cy="-3.5" rx="2.2" ry="2.8" fill="{INK}" stroke="none"/>'
        '<circle cx="6.4" cy="-4.5" r=".9" fill="#fff" stroke="none"/>'
        f'<ellipse cx="2.8" cy="15.5" rx="1" ry="1.6" fill="{INK}" stroke="none" transform="rotate(-20 2.8 15.5)"/>'
    )
    + '<path d="M-3.5 20.5C-1.5 22 1.5 22 3.5 20.5" fill="none" stroke-width="1.3"/>'
)

ANIMALS = {"G": _GAZELLE, "Z": _ZEBRA, "C": _CROCODILE, "E": _ELEPHANT, "L": _LION}
HELPERS = {  # on the cards
    "okapi": _OKAPI,
    "boa": _BOA,
    "baboon": _BABOON,
    "vulture": _VULTURE,
    "rhinoceros": _RHINOCEROS,
    "porcupine": _PORCUPINE,
    "wildebeest": _WILDEBEEST,
    "hyena": _HYENA,
    "warthog": f'<g transform="scale(1.6)" stroke-width="1">{WARTHOG}</g>',
    "giraffe": _GIRAFFE,
}

TOTEM = (
    '<ellipse cx="2" cy="13" rx="14" ry="5" fill="#000" fill-opacity=".4" stroke="none"/>'
    '<path d="M-10 8H10L12 14H-12Z" fill="#5a3216"/>'
    '<path d="M-8 9C-9 4-8-2-9-7H9C8-2 9 4 8 9Z" fill="#8a4f22"/>'
    '<path d="M-8.5 6L-4 1.5L0 6L4 1.5L8.5 6" fill="none" stroke="#ffe9b0" stroke-width="2"/>'
    '<path d="M-7-27C-16-25-19-31-16-38C-14-33-10-33-6-34ZM7-27C16-25 19-31 16-38C14-33 10-33 6-34Z" fill="#f3dcae"/>'
    '<path d="M-5-31L-3.5-39H3.5L5-31Z" fill="#d9472b"/>'
    '<path d="M0-34C8-34 11.5-29 11-20C10.5-10 6-2 0-1C-6-2-10.5-10-11-20C-11.5-29-8-34 0-34Z" fill="#b06a30"/>'
    '<path d="M-1.8-24L-2.8-11H2.8L1.8-24Z" fill="#6d3a17" stroke="none"/>'
    '<path d="M-9-19Q-5.5-23.5-2.5-19Q-5.5-16.5-9-19ZM9-19Q5.5-23.5 2.5-19Q5.5-16.5 9-19Z" fill="#ffe9b0"'
    ' stroke-width="1.2"/>'
    '<ellipse cy="-6" rx="3" ry="1.7" fill="#ffe9b0" stroke-width="1"/>'
    '<path d="M-8.5-13.5L-5-12M8.5-13.5L5-12M-7.5-10L-4.8-8.8M7.5-10L4.8-8.8M-3-29.5H3M0-29.5V-26.5" fill="none"'
    ' stroke="#ffe9b0" stroke-width="1.6" stroke-linecap="round"/>'
)

ACACIA = (
    '<ellipse cx="2" cy="15" rx="13" ry="3.5" opacity=".25"/>'
    '<path d="M-1.5 15C-1 8-3 3-8-2M1.5 15C1.5 8 3 2 9-4M0 8V-4" fill="none" stroke="#4a2c14" stroke-width="2.6"/>'
    '<path d="M-18-2C-17-8-12-9-10-9C-9-14-2-15 1-13C5-16 11-14 12-10C16-10 18-6 18-2C12 1-12 1-18-2Z" fill="#5c7429"/>'
    '<path d="M-14-4C-12-7-9-7-7-7C-5-11 0-12 2-10C6-12 9-11 10-8" fill="none" stroke="#93ab4c" stroke-width="2"/>'
)

SCRUB = (  # in front of a hidden animal: far blades, peeping eyes, near blades
    '<path d="M-24 18C-24 4-22-4-25-12C-18-4-16 6-15 18C-14 2-14-8-11-17C-8-6-8 6-7 18C-6 4-2-6-3-15C3-6 3 8 4 18'
    'C5 4 8-6 12-15C12-4 12 8 13 18C15 6 18-4 22-11C21 0 22 8 23 18Z" fill="#4d6a1c"/>'
    f'<g fill="#fffbe6" stroke="{INK}" stroke-width="1.2"><ellipse cx="-5" cy="1" rx="4" ry="4.6"/>'
    '<ellipse cx="6" cy="1" rx="4" ry="4.6"/></g>'
    f'<g fill="{INK}"><circle cx="-4.2" cy="1.6" r="1.9"/><circle cx="6.8" cy="1.6" r="1.9"/></g>'
    '<path d="M-27 14C-26 8-25 4-26 0C-21 4-20 10-19 16C-18 8-18 0-20-6C-13 0-12 8-11 16C-10 8-8 4-6 0C-4 6-4 10-3 16'
    "C-3 8 1 0 0-5C5 2 5 10 6 16C7 10 9 4 13 0C12 6 12 12 14 16C15 8 18 2 21-4C20 4 20 10 20 14C22 8 24 6 26 2"
    'C26 6 26 10 27 14C20 30-20 30-27 14Z" fill="#8fae3c" stroke="#2f4410"/>'
)


class Ground(NamedTuple):
    """The ground of a territory: its tint, and the colours, shape and places of what grows or lies there."""

    tint: str
    ink: str
    filling: str
    glyph: str
    spots: Sequence[tuple[int, int]]


GROUNDS = {
    "A": Ground(  # ripples of sand
        "#efe0ae",
        "#b39350",
        "none",
        "q5-5 10 0t10 0",
        ((-33, -27), (-2, -30), (13, -17), (-32, 12), (-34, 29), (-8, 29), (14, 26), (-20, -10), (-2, 3), (13, 12)),
    ),
    "B": Ground(  # tufts of grass
        "#b7c67e",
        "#5f7630",
        "none",
        "q-1-5-5-8m5 8q0-6 1-11m-1 11q1-5 6-7",
        ((-26, -21), (25, -20), (-26, 31), (26, 31), (2, -3), (-5, 27), (-2, -25), (27, 6), (-27, 6)),
    ),
    "C": Ground(  # cracked clay
        "#e0b28a",
        "#9a6239",
        "none",
        "M-36-20L-24-17L-17-25L-19-36M-24-17L-27-5L-36 1M-27-5L-14 3L-8-4L-17-25M-14 3L-16 17L-29 20L-36 14M-29 20"
        "L-27 36M-16 17L-3 25L-5 36M-8-4L7-9L9-24L1-36M9-24L25-21L36-28M25-21L27-4L15 2L7-9M27-4L36 0M15 2L16 19"
        "L-3 25M16 19L28 22L36 15M28 22L25 36",
        ((0, 0),),
    ),
    "D": Ground(  # umbrella trees
        "#9fc6b0",
        "#37694f",
        "#6f9f86",
        "v-6l-4-3m4 3l4-3m-11-1q0-4 4-4q2-3 6-2q4-1 5 2q3 1 3 4z",
        ((-23, -16), (22, -15), (-22, 30), (22, 30), (0, 7)),
    ),
    "E": Ground(  # flowers
        "#d4bfd0",
        "#7d5279",
        "#efe5ed",
        "q-6-7 0-7t0 7q7-6 7 0t-7 0q6 7 0 7t0-7q-7 6-7 0t7 0",
        ((-25, -25), (25, -24), (-25, 25), (26, 26), (-3, -3)),
    ),
    "F": Ground(  # pebbles
        "#c6bdab",
        "#6f6454",
        "#dfd9cc",
        "m-6 0a6 4 0 1 0 12 0a6 4 0 1 0-12 0m11 5a3 2 0 1 0 6 0a3 2 0 1 0-6 0",
        ((-26, -27), (22, -26), (-27, 24), (22, 26), (-4, -2)),
    ),
}

# The signs of the territories, about 14 wide, drawn with a pen: what grows or lies there.
TERRITORY_SIGNS = {
    "A": "M-7 4Q-3.5-1 0 4T7 4M-7-1Q-3.5-6 0-1T7-1",
    "B": "M-1.4 6Q-2 0-6-3M0 6V-6M1.4 6Q2 0 6-3",
    "C": "M-7-2L-2 0L0-6M-2 0L-4 6M-2 0L3 1L7-4M3 1L5 6",
    "D": "M0 6V0M-6.5 0Q-6.5-3-3.5-3Q-3-6.5 0-6.5T3.5-3Q6.5-3 6.5 0Z",
    "E": "M0 0Q-4.4-6 0-6T0 0Q6-4.4 6 0T0 0Q4.4 6 0 6T0 0Q-6 4.4-6 0T0 0Z",
    "F": "M-7 3Q-7-1.6-3-1.6T1 3Q-3 5.6-7 3ZM0-1.6Q.4-5.4 3.8-5.4T7-.6Q5 2 1 1",
}
# A puff of dust behind an animal that flees.
DUST = (
    '<g fill="#fff3d6" stroke="#a8824a" stroke-width="1.4"><circle cx="-12" cy="10" r="8"/>'
    '<circle cx="11" cy="11" r="7"/><circle cy="4" r="9.5"/>'
    '<circle cx="-20" cy="16" r="4"/><circle cx="20" cy="17" r="3.6"/></g>'
    '<path d="M-8 20H-18M2 22H-6M16 22H8" stroke="#a8824a" stroke-width="1.8" stroke-linecap="round"/>'
)
