"""Rules of Kiwara: what an action does and how a game ends."""

from mchezo.core.bitsets import bit_index, popcount
from mchezo.core.compiled import compiled, kernel
from mchezo.core.structs import CHANCE, OVER, Actions, Numbers, Weights, wide
from mchezo.games.kiwara import structs
from mchezo.games.kiwara.components import OKAPI_POINTS
from mchezo.games.kiwara.legal import add_each, allowed_spaces, hyena_animals, hyena_targets, may_announce, swaps
from mchezo.games.kiwara.structs import Setup, State, empty, has_tokens


@compiled
def to_move(state: State) -> int:
    """Return the seat to move, CHANCE while cards are drawn, or OVER."""
    if state.phase == structs.DRAWING:
        return CHANCE
    return OVER if state.phase == structs.GAME_OVER else wide(state.seat)


@compiled
def turn_of(state: State) -> int:
    """Return the seat whose turn it is."""
    return wide(state.seat)


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Apply one legal action."""
    action = wide(action)
    # A card is used up once; when the Hyena moves its second animal, it is already discarded.
    spent = wide(structs.CARD_OF[action]) & wide(state.cards[state.seat])
    state.cards[state.seat] ^= spent
    state.used |= spent
    if action < structs.USE_HYENA:
        number = action - (structs.PLACE if action < structs.USE_BABOON else structs.USE_BABOON)
        place(state, setup, number // structs.SPACES, 1 << number % structs.SPACES)
    elif action < structs.SWAP:
        number = action - structs.USE_HYENA
        move_with_hyena(state, setup, 1 << number // structs.SPACES, 1 << number % structs.SPACES)
    elif action < structs.USE_VULTURE:
        swap(state, setup, 1 << action - structs.SWAP)
    elif action < structs.USE_RHINOCEROS:
        send_home(state, 1 << action - structs.USE_VULTURE)
    elif action < structs.USE_BOA:
        send_home(state, 1 << action - structs.USE_RHINOCEROS)
    elif action < structs.SET_TOTEM:
        announce(state, setup, action)
    elif action < structs.MOVE_TOTEM:
        set_totem(state, action - structs.SET_TOTEM)
    elif action < structs.USE_WILDEBEEST:
        move_totem(state, setup, action - structs.MOVE_TOTEM)
    elif action < structs.KEEP:
        move_totem(state, setup, -(action - structs.USE_WILDEBEEST))
    elif action < structs.DRAW:
        keep(state, setup, 1 << action - structs.KEEP)
    elif action < structs.ANNOUNCE_HYENA:
        draw(state, setup, 1 << action - structs.DRAW)
    elif action == structs.ANNOUNCE_HYENA:
        state.hyena = structs.FIRST_PLACING
    elif action == structs.USE_WARTHOG:
        announce(state, setup, action)
    elif action == structs.USE_GIRAFFE:
        state.resume = state.phase
        begin_draws(state, structs.GIRAFFE_DRAWS, structs.FOR_GIRAFFE)
    else:
        stop(state, setup)


@compiled
def set_totem(state: State, position: int) -> None:
    """Set the totem for the first time: the whole first turn, for the opponent places the first animal."""
    state.totem = position
    state.seat = 1
    state.phase = structs.PLACING


@compiled
def place(state: State, setup: Setup, animal: int, space: int) -> None:
    """Place an animal from the hand on the board."""
    state.hands[state.seat, animal] -= 1
    state.own[state.seat] |= space
    state.kinds[animal] |= space
    state.placed = space
    arrive(state, setup, animal, space)


@compiled
def move_with_hyena(state: State, setup: Setup, start: int, target: int) -> None:
    """Move an animal along the totem's line; a hidden one stays hidden."""
    if state.phase == structs.MOVING_SECOND_ANIMAL:
        state.hyena = structs.SECOND_MOVE
    else:
        state.hyena = structs.FIRST_MOVE
        state.moved = target
    animal = animal_on(state, start)
    state.own[state.seat] ^= start | target
    state.kinds[animal] ^= start | target
    if wide(state.hidden) & start:
        state.hidden ^= start | target
    arrive(state, setup, animal, target)


@compiled
def animal_on(state: State, space: int) -> int:
    """Return the kind of animal on a space."""
    animal = 0
    while not wide(state.kinds[animal]) & space:
        animal += 1
    return animal


