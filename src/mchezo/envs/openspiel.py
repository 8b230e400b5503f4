"""The games in OpenSpiel: importing this module registers each as `mchezo_NAME`, for example `mchezo_kitara`.

Start options are parameters, written as in records, except `yes` and `no` for booleans and `;` for a comma, which
OpenSpiel parses itself. Chance is explicit, with outcomes numbered from 0; a random set-up is determined by the
parameter `seed`.

>>> import pyspiel, mchezo.envs.openspiel
>>> game = pyspiel.load_game("mchezo_kitara(players=3)")
>>> game.num_distinct_actions()
3104
"""

import json
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from mchezo.core import kernels, registry
from mchezo.core.encoding import Floats
from mchezo.core.options import Option
from mchezo.core.rng import new_rng
from mchezo.core.structs import CHANCE, OVER, Actions, Structs, Weights
from mchezo.envs.episode import observe

HIDDEN = "?"  # public notation of an action that only one seat may see
HIDDEN_CODE = 0xFFFF
CHANCE_PLAYER, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
YES_NO = {"yes": True, "no": False}


def game_type(name: str) -> pyspiel.GameType:
    """Return the metadata of a game."""
    game = registry.find(name)
    kinds = pyspiel.GameType
    several = any(option.name == "players" for option in game.setup.options)
    information = kinds.Information
    return pyspiel.GameType(
        short_name=f"mchezo_{name}",
        long_name=f"{game.title} by {game.author}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if game.encoding.chance else kinds.ChanceMode.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if game.notation.secret else information.PERFECT_INFORMATION,
        utility=kinds.Utility.CONSTANT_SUM if several else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=4 if several else 2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seed": 0} | {option.name: option.default or "" for option in game.setup.options},
    )


def read_parameter(option: Option, value: Any) -> Any:
    """Convert an OpenSpiel parameter to a start option."""
    if not isinstance(value, str):
        return value
    if isinstance(option.default, bool):
        return YES_NO.get(value, value)
    return option.read(value.replace(";", ","))


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game with its options."""

    def __init__(self, name: str, parameters: dict[str, Any]) -> None:
        self.rules = registry.find(name)
        self.encoding = self.rules.encoding
        options = {
            option.name: read_parameter(option, parameters[option.name])
            for option in self.rules.setup.options
            if parameters[option.name] != (option.default or "")
        }
        self.start = self.rules.start(seed=parameters["seed"], chance="manual", **options)
        self.longest, self.chances = self.encoding.longest(self.start.setups)
        players = len(self.start.seats)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.action_count,
            max_chance_outcomes=len(self.encoding.chance),
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=2.0 - players,
            max_game_length=self.longest,
        )
        super().__init__(game_type(name), info, parameters)

    def max_chance_nodes_in_history(self) -> int:
        """Return the most chance nodes in a game."""
        return self.chances

    def new_initial_state(self) -> "SpielState":
        """Return the initial state."""
        return SpielState(self)

    def make_py_observer(self, observed: Any = None, parameters: Any = None) -> "Observer | None":
        """Return an observer; only single-player observations are supported."""
        if parameters:
            raise ValueError(f"observers of this game have no parameters, but {parameters} was given")
        if not isinstance(observed, pyspiel.IIGObservationType):
            return Observer(self, recalls=False)
        if observed.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not observed.public_info:
            return None
        return Observer(self, recalls=observed.perfect_recall)


class SpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state. OpenSpiel copies its attributes, so there are few of them, and the growing ones are immutable."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.written = PublicHistory("", b"", game.start.states)
        self.unwritten = b""  # the actions since then, of four bytes each
        self.put(game.start.states)

    def put(self, states: Structs) -> None:
        """Copy a position."""
        self.table = states.copy()
        self._look()

    def _look(self) -> None:
        """Find out who decides and what is legal."""
        game = self.get_game()
        actions, weights = self._room(game)
        self._keep(kernels.look(self.table, game.start.setups, actions, weights), actions)

    @staticmethod
    def _room(game: SpielGame) -> tuple[Actions, Weights]:
        most = game.rules.rules.most_choices
        return np.empty(most, np.int32), np.empty(most, np.int32)

    def _keep(self, found: int, actions: Actions) -> None:
        """Keep the result of a survey: who decides, with OpenSpiel's ids for chance and the end, and the actions."""
        count, decider = divmod(int(found), kernels.DECIDERS)
        self.player = decider + OVER if decider > CHANCE - OVER else (TERMINAL, CHANCE_PLAYER)[decider]
        self.listed = actions[:count].tobytes()

    # OpenSpiel's API, in its order.

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's ids for chance and terminal states."""
        return self.player

    # Callers in Python reach these three directly. OpenSpiel's own would ask this class again for each answer.

    def is_chance_node(self) -> bool:
        """Return whether chance decides."""
        return self.player == CHANCE_PLAYER

    def is_player_node(self) -> bool:
        """Return whether a seat decides."""
        return self.player >= 0

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a seat, or of whoever decides."""
        if self.player >= 0 and player in (None, self.player):
            return self._legal_actions(self.player)
        return list(super().legal_actions() if player is None else super().legal_actions(player))

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions of the seat to move, sorted."""
        return sorted(memoryview(self.listed).cast("i"))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance outcomes, numbered from 0, with their probabilities."""
        game = self.get_game()
        actions, weights = self._room(game)
        count = kernels.list_choices(self.table, game.start.setups, actions, weights)
        first, total = game.encoding.chance.start, int(weights[:count].sum())
        pairs = zip(actions[:count].tolist(), weights[:count].tolist(), strict=True)
        return sorted((action - first, weight / total) for action, weight in pairs)

    def _action(self, player: int, number: int) -> int:
        """Convert an OpenSpiel action, whose chance outcomes are numbered from 0, to ours."""
        return int(number) + (self.get_game().encoding.chance.start if player == CHANCE_PLAYER else 0)

    def _apply_action(self, number: int) -> None:
        """Apply a legal action of a player or of chance."""
        game = self.get_game()
        action = number + game.encoding.chance.start if self.player == CHANCE_PLAYER else number
        self.unwritten += action.to_bytes(4, "little")
        actions, weights = self._room(game)
        self._keep(kernels.advance(self.table, self.table, game.start.setups, action, actions, weights), actions)

    def _action_to_string(self, player: int, number: int) -> str:
        """Return the notation of an action."""
        game = self.get_game()
        return str(game.rules.notation.write(self._action(player, number), self.table[0], game.start.setups[0]))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.player == TERMINAL

    def returns(self) -> list[float]:
        """Return the returns of all seats; 0 until the game is over."""
        returned, scored = np.zeros(self.num_players()), np.zeros(self.num_players())
        if self.is_terminal():
            kernels.result(self.table, self.get_game().start.setups, returned, scored)
        return [float(result) for result in returned]

    def __str__(self) -> str:
        return f"{self.view(None)} #{int(kernels.key(self.table)) & (1 << 64) - 1:016x}"

    # Extensions.

    def public_history(self) -> "PublicHistory":
        """Return what is public of all actions. Few callers ask, so actions are put into words only then."""
        if self.unwritten:
            self.written = self.written.after(self.get_game(), memoryview(self.unwritten).cast("i"))
            self.unwritten = b""
        return self.written

    def view(self, seat: int | None) -> str:
        """Return what a seat sees as JSON; None is a spectator."""
        position = self.get_game().start.copy()
        position.states = self.table
        return json.dumps(position.view(seat), sort_keys=True)

    def observe(self, seat: int) -> Floats:
        """Return the observation of a seat."""
        game = self.get_game()
        return observe(game.encoding, self.table, game.start.setups, seat)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """Return a state from this player's information set, with hidden information redrawn."""
        return self.resampled(player, int(sampler() * (1 << 53)))

    def resampled(self, player: int, seed: int) -> "SpielState":
        """Do the same from a seed. Only the twin's `history` keeps the true draws; observations do not show it."""
        twin: SpielState = self.clone()
        kernels.determinize(twin.table, self.get_game().start.setups, player, new_rng(seed))
        twin._look()
        return twin


