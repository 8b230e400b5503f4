"""Coverage-guided fuzzing of what clients send."""

import os

# Compiled rules would be invisible to the fuzzer, and would first take minutes to compile.
os.environ["NUMBA_DISABLE_JIT"] = "1"
