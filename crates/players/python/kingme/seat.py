"""Seats: what stands between the conversation and a bot. One for each interface.

A seat has a ``name()``, declares ``params()``, takes ``set_param``, ``init``, ``new_game`` and
``position`` as they come, and ``think`` gives the text of a move, or None, and what went wrong.
"""

from typing import Callable, Dict, List, Optional, Tuple

from . import league
from .bot import Bot
from .clock import Clock
from .position import Board, Position
from .search import Search

#: a move as the protocol writes it, an exception, and why the answer is no move, in the bot's terms
Answer = Tuple[Optional[str], Optional[BaseException], Optional[str]]


class BotSeat:
    """The seat of a :class:`kingme.Bot`. The arena hands the rules over, so any game will do."""

    def __init__(self, make: Callable[[], Bot]):
        self._bot = make()
        self._settings: Dict[str, str] = {}
        self._position: Optional[Position] = None
        self._board: Optional[Board] = None

    def name(self) -> str:
        return self._bot.name or type(self._bot).__name__

    def params(self) -> List[Dict[str, str]]:
        return [
            {"name": "variant", "value": "", "type": "string"},
            {"name": "board", "value": "", "type": "string"},
            {"name": "pieces", "value": "", "type": "string"},
            {"name": "side", "value": "", "type": "string"},
            {"name": "hand-over", "value": "after", "type": "enum", "values": "none legal after"},
        ]

    def set_param(self, name: str, value: str) -> None:
        self._settings[name] = value
        self._board = None

    def init(self) -> None:
        self._read_board()

    def _read_board(self) -> Board:
        if self._board is None:
            if not (self._settings.get("board") and self._settings.get("pieces")):
                raise ValueError("this bot needs an arena that hands the rules over, such as kingme")
            self._board = Board.read(self._settings["board"], self._settings["pieces"])
        return self._board

    def new_game(self, side: str) -> None:
        self._bot.new_game(side)

    def position(self, arguments: Dict[str, str]) -> None:
        variant = self._settings.get("variant", "")
        self._position = Position.read(variant, self._read_board(), arguments)

    def think(self, clock: Clock, search: Search) -> Answer:
        answer: list = []
        self._bot._suggestions = answer

        def work():
            answer.append(self._bot.choose(self._position, clock))

        def so_far():
            return str(answer[-1]) if answer else None

        failure = _attempt(search, work, clock.limit, so_far)
        return so_far(), failure, None if failure else self._complaint(answer)

    def _complaint(self, answer: list) -> Optional[str]:
        if not answer:
            return None
        if answer[-1] is None:
            return "choose() has returned None; it should return one of position.moves"
        if answer[-1] not in self._position.moves:
            return "choose() has returned %s, which is none of position.moves" % _short(answer[-1])
        return None


class LeagueSeat:
    """The seat of a CheckersLeague bot, which knows one game, on boards of many sizes."""

    def __init__(self, make: Callable[[int, int], object]):
        self._make = make
        self._size = 8
        self._player = None
        self._is_fresh = False
        self._side = ""
        self._board = league.CheckerBoard(self._size)

    def name(self) -> str:
        try:
            return str(self._player.get_name())
        except Exception:
            # Before it knows its game there is no bot to ask, and some have no name.
            return getattr(self._make, "__name__", "bot")

    def params(self) -> List[Dict[str, str]]:
        return [
            {"name": "variant", "value": "league", "type": "enum", "values": "league"},
            {"name": "size", "value": "8", "type": "int", "min": "4", "max": "100"},
            {"name": "side", "value": "", "type": "string"},
        ]

    def set_param(self, name: str, value: str) -> None:
        if name == "size":
            self._size = int(value)
            self._player = None
        elif name == "side":
            self._side = value[:1]

    def init(self) -> None:
        self._seat(self._side or "w")

    def new_game(self, side: str) -> None:
        side = side[:1]
        if self._is_fresh and side in ("", self._side):
            return
        self._player = None
        if side:
            self._seat(side)

    def _seat(self, side: str) -> None:
        self._side = side
        self._player = self._make(self._size, 1 if side == "w" else 2)
        self._is_fresh = True

    def position(self, arguments: Dict[str, str]) -> None:
        self._board = league.read_position(self._size, arguments["pos"])
        for text in arguments.get("moves", "").split():
            league.play_text(self._board, text)

    def think(self, clock: Clock, search: Search) -> Answer:
        side = self._board.current_player
        if self._player is None or self._side != side:
            self._seat(side)
        self._is_fresh = False
        move: list = []
        limit = clock.limit
        seconds = league.DEFAULT_LIMIT if limit is None else limit
        board = league.copy_of(self._board)

        def so_far():
            return league.write_move(self._board, list(move))

        def work():
            self._player.move(board, seconds, move)

        failure = _attempt(search, work, limit, so_far)
        answer = list(move)
        complaint = None if failure else league.complaint(self._board, answer)
        if not answer and limit is not None and clock.used >= limit:
            complaint = None  # it is just late
        text = league.write_move(self._board, answer)
        return text or (complaint and repr(answer)), failure, complaint


def _attempt(search: Search, work, seconds, so_far) -> Optional[BaseException]:
    try:
        search.think(work, seconds, so_far)
    except BaseException as error:
        return error
    return None


def _short(value: object) -> str:
    """A value as Python writes it, but not too much of it."""
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"