class PublicHistory(NamedTuple):
    """What is public of the actions of a game, up to a state."""

    public: str  # notation
    codes: bytes  # the same as numbers
    table: Structs

    def after(self, game: SpielGame, actions: Iterable[int]) -> "PublicHistory":
        """Return the same with further actions."""
        notation, setups, table = game.rules.notation, game.start.setups, self.table.copy()
        words, codes = [self.public], [self.codes]
        for action in actions:
            state, setup = table[0], setups[0]
            if notation.secret is not None and notation.secret(action, state, setup) is not None:
                words.append(HIDDEN)
                codes.append(HIDDEN_CODE.to_bytes(2, "little"))
            else:
                words.append(notation.write(action, state, setup))
                codes.append((action + 1).to_bytes(2, "little"))
            kernels.apply_action(table, setups, action)
        return PublicHistory(" ".join(words), b"".join(codes), table)


class Observer:
    """Observations as tensors and strings: with perfect recall of public actions, or of the current state only."""

    def __init__(self, game: SpielGame, recalls: bool) -> None:
        self.game = game
        self.recalls = recalls
        self.size = game.encoding.size
        length = game.longest + game.chances if recalls else 0
        self.tensor = np.zeros(self.size + length, np.float32)
        self.dict = dict(game.encoding.split(self.tensor[: self.size]))
        if recalls:
            self.dict["history"] = self.tensor[self.size :]

    def set_from(self, state: SpielState, player: int) -> None:
        """Write `tensor`; the history is scaled by the number of actions, -1 where an action was hidden."""
        self.tensor[: self.size] = state.observe(player)
        if self.recalls:
            codes = np.frombuffer(state.public_history().codes, "<u2").astype(np.float32)
            history = self.dict["history"]
            history[:] = 0.0
            history[: len(codes)] = np.where(codes == HIDDEN_CODE, -1.0, codes / self.game.encoding.action_count)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the view; with recall, the public actions plus a digest of the view where the game has secrets."""
        if not self.recalls:
            return state.view(player)
        if self.game.rules.notation.secret is None:
            return state.public_history().public
        return f"{state.public_history().public} #{blake2b(state.observe(player).tobytes(), digest_size=8).hexdigest()}"


def resampler(seed: int) -> Callable[[SpielState, int], SpielState]:
    """Return a resampler for OpenSpiel's IS-MCTS in Python: `bot.set_resampler(resampler(7))`."""
    generator = np.random.default_rng(seed)
    return lambda state, player: state.resampled(player, int(generator.integers(1 << 53)))


def register(name: str) -> None:
    """Register a game with OpenSpiel."""

    # OpenSpiel drops its registrations after Python has shut down: a class survives that, a plain function crashes.
    class Registered(SpielGame):
        def __init__(self, parameters: dict[str, Any]) -> None:
            super().__init__(name, parameters)

    pyspiel.register_game(game_type(name), Registered)


for _name in registry.names():
    register(_name)
