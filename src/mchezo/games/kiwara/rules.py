"""The rules of Kiwara, once, for the compiler: what every action does, and how the game ends.

What may be done is in `choices.py`, what a state is in `structs.py`.
"""

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import fixed_words
from mchezo.core.structs import CHANCE, OVER, Actions, Numbers, Weights, Words64, bits, wide
from mchezo.games.kiwara.choices import (
    add_each,
    allowed_spaces,
    hyena_animals,
    hyena_targets,
    legal,
    may_announce,
    swaps,
)
from mchezo.games.kiwara.components import OKAPI_POINTS
from mchezo.games.kiwara.structs import (
    AFTER_TOTEM,
    ANNOUNCE_HYENA,
    CARD_OF,
    CROCODILE,
    DRAW,
    DRAWING,
    FIRST_MOVE,
    FIRST_PLACING,
    GAZELLE,
    GIRAFFE_DRAWS,
    HYENA_AGAIN,
    KEEP,
    KEEPING,
    KINDS,
    LION,
    MOVE_TOTEM,
    MOVING_TOTEM,
    NO_HYENA,
    NOBODY,
    NONE,
    OKAPI,
    PLACE,
    PLACING,
    POINTS,
    POSITIONS,
    REINFORCEMENT,
    SECOND_MOVE,
    SECOND_PLACING,
    SET_TOTEM,
    SETTING_TOTEM,
    SPACES,
    STATE,
    SWAP,
    SWAPPING,
    TERRITORIES,
    USE_BABOON,
    USE_BOA,
    USE_GIRAFFE,
    USE_HYENA,
    USE_PORCUPINE,
    USE_RHINOCEROS,
    USE_VULTURE,
    USE_WARTHOG,
    USE_WILDEBEEST,
    VALUES,
    ZEBRA,
    Setup,
    State,
    empty,
    has_tokens,
    number,
    size,
)


@compiled
def to_move(state: State) -> int:
    """The seat to move, CHANCE while cards are drawn, or OVER."""
    if state.decision == DRAWING:
        return CHANCE
    return OVER if state.decision == NONE else wide(state.seat)


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Make one legal action."""
    action = wide(action)
    # A card is used once; for the second animal that the Hyena moves it is already out.
    spent = wide(CARD_OF[action]) & wide(state.cards[state.seat])
    state.cards[state.seat] ^= spent
    state.used |= spent
    if action < USE_BABOON:
        place(state, setup, (action - PLACE) // SPACES, 1 << (action - PLACE) % SPACES)
    elif action < USE_HYENA:
        place(state, setup, (action - USE_BABOON) // SPACES, 1 << (action - USE_BABOON) % SPACES)
    elif action < SWAP:
        move_with_hyena(state, setup, 1 << (action - USE_HYENA) // SPACES, 1 << (action - USE_HYENA) % SPACES)
    elif action < USE_VULTURE:
        swap(state, setup, 1 << action - SWAP)
    elif action < USE_RHINOCEROS:
        send_home(state, 1 << action - USE_VULTURE)
    elif action < USE_BOA:
        send_home(state, 1 << action - USE_RHINOCEROS)
    elif action < SET_TOTEM:
        announce(state, setup, action)
    elif action < MOVE_TOTEM:
        # The first player only sets the totem; the opponent places the first animal.
        state.totem = action - SET_TOTEM
        state.seat = 1
        state.decision = PLACING
    elif action < USE_WILDEBEEST:
        move_totem(state, setup, action - MOVE_TOTEM)
    elif action < KEEP:
        move_totem(state, setup, -(action - USE_WILDEBEEST))
    elif action < DRAW:
        keep(state, setup, 1 << action - KEEP)
    elif action < ANNOUNCE_HYENA:
        draw(state, setup, 1 << action - DRAW)
    elif action == ANNOUNCE_HYENA:
        state.hyena = FIRST_PLACING
    elif action == USE_WARTHOG:
        announce(state, setup, action)
    elif action == USE_GIRAFFE:
        begin_draws(state, GIRAFFE_DRAWS, wide(state.decision))
    else:
        stop(state, setup)


@compiled
def place(state: State, setup: Setup, animal: int, space: int) -> None:
    """An animal goes from the hand to the board."""
    state.hands[state.seat, animal] -= 1
    state.own[state.seat] |= space
    state.kinds[animal] |= space
    state.placed = space
    arrive(state, setup, animal, space)


@compiled
def move_with_hyena(state: State, setup: Setup, start: int, target: int) -> None:
    """An own animal moves along the totem's line; one that is hidden stays so."""
    if state.decision == HYENA_AGAIN:
        state.hyena = SECOND_MOVE
    else:
        state.hyena = FIRST_MOVE
        state.moved = target
    animal = animal_on(state, start)
    state.own[state.seat] ^= start | target
    state.kinds[animal] ^= start | target
    if wide(state.hidden) & start:
        state.hidden ^= start | target
    arrive(state, setup, animal, target)


