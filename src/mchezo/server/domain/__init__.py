"""The table as pure values: event log, state, commands, clocks. No I/O, no clock and no randomness of its own."""
