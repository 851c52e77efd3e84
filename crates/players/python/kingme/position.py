"""Positions and moves of any game, as the arena hands them over."""

from dataclasses import dataclass, field
from typing import Dict, List, Mapping, Optional, Tuple

WHITE = "white"
BLACK = "black"


@dataclass(frozen=True)
class Piece:
    """A piece: whose it is, and its kind (``man``, ``king`` or a name from the game's rules)."""

    side: str
    kind: str


@dataclass(frozen=True)
class Board:
    """Which squares there are. Squares are numbers from 1, as the protocol counts them."""

    columns: int
    rows: int
    places: Tuple[Tuple[int, int], ...]  #: (row, column) of square 1, 2, 3, … from 0 at the top left
    pieces: Mapping[str, Piece]  #: the piece that a letter of a position text stands for

    def place(self, square: int) -> Tuple[int, int]:
        """(row, column) of a square, from 0 at the top left."""
        return self.places[square - 1]

    def square(self, row: int, column: int) -> Optional[int]:
        """The square at a row and a column, or None if nothing is played there."""
        return self._squares().get((row, column))

    def _squares(self) -> Dict[Tuple[int, int], int]:
        cached = self.__dict__.get("_by_place")
        if cached is None:
            cached = {place: number for number, place in enumerate(self.places, 1)}
            object.__setattr__(self, "_by_place", cached)
        return cached

    @staticmethod
    def read(board: str, pieces: str) -> "Board":
        """The board of the protocol's ``board`` and ``pieces`` parameters."""
        size, *places = board.split()
        columns, rows = map(int, size.split("x"))
        kinds = {}
        for word in pieces.split():
            kind, _, letters = word.partition(":")
            kinds[letters[0]] = Piece(WHITE, kind)
            kinds[letters[1]] = Piece(BLACK, kind)
        pairs = tuple(tuple(map(int, place.split(","))) for place in places)
        return Board(columns, rows, pairs, kinds)


@dataclass(frozen=True)
class Move:
    """A whole turn: where from, where to, and which squares are captured."""

    start: int
    end: int
    captured: Tuple[int, ...] = ()

    @staticmethod
    def read(text: str) -> "Move":
        """A move as the protocol writes it: ``32-28`` or ``28x19x23``."""
        start, end, *captured = map(int, text.replace("x", "-").split("-"))
        return Move(start, end, tuple(captured))

    def __str__(self) -> str:
        if not self.captured:
            return "%d-%d" % (self.start, self.end)
        return "x".join(map(str, (self.start, self.end) + self.captured))


@dataclass(frozen=True)
class Position:
    """Where the pieces stand, whose turn it is, and what can be played."""

    variant: str  #: name of the game
    board: Board
    turn: str  #: ``white`` or ``black``
    pieces: Mapping[int, Piece]  #: the piece on each occupied square
    moves: Tuple[Move, ...] = ()  #: the legal moves
    history: Tuple[Move, ...] = ()  #: what was played before
    _after: Mapping[Move, str] = field(default_factory=dict, repr=False, compare=False)

    def after(self, move: Move) -> "Position":
        """The position after one of ``moves``; the opponent's moves are not in it."""
        text = self._after[move]
        turn, pieces = _read_pieces(text, self.board)
        return Position(self.variant, self.board, turn, pieces, history=self.history + (move,))

    def squares(self, side: str, kind: Optional[str] = None) -> List[int]:
        """The squares of a side's pieces, of all kinds or of one."""
        return [
            square
            for square, piece in self.pieces.items()
            if piece.side == side and kind in (None, piece.kind)
        ]

    @property
    def opponent(self) -> str:
        """The side that does not move now."""
        return BLACK if self.turn == WHITE else WHITE

    @staticmethod
    def read(variant: str, board: Board, arguments: Mapping[str, str]) -> "Position":
        """The position of a ``pos`` line that hands everything over."""
        turn, pieces = _read_pieces(arguments["now"], board)
        moves = tuple(map(Move.read, arguments.get("legal", "").split()))
        after = dict(zip(moves, arguments.get("after", "").split()))
        history = tuple(map(Move.read, arguments.get("moves", "").split()))
        return Position(variant, board, turn, pieces, moves, history, after)


def _read_pieces(text: str, board: Board) -> Tuple[str, Dict[int, Piece]]:
    turn = WHITE if text[0] == "W" else BLACK
    letters = enumerate(text[1:], 1)
    return turn, {square: board.pieces[c] for square, c in letters if c in board.pieces}