@compiled
def animal_on(state: State, space: int) -> int:
    """The kind of animal that stands on a space."""
    animal = 0
    while not wide(state.kinds[animal]) & space:
        animal += 1
    return animal


@compiled
def arrive(state: State, setup: Setup, animal: int, space: int) -> None:
    """What an animal does where it arrives, and what that does to it."""
    # Rivers do not matter to lions.
    around = wide(setup.neighbours[number(space)])
    if animal == LION:
        scare(state, around)
    elif animal in (GAZELLE, ZEBRA) and around & wide(state.kinds[LION]):
        state.hidden |= space
    # Only now, when gazelles have fled, the territory may be full.
    territory = wide(setup.territories[setup.territory_of[number(space)]])
    if state.reinforced == NOBODY and territory & empty(state) == 0:
        state.filled = 1
    if animal == CROCODILE:
        state.crocodile = space
        state.left = space
        if swaps(state, setup):
            state.decision = SWAPPING
            return
    end_arrival(state, setup)


@compiled
def scare(state: State, around: int) -> None:
    """A lion: zebras beside it hide, gazelles go home; who is hidden already stays."""
    gazelles = wide(state.kinds[GAZELLE]) & around & ~wide(state.hidden)
    state.hidden |= wide(state.kinds[ZEBRA]) & around
    while gazelles:
        first = gazelles & -gazelles
        send_home(state, first)
        gazelles ^= first


@compiled
def send_home(state: State, space: int) -> None:
    """An animal goes back to its owner's hand; the seat to move may not place it in this turn."""
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
    """Crocodile and gazelle change places; the same crocodile may go on with a new gazelle."""
    crocodile = wide(state.crocodile)
    both = crocodile | gazelle
    state.kinds[GAZELLE] ^= both
    state.kinds[CROCODILE] ^= both
    if not wide(state.own[state.seat]) & gazelle:
        state.own[0] ^= both
        state.own[1] ^= both
    # A gazelle that jumps to a space beside a lion hides there.
    if wide(setup.neighbours[number(crocodile)]) & wide(state.kinds[LION]):
        state.hidden |= crocodile
    if state.placed == crocodile:
        state.placed = gazelle
    if state.moved == crocodile:
        state.moved = gazelle
    state.crocodile = gazelle
    state.left |= gazelle
    if not swaps(state, setup):
        end_arrival(state, setup)


@compiled
def end_arrival(state: State, setup: Setup) -> None:
    """After the last swap: the reinforcement for the first full territory, once a game."""
    state.crocodile = 0
    state.left = 0
    if state.filled:
        state.filled = 0
        state.reinforced = state.seat
        if setup.hidden_pile:
            begin_draws(state, 1, SWAPPING)
            return
        state.cards[state.seat] |= OKAPI
    go_on(state, setup)


