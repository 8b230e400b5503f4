"""Attacks on a running server by one stranger, measured by what honest players notice.

`python -m soak.attacks --src CHECKOUT/src [--only C1,H2] [--json FILE] [--before FILE]` runs them one after the other.
Every attack gets a server of its own with a new database and limited memory. Honest players connect from 127.0.1.1, the
attacker from 127.0.2.x, so that limits by address prefix can tell them apart. Nothing here imports the server: attacks
know only its public interface.
"""
