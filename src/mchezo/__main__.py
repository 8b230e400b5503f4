"""`python -m mchezo`."""

from mchezo.cli import main

main()
