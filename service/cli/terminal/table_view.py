"""The table as a widget: it draws the piles, and turns keys and clicks into moves."""

from collections.abc import Awaitable, Callable

from textual import events
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from service.cli.terminal import pointing
from service.cli.terminal.colours import ON_SKY, Role
from service.cli.terminal.drawing import Canvas, Marks, draw
from service.cli.terminal.geometry import SMALLEST, Rows, places
from service.cli.terminal.hand import Spot, cards_meant, moves_from
from service.cli.terminal.pointing import Gesture, Hand
from service.cli.terminal.table import State
from service.games.moves import DEAL, Move

_ID_KEYS = "0123456789tcf"
"""What the ids of piles are made of."""

_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_TABS = {"tab": 1, "shift+tab": -1}

TOO_SMALL = f"The table needs a terminal of {SMALLEST[0]} columns and {SMALLEST[1] + 4} lines."


class TableView(Widget, can_focus=True):
    """A table to play on. `play` is awaited for each move, `tell` is called with what to say.

    `advice` is a move that a hint marks. Enter awaits `accept` first, which may decline.
    """

    DEFAULT_CSS = "TableView { width: 1fr; height: 1fr; }"

    state: reactive[State | None] = reactive(None, init=False)
    hand: reactive[Hand | None] = reactive(None, init=False)
    advice: reactive[Move | None] = reactive(None, init=False)

    def __init__(
        self,
        state: State,
        play: Callable[[Move], Awaitable[None]],
        tell: Callable[[str], None],
        accept: Callable[[], Awaitable[bool]],
    ) -> None:
        super().__init__()
        self._play, self._tell, self._accept = play, tell, accept
        self._pressed: str | None = None
        self._canvas: Canvas | None = None
        self.show(state)
        self.hand = pointing.first_hand(state)

    def show(self, state: State) -> None:
        """Shows another state of the game; nothing is held then."""
        self.advice = None
        self.state = state
        if self.hand is not None:
            self.hand = Hand(Spot(self.hand.cursor.pile))

    @property
    def canvas(self) -> Canvas:
        """The table as it is drawn now."""
        width, height = self.size
        if self._canvas is None or (self._canvas.width, self._canvas.height) != (width, height):
            if width < SMALLEST[0] or height < SMALLEST[1]:
                self._canvas = Canvas(width, height)
                self._canvas.put(0, 0, TOO_SMALL[:width], ON_SKY)
            else:
                self._canvas = draw(self._state.view, self._rows, self._marks(), width, height)
        return self._canvas

    @override
    def render_line(self, y: int) -> Strip:
        return Strip(self.canvas.line(y), self.size.width)

    def _redraw(self) -> None:
        self._canvas = None
        self.refresh()

    def watch_state(self) -> None:
        """Draws anew."""
        self._redraw()

    watch_hand = watch_advice = watch_state

    def on_resize(self) -> None:
        """Draws anew in the new size."""
        self._redraw()

    async def on_mouse_down(self, event: events.MouseDown) -> None:
        """Points at what lies under the mouse."""
        spot = self.canvas.spots.get((event.x, event.y))
        self._pressed = None
        if spot is None:
            return self.let_go()
        await self._do(pointing.point(self._hand, self._state, spot))
        if self._hand.held is not None:
            self._pressed = spot.pile
        return None

    async def on_mouse_up(self, event: events.MouseUp) -> None:
        """Lets go of cards that were dragged to another pile."""
        spot, held = self.canvas.spots.get((event.x, event.y)), self._hand.held
        pressed, self._pressed = self._pressed, None
        if spot and held and pressed == held.pile != spot.pile:
            await self._do(pointing.point(self._hand, self._state, spot))

    async def on_key(self, event: events.Key) -> None:
        """Steers, points, and lets go; or does what the key is bound to.

        Bindings are left to the application only after the key has bubbled up to it, when a key
        typed ahead may have come before it.
        """
        state, hand = self._state, self._hand
        if event.key in _STEPS:
            self._move_to(pointing.steer(hand, state, self._rows, *_STEPS[event.key]))
        elif event.key in _TABS:
            self._move_to(pointing.following(hand, state, self._rows, _TABS[event.key]))
        elif event.key in ("enter", "space"):
            if not await self._accept():
                await self._do(pointing.enter(hand, state, self._rows))
        elif event.key == "escape":
            self.let_go()
        elif event.character is not None and event.character in _ID_KEYS:
            gesture = pointing.type_key(hand, state, event.character)
            await self._do(gesture or Gesture(hand._replace(typed="")))
        elif bound := self.screen.active_bindings.get(event.key):
            await self.app.run_action(bound.binding.action, bound.node)
        else:
            return
        event.stop()
        event.prevent_default()

    def let_go(self) -> None:
        """Drops what is held, and says nothing more."""
        self.drop()
        self._tell("")

    def drop(self) -> None:
        """Drops what is held; the cursor goes back to where it was taken."""
        cursor = self._hand.held or self._hand.cursor
        self.advice, self.hand = None, Hand(Spot(cursor.pile))

    def _move_to(self, hand: Hand) -> None:
        self.advice, self.hand = None, hand
        if hand.held is None:
            self._tell("")

    async def _do(self, gesture: Gesture) -> None:
        self.advice, self.hand = None, gesture.hand
        self._tell(gesture.note)
        if gesture.move is not None:
            await self._play(gesture.move)

    @property
    def _state(self) -> State:
        assert self.state is not None
        return self.state

    @property
    def _hand(self) -> Hand:
        assert self.hand is not None
        return self.hand

    @property
    def _rows(self) -> Rows:
        (width, height), (least_width, least_height) = self.size, SMALLEST
        layout = self._state.variant.layout
        return places(layout, max(width, least_width), max(height, least_height))

    def _marks(self) -> Marks:
        state, hand = self._state, self._hand
        roles: dict[str, list[tuple[Role, int]]] = {}

        def mark(role: Role, pile: str, count: int = 1) -> None:
            roles.setdefault(pile, []).append((role, count))

        if hand.held:
            mark(Role.HELD, hand.held.pile, cards_meant(state.legal_moves, hand.held))
        if self.advice == DEAL:
            mark(Role.HINT, state.view.kind("stock")[0].id)
        elif self.advice is not None:
            mark(Role.HINT, self.advice.source, self.advice.count)
            mark(Role.HINT, self.advice.target)
        mark(Role.CURSOR, hand.cursor.pile, cards_meant(state.legal_moves, hand.cursor))
        if hand.held:
            for target in moves_from(state.view, state.legal_moves, hand.held):
                mark(Role.TARGET, target)
        lively = frozenset(move.source for move in state.legal_moves)
        return Marks({pile: tuple(found) for pile, found in roles.items()}, lively)
