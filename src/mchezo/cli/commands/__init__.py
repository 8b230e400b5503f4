"""The commands with their parameters and help. Imports are deferred so that help does not load the compiler."""