@compiled
def go_on(state: State, setup: Setup) -> None:
    """What comes after an animal has arrived."""
    if state.hyena == FIRST_MOVE and hyena_animals(state, setup) and hyena_targets(state, setup):
        state.decision = HYENA_AGAIN
    elif state.hyena in (FIRST_MOVE, SECOND_MOVE):
        end_hyena(state, PLACING)
    elif empty(state) == 0:
        # The game ends at once: no totem move, no card.
        finish(state, setup)
    elif state.hyena == FIRST_PLACING:
        state.hyena = SECOND_PLACING
        state.decision = PLACING
        if not (allowed_spaces(state, setup) and has_placeable(state)):
            end_hyena(state, MOVING_TOTEM)
    else:
        end_hyena(state, MOVING_TOTEM)


@compiled
def has_placeable(state: State) -> bool:
    """Whether the seat to move has any animal that it may place."""
    awake = 0
    for animal in range(KINDS):
        awake += wide(state.hands[state.seat, animal]) - state.resting[animal]
    return awake > 0


@compiled
def end_hyena(state: State, decision: int) -> None:
    """The Hyena, if it was used, has done its work."""
    state.hyena = NO_HYENA
    state.moved = 0
    state.decision = decision


@compiled
def begin_draws(state: State, draws: int, resume: int) -> None:
    """Cards are drawn from the pile, one at a time."""
    state.draws = draws
    state.resume = resume
    state.decision = DRAWING


@compiled
def draw(state: State, setup: Setup, card: int) -> None:
    """A card is drawn: for the Giraffe to choose from, or to be held."""
    state.pile ^= card
    state.draws -= 1
    resume = wide(state.resume)
    if resume in (SETTING_TOTEM, SWAPPING):
        state.cards[state.seat] |= card
    else:
        state.drawn |= card
    if state.draws:
        return
    if resume == SETTING_TOTEM:  # the last handicap card
        state.seat = 0
        state.decision = SETTING_TOTEM
    elif resume == SWAPPING:  # the reinforcement
        state.resume = 0
        go_on(state, setup)
    else:
        state.decision = KEEPING


@compiled
def keep(state: State, setup: Setup, card: int) -> None:
    """One of the Giraffe's cards is kept, the others are discarded."""
    state.cards[state.seat] |= card
    state.used |= wide(state.drawn) & ~card
    state.drawn = 0
    state.decision = state.resume
    state.resume = 0
    if state.decision == AFTER_TOTEM and not may_announce(state, setup):
        end_turn(state)


@compiled
def move_totem(state: State, setup: Setup, steps: int) -> None:
    """The totem moves; what restricted this turn is over, what is announced now is for the next."""
    state.totem = (wide(state.totem) + steps + POSITIONS) % POSITIONS
    state.boa = 0
    state.porcupine = 0
    state.warthog = 0
    state.decision = AFTER_TOTEM
    if not may_announce(state, setup):
        end_turn(state)


@compiled
def announce(state: State, setup: Setup, action: int) -> None:
    """Boa, Porcupine or Warthog: a rule for the opponent's next turn."""
    if action == USE_WARTHOG:
        state.warthog = 1
    elif action >= USE_PORCUPINE:
        state.porcupine = 1 << action - USE_PORCUPINE
    else:
        state.boa = 1 << action - USE_BOA
    state.announced = 1
    if not may_announce(state, setup):
        end_turn(state)


@compiled
def stop(state: State, setup: Setup) -> None:
    """No more swaps, no second move of the Hyena, or no card."""
    if state.decision == SWAPPING:
        end_arrival(state, setup)
    elif state.decision == HYENA_AGAIN:
        end_hyena(state, PLACING)
    else:
        end_turn(state)


@compiled
def end_turn(state: State) -> None:
    """The opponent's turn if he has tokens, else another turn of the same seat."""
    for animal in range(KINDS):
        state.resting[animal] = 0
    state.placed = 0
    state.announced = 0
    other = 1 - wide(state.seat)
    if has_tokens(state, other):
        state.seat = other
    state.decision = MOVING_TOTEM if state.warthog else PLACING


# The end


@compiled
def finish(state: State, setup: Setup) -> None:
    """More points win; at a tie, who obtained the card for the first full territory."""
    state.decision = NONE
    lead = points(state, setup, wide(0)) - points(state, setup, wide(1))
    state.ending = POINTS if lead else REINFORCEMENT
    state.winner = (0 if lead > 0 else 1) if lead else state.reinforced


