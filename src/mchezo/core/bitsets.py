"""Sets as bits of one integer: counting the members and numbering a single one.

Each is one machine instruction in compiled code (`core/instructions.py`); what is written here is interpreted.
"""

from mchezo.core.compiled import instruction
from mchezo.core.structs import bits, wide


@instruction
def popcount(members: int) -> int:
    """Return the number of members of a set."""
    return wide(int(bits(members)).bit_count())


@instruction
def bit_index(single: int) -> int:
    """Return the number of the only member of a set."""
    return wide(int(bits(single)).bit_length() - 1)