@compiled
def arrive(state: State, setup: Setup, animal: int, space: int) -> None:
    """Carry out the effects of an animal that arrives on a space."""
    # Lions ignore rivers.
    around = wide(setup.neighbours[bit_index(space)])
    if animal == structs.LION:
        scare(state, around)
    elif animal in (structs.GAZELLE, structs.ZEBRA) and around & wide(state.kinds[structs.LION]):
        state.hidden |= space
    # Gazelles may have fled, so only now is it known whether the territory is full.
    territory = wide(setup.territories[setup.territory_of[bit_index(space)]])
    if state.reinforced == structs.NOBODY and territory & empty(state) == 0:
        state.filled = 1
    if animal == structs.CROCODILE:
        state.crocodile = space
        state.visited = space
        if swaps(state, setup):
            state.phase = structs.SWAPPING
            return
    end_arrival(state, setup)


@compiled
def scare(state: State, around: int) -> None:
    """Let a lion scare its neighbours: zebras hide, gazelles go home; hidden animals stay."""
    gazelles = wide(state.kinds[structs.GAZELLE]) & around & ~wide(state.hidden)
    state.hidden |= wide(state.kinds[structs.ZEBRA]) & around
    while gazelles:
        first = gazelles & -gazelles
        send_home(state, first)
        gazelles ^= first


@compiled
def send_home(state: State, space: int) -> None:
    """Return an animal to its owner's hand; the seat to move may not place it again in this turn."""
    animal = animal_on(state, space)
    owner = 0 if wide(state.own[0]) & space else 1
    state.own[owner] ^= space
    state.kinds[animal] ^= space
    state.hidden &= ~space
    state.placed &= ~space
    state.hands[owner, animal] += 1
    if owner == state.seat:
        state.resting[animal] += 1


@compiled
def swap(state: State, setup: Setup, gazelle: int) -> None:
    """Swap the crocodile with a gazelle; the same crocodile may continue with another one."""
    crocodile = wide(state.crocodile)
    both = crocodile | gazelle
    state.kinds[structs.GAZELLE] ^= both
    state.kinds[structs.CROCODILE] ^= both
    if not wide(state.own[state.seat]) & gazelle:
        state.own[0] ^= both
        state.own[1] ^= both
    # A gazelle that lands next to a lion hides.
    if wide(setup.neighbours[bit_index(crocodile)]) & wide(state.kinds[structs.LION]):
        state.hidden |= crocodile
    if state.placed == crocodile:
        state.placed = gazelle
    if state.moved == crocodile:
        state.moved = gazelle
    state.crocodile = gazelle
    state.visited |= gazelle
    if not swaps(state, setup):
        end_arrival(state, setup)


@compiled
def end_arrival(state: State, setup: Setup) -> None:
    """Award the reinforcement if this arrival filled the first full territory, then go on."""
    state.crocodile = 0
    state.visited = 0
    if state.filled:
        state.filled = 0
        state.reinforced = state.seat
        if setup.hidden_pile:
            begin_draws(state, 1, structs.FOR_REINFORCEMENT)
            return
        state.cards[state.seat] |= structs.OKAPI
    after_arrival(state, setup)


@compiled
def after_arrival(state: State, setup: Setup) -> None:
    """Enter the phase that follows the arrival of an animal."""
    if state.hyena == structs.FIRST_MOVE and hyena_animals(state, setup) and hyena_targets(state, setup):
        state.phase = structs.MOVING_SECOND_ANIMAL
    elif state.hyena in (structs.FIRST_MOVE, structs.SECOND_MOVE):
        end_hyena(state, structs.PLACING)
    elif empty(state) == 0:
        # The game ends at once, without a totem move or a card.
        finish(state, setup)
    elif state.hyena == structs.FIRST_PLACING:
        state.hyena = structs.SECOND_PLACING
        state.phase = structs.PLACING
        if not (allowed_spaces(state, setup) and has_placeable(state)):
            end_hyena(state, structs.MOVING_TOTEM)
    else:
        end_hyena(state, structs.MOVING_TOTEM)


@compiled
def has_placeable(state: State) -> bool:
    """Return whether the seat to move has any animal that it may place."""
    placeable = 0
    for animal in range(structs.KINDS):
        placeable += wide(state.hands[state.seat, animal]) - state.resting[animal]
    return placeable > 0


@compiled
def end_hyena(state: State, phase: int) -> None:
    """Enter a phase in which the Hyena, if it was used, is finished."""
    state.hyena = structs.NO_HYENA
    state.moved = 0
    state.phase = phase


@compiled
def begin_draws(state: State, draws: int, cause: int) -> None:
    """Let chance draw cards from the pile, one at a time."""
    state.draws = draws
    state.draw_cause = cause
    state.phase = structs.DRAWING


