"""The environment: a game against a numbered deal, one action a move."""

from typing import Any, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from typing_extensions import override

from service.bots.gym.observation import Observation, ViewEncoder
from service.bots.gym.rewards import Progress, Reward, shaping
from service.deals.deal import PublicDeal, start_position
from service.deals.shuffle import deal_number
from service.errors import IllegalMoveError, InputError
from service.games import find_variant
from service.games.base import Position, Variant, View, position_of
from service.games.boards import parse_reachable_position, print_view
from service.games.piles import PileCards

TRAINING_DEALS = range(1_000_001, 2**53)
"""The numbers of random deals. Deals 1 to 1,000,000 are left for evaluation."""


class CardTable(gymnasium.Env[Observation, np.int64]):
    """One game after another, by the rules and with what a player sees.

    An action is a place in `Variant.actions`, which is also the table of actions of
    `GET /v1/variants/{variant}`. `info["action_mask"]` and `action_masks()` tell which are legal
    moves; other targets that are as good, such as another empty cell, are accepted as well. An
    illegal action changes nothing, and `info["illegal"]` is the rule that refuses it.

    An episode terminates when the game is won or stuck. For observations see
    `ViewEncoder.observe`, for rewards `Reward`.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 4}  # noqa: RUF012

    variant: Variant
    _position: Position
    _number: int
    _progress: float

    def __init__(
        self,
        variant: str,
        reward: Reward = "sparse",
        discount: float = 1.0,
        depth: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`variant` is the name of a game. Raises `InputError` for what is out of range.

        `discount`, above 0 and at most 1, is that of the learner; only shaped rewards heed it.
        `depth` limits an observation to the top cards of each pile, for smaller networks; by
        default all are told.
        """
        if reward not in get_args(Reward):
            raise InputError(f"A reward is {' or '.join(get_args(Reward))}, not {reward!r}.")
        if not 0 < discount <= 1:
            raise InputError(f"A discount is above 0 and at most 1, not {discount}.")
        if depth is not None and depth < 1:
            raise InputError(f"The depth is at least 1 card of each pile, not {depth}.")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"A render mode is human or ansi, not {render_mode!r}.")
        self.render_mode = render_mode
        self._shaped, self._discount, self._depth = reward == "shaped", discount, depth
        self._open(find_variant(variant))
        self.observation_space = self._encoder.space()
        self.action_space = spaces.Discrete(len(self.variant.actions))
        self._begin(self.variant.start(self.variant.pack), 0)

    def _open(self, variant: Variant) -> None:
        self.variant = variant
        self._encoder = ViewEncoder(variant, self._depth)
        self._measure = Progress(variant)

    @property
    def view(self) -> View:
        """What the player sees now."""
        return self._position.view

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal moves now, shape (actions,)."""
        return self._encoder.mask(self.view).view(np.bool_)

    @override
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game, of a random deal of `TRAINING_DEALS` unless `options` name one.

        `options` are `{"deal": number}`, from 1 to 2^64 - 1, or `{"board": text}`, which starts
        from a text board with all cards. A random deal is never stuck at its start; a numbered one
        may be, and ends with any action. Raises `InputError` for other options.

        The info, as after each step, has the keys `action_mask`, an array of int8 with the shape
        (actions,); `deal`, the number of the deal, 0 for a board; `progress` from 0 to 1; and
        `is_success`, whether the game is won.
        """
        super().reset(seed=seed)
        match list((options or {}).items()):
            case []:
                self._deal_at_random()
            case [("deal", number)]:
                self._deal(deal_number(str(number)))
            case [("board", str(board))]:
                self._begin(parse_reachable_position(self.variant, board), 0)
            case _:
                raise InputError(f"Options are one deal or one board, not {options}.")
        if self.render_mode == "human":
            self._show()
        return self._encoder.observe(self.view), self._info()

    @override
    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays one move. Raises `InputError` for a number that is not in the table of actions."""
        if not 0 <= action < len(self.variant.actions):
            last = len(self.variant.actions) - 1
            raise InputError(f"{action} is no action: they are 0 to {last}.")
        before, rule = self._progress, ""
        try:
            self._position = self._position.after(self.variant.actions[action])
        except IllegalMoveError as error:
            rule = error.rule
        self._progress = self._measure(self.view)
        ended = self.view.won or self.view.stuck
        reward = float(self.view.won and not rule)
        if self._shaped:
            reward += shaping(before, self._progress, ended, self._discount)
        if self.render_mode == "human":
            self._show()
        info = self._info() | ({"illegal": rule} if rule else {})
        return self._encoder.observe(self.view), reward, ended, False, info

    @override
    def render(self) -> str | None:
        """The view as a text board with `ansi`; with `human` each step prints it by itself."""
        return print_view(self.view) if self.render_mode == "ansi" else None

    def __getstate__(self) -> dict[str, Any]:
        """All but the rules: the game by its name, and the position as the cards of its piles."""
        piles = zip(self.view.piles, self._position.under, strict=True)
        cards = [(pile.id, under, pile.cards) for pile, under in piles]
        state = self.__dict__ | {"variant": self.variant.name, "_position": cards}
        del state["_encoder"], state["_measure"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open(find_variant(state["variant"]))
        piles = [PileCards(*pile) for pile in state["_position"]]
        self._position = position_of(self.variant, piles)

    def _deal_at_random(self) -> None:
        while True:
            self._deal(int(self.np_random.integers(TRAINING_DEALS.start, TRAINING_DEALS.stop)))
            if not self.view.stuck:
                return

    def _deal(self, number: int) -> None:
        self._begin(start_position(PublicDeal(self.variant, number)), number)

    def _begin(self, position: Position, number: int) -> None:
        self._position, self._number = position, number
        self._progress = self._measure(position.view)

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self._encoder.mask(self.view),
            "deal": self._number,
            "progress": self._progress,
            "is_success": self.view.won,
        }

    def _show(self) -> None:
        print(print_view(self.view), end="\n\n", flush=True)