@compiled
def points(state: State, setup: Setup, seat: int) -> int:
    """What a seat would score now: all visible animals of the territories where it has more tokens, and the Okapi."""
    total = OKAPI_POINTS if wide(state.cards[seat]) & OKAPI else 0
    visible = ~wide(state.hidden)
    for letter in range(TERRITORIES):
        territory = wide(setup.territories[letter])
        # Hidden animals count for the majority.
        if size(wide(state.own[seat]) & territory) > size(wide(state.own[1 - seat]) & territory):
            for animal in range(KINDS):
                total += VALUES[animal] * size(wide(state.kinds[animal]) & territory & visible)
    return total


@compiled
def chance(state: State, setup: Setup, actions: Actions, weights: Weights) -> int:
    """Every card of the pile is as likely as any other."""
    count = add_each(actions, wide(0), DRAW, wide(state.pile))
    for index in range(count):
        weights[index] = 1
    return count


@compiled
def ending(state: State) -> int:
    """How the game ended, by number."""
    return wide(state.ending)


@compiled
def returns(state: State, setup: Setup, out: Numbers) -> None:
    """1 for the winner, -1 for the loser."""
    for seat in range(2):
        out[seat] = 1.0 if state.winner == seat else -1.0


@compiled
def scores(state: State, setup: Setup, out: Numbers) -> None:
    """The points of both seats, as if the game were scored now."""
    for seat in range(2):
        out[seat] = points(state, setup, seat)


# Telling positions apart


MOST_BITS = 36
PARTS = 17
KEY_WORDS = fixed_words(PARTS * MOST_BITS).reshape(PARTS, MOST_BITS)


@compiled
def key(state: State) -> int:
    """A random word for every bit that is set in the state; hands and pile follow from the rest."""
    turn = (wide(state.totem) + 1) | wide(state.seat) << 5 | wide(state.decision) << 6 | wide(state.resume) << 10
    turn |= wide(state.draws) << 14 | wide(state.hyena) << 16 | wide(state.warthog) << 19
    turn |= wide(state.announced) << 20 | wide(state.filled) << 21 | (wide(state.reinforced) + 1) << 22
    cards = wide(state.cards[0]) | wide(state.cards[1]) << 10 | wide(state.used) << 20
    resting = wide(state.drawn)
    for animal in range(KINDS):
        resting |= wide(state.resting[animal]) << (10 + 3 * animal)

    word = key_of(turn, KEY_WORDS[0]) ^ key_of(cards, KEY_WORDS[1]) ^ key_of(resting, KEY_WORDS[2])
    for seat in range(2):
        word ^= key_of(wide(state.own[seat]), KEY_WORDS[3 + seat])
    for animal in range(KINDS):
        word ^= key_of(wide(state.kinds[animal]), KEY_WORDS[5 + animal])
    word ^= key_of(wide(state.hidden), KEY_WORDS[10])
    word ^= key_of(wide(state.boa), KEY_WORDS[11]) ^ key_of(wide(state.porcupine), KEY_WORDS[12])
    word ^= key_of(wide(state.placed), KEY_WORDS[13]) ^ key_of(wide(state.moved), KEY_WORDS[14])
    word ^= key_of(wide(state.crocodile), KEY_WORDS[15]) ^ key_of(wide(state.left), KEY_WORDS[16])
    return word


@compiled
def key_of(part: int, words: Words64) -> int:
    """The words of the bits that are set in one part."""
    word = bits(0)
    while part:
        first = part & -part
        word ^= words[number(first)]
        part ^= first
    return word


@compiled
def hide(state: State, setup: Setup, seat: int, dice: Words64) -> None:
    """Nothing is hidden: the pile has no order before it is drawn from."""


verbs.enter(
    STATE,
    to_move=to_move,
    legal=legal,
    apply=apply,
    chance=chance,
    ending=ending,
    returns=returns,
    scores=scores,
    key=key,
    hide=hide,
)