@compiled
def draw(state: State, setup: Setup, card: int) -> None:
    """Draw a card: one of the Giraffe's to choose from, or one to hold."""
    state.pile ^= card
    state.draws -= 1
    cause = wide(state.draw_cause)
    if cause == structs.FOR_GIRAFFE:
        state.drawn |= card
    else:
        state.cards[state.seat] |= card
    if state.draws:
        return
    state.draw_cause = structs.NO_DRAW
    if cause == structs.FOR_HANDICAP:
        state.seat = 0
        state.phase = structs.SETTING_TOTEM
    elif cause == structs.FOR_REINFORCEMENT:
        after_arrival(state, setup)
    else:
        state.phase = structs.KEEPING


@compiled
def keep(state: State, setup: Setup, card: int) -> None:
    """Keep one of the Giraffe's cards, discard the others, and resume the phase in which it was used."""
    state.cards[state.seat] |= card
    state.used |= wide(state.drawn) & ~card
    state.drawn = 0
    state.phase = state.resume
    state.resume = 0
    if state.phase == structs.ANNOUNCING and not may_announce(state, setup):
        end_turn(state)


@compiled
def move_totem(state: State, setup: Setup, steps: int) -> None:
    """Move the totem; cards in force for this turn expire, those announced from now on apply to the next."""
    state.totem = (wide(state.totem) + steps + structs.POSITIONS) % structs.POSITIONS
    state.boa = 0
    state.porcupine = 0
    state.warthog = 0
    state.phase = structs.ANNOUNCING
    if not may_announce(state, setup):
        end_turn(state)


@compiled
def announce(state: State, setup: Setup, action: int) -> None:
    """Use Boa, Porcupine or Warthog: a restriction for the opponent's next turn."""
    if action == structs.USE_WARTHOG:
        state.warthog = 1
    elif action >= structs.USE_PORCUPINE:
        state.porcupine = 1 << action - structs.USE_PORCUPINE
    else:
        state.boa = 1 << action - structs.USE_BOA
    state.announced = 1
    if not may_announce(state, setup):
        end_turn(state)


@compiled
def stop(state: State, setup: Setup) -> None:
    """End the swaps, the Hyena's moves, or the announcements."""
    if state.phase == structs.SWAPPING:
        end_arrival(state, setup)
    elif state.phase == structs.MOVING_SECOND_ANIMAL:
        end_hyena(state, structs.PLACING)
    else:
        end_turn(state)


@compiled
def end_turn(state: State) -> None:
    """Begin the opponent's turn, or another turn of the same seat if the opponent has no tokens."""
    for animal in range(structs.KINDS):
        state.resting[animal] = 0
    state.placed = 0
    state.announced = 0
    other = 1 - wide(state.seat)
    if has_tokens(state, other):
        state.seat = other
    state.phase = structs.MOVING_TOTEM if state.warthog else structs.PLACING


@compiled
def finish(state: State, setup: Setup) -> None:
    """End the game: more points win; a tie goes to the seat that received the reinforcement."""
    state.phase = structs.GAME_OVER
    lead = points(state, setup, wide(0)) - points(state, setup, wide(1))
    state.ending = structs.POINTS if lead else structs.REINFORCEMENT
    state.winner = (0 if lead > 0 else 1) if lead else state.reinforced


SCORE_BITS = 16


@kernel
def both_points(state: State, setup: Setup) -> int:
    """Return the current scores of both seats in one number, that of seat 1 from bit SCORE_BITS on."""
    return points(state, setup, 0) | points(state, setup, 1) << SCORE_BITS


@compiled
def points(state: State, setup: Setup, seat: int) -> int:
    """Return the current score of a seat: all visible animals of its territories by majority, and the Okapi."""
    total = OKAPI_POINTS if wide(state.cards[seat]) & structs.OKAPI else 0
    visible = ~wide(state.hidden)
    for letter in range(structs.TERRITORIES):
        territory = wide(setup.territories[letter])
        # Hidden animals count for the majority.
        if popcount(wide(state.own[seat]) & territory) > popcount(wide(state.own[1 - seat]) & territory):
            for animal in range(structs.KINDS):
                total += structs.VALUES[animal] * popcount(wide(state.kinds[animal]) & territory & visible)
    return total


@compiled
def chance(state: State, setup: Setup, actions: Actions, weights: Weights) -> int:
    """Write the cards of the pile, equally likely; return their number."""
    count = add_each(actions, wide(0), structs.DRAW, wide(state.pile))
    for index in range(count):
        weights[index] = 1
    return count


@compiled
def ending(state: State) -> int:
    """Return how the game ended, as an index of REASONS."""
    return wide(state.ending)


@compiled
def returns(state: State, setup: Setup, out: Numbers) -> None:
    """Write 1 for the winner and -1 for the loser."""
    for seat in range(2):
        out[seat] = 1.0 if state.winner == seat else -1.0


@compiled
def scores(state: State, setup: Setup, out: Numbers) -> None:
    """Write the current scores of both seats."""
    for seat in range(2):
        out[seat] = points(state, setup, seat)
