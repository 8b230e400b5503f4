"""Random play in Pgx on the CPU: `python bench/pgx_play.py GAME CORES BATCH` prints actions per second.

Runs in its own process because JAX claims all visible cores on first use.
"""

import os
import sys
import time
from typing import Any

game, cores, batch = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:cores]))
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402, after the settings
import jax.numpy as jnp  # noqa: E402, after the settings
import pgx  # noqa: E402, after the settings
from pgx.experimental import auto_reset  # noqa: E402, after the settings

STEPS = 20

env = pgx.make(game)
step = jax.vmap(auto_reset(env.step, env.init))


def one(state: Any, key: Any) -> tuple[Any, None]:
    """Apply a random legal action in every game."""
    for_action, for_chance = jax.random.split(key)
    actions = jax.random.categorical(for_action, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
    return step(state, actions, jax.random.split(for_chance, batch)), None


play = jax.jit(lambda state, keys: jax.lax.scan(one, state, keys)[0])
state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), batch))
best = 0.0
for turn in range(4):
    keys = jax.random.split(jax.random.PRNGKey(turn), STEPS)
    began = time.perf_counter()
    state = jax.block_until_ready(play(state, keys))
    if turn:  # the first run compiles
        best = max(best, batch * STEPS / (time.perf_counter() - began))
print(best)
