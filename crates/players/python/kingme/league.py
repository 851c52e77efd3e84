"""The board of CheckersLeague, for bots written for it.

Squares are (row, column) from 0 at the top left; a move is the list of all squares that the piece
stands on. Squares hold ``'w' 'W' 'b' 'B'``, 0 if empty, ``'_'`` where nothing is played.
"""

import copy
from typing import Iterator, List, Optional, Tuple

Location = Tuple[int, int]
Turn = List[Location]

DEFAULT_LIMIT = 10.0  #: what a bot is told when there is no limit, in seconds
_QUIET_PLIES = 40  #: so many plies without a capture or a promotion end the game


class AbstractPlayer:
    """What a CheckersLeague bot implements. As in the original, nothing is enforced: what a bot
    lacks is missed when it is called."""

    def __init__(self, board_size, player_num):
        """A bot for one game: the board's size, and 1 for white or 2 for black."""
        raise NotImplementedError("a bot needs __init__(board_size, player_num)")

    def get_name(self):
        """The name shown in tables."""
        raise NotImplementedError("a bot needs get_name()")

    def move(self, board, time_limit, ret_val):
        """Appends the squares of a move to ``ret_val`` within ``time_limit`` seconds."""
        raise NotImplementedError("a bot needs move(board, time_limit, ret_val)")


class CheckerBoard:
    """A game in progress: the board, whose turn it is, and the rules."""

    def __init__(self, board_size: int):
        if board_size % 2 or board_size < 4:
            raise ValueError("the board's size is an even number from 4, not %r" % board_size)
        self._board_size = board_size
        self._board = [_start_row(row, board_size) for row in range(board_size)]
        self.current_player = "w"
        self._quiet_plies = 0

    @property
    def board(self) -> List[list]:
        """The rows, from the top."""
        return self._board

    @property
    def board_size(self) -> int:
        """Squares on a side."""
        return self._board_size

    def __getitem__(self, row):
        return self._board[row]

    def __iter__(self) -> Iterator[list]:
        return iter(self._board)

    def __len__(self) -> int:
        return self._board_size

    def __deepcopy__(self, memo) -> "CheckerBoard":
        twin = copy.copy(self)
        twin._board = [row[:] for row in self._board]
        return twin

    def __str__(self) -> str:
        columns = [""] + list(range(self._board_size))
        rows = [columns] + [[number] + row for number, row in enumerate(self._board)]
        return "\n".join("".join("{:^3}".format(cell) for cell in row) for row in rows)

    def print(self) -> None:
        """Prints the board with the numbers of its rows and columns."""
        print(self)

    def get_pieces(self) -> List[Tuple[str, Location]]:
        """All pieces with their locations, row by row."""
        return [
            (cell, (r, c))
            for r, row in enumerate(self._board)
            for c, cell in enumerate(row)
            if cell not in (0, "_")
        ]

    def get_locations_by_color(self, w_or_b: str) -> List[Location]:
        """The locations of a side's pieces, seen from its own side of the board: white's row by
        row, black's in reverse."""
        found = [place for piece, place in self.get_pieces() if piece.lower() == w_or_b]
        return found if w_or_b == "w" else found[::-1]

    def generate_moves(self, loc: Location, start_board: Optional[List[list]] = None) -> Tuple[bool, List[Turn]]:
        """Whether the piece on ``loc`` can jump, and its jumps if so, its steps if not. With rows of
        ``start_board`` instead of this board, the pieces are those that stand there."""
        if start_board is not None:
            return self._on(start_board).generate_moves(loc)
        row, column = loc
        loc = (row, column)
        piece = self._board[row][column]
        if piece in (0, "_"):
            return False, []
        jumps = list(self._jumps(loc, piece, [], loc))
        if jumps:
            return True, [[loc] + path for path in jumps]
        return False, [[loc, to] for to in self._generate_steps(loc)]

    def _on(self, rows) -> "CheckerBoard":
        twin = copy.copy(self)
        twin._board = rows.board if isinstance(rows, CheckerBoard) else rows
        return twin

    def _generate_steps(self, loc: Location) -> List[Location]:
        """The empty squares that the piece on ``loc`` can step to."""
        piece = self._cell(loc)
        return [to for to in self._neighbours(loc, piece) if self._cell(to) == 0]

    def _jumps(self, at: Location, piece: str, taken: List[Location], start: Location):
        """All ways to jump on, each beginning of a longer one included."""
        for over in self._neighbours(at, piece):
            to = (2 * over[0] - at[0], 2 * over[1] - at[1])
            victim = self._cell(over)
            free = self._cell(to) == 0 or to == start or to in taken
            enemy = victim not in (0, "_", None) and victim.lower() != piece.lower()
            if free and enemy and over not in taken:
                yield [to]
                rest = self._jumps(to, self._promoted(piece, to), taken + [over], start)
                for path in rest:
                    yield [to] + path

    def _neighbours(self, at: Location, piece: str) -> List[Location]:
        rows = {"w": (1,), "b": (-1,)}.get(piece, (1, -1))
        return [(at[0] + down, at[1] + right) for down in rows for right in (-1, 1)]

    def _cell(self, place: Location):
        inside = 0 <= place[0] < self._board_size and 0 <= place[1] < self._board_size
        return self._board[place[0]][place[1]] if inside else None

    def _promoted(self, piece: str, place: Location) -> str:
        last = self._board_size - 1 if piece == "w" else 0
        return piece.upper() if place[0] == last else piece

    def legal_moves(self) -> List[Turn]:
        """All moves of the player whose turn it is: jumps only, if there are any."""
        found = [self.generate_moves(at) for at in self.get_locations_by_color(self.current_player)]
        must_jump = any(is_jump for is_jump, _ in found)
        return [move for is_jump, moves in found if is_jump == must_jump for move in moves]

    def execute_move(self, move: Turn) -> bool:
        """Plays a move and passes the turn; false, and nothing happens, if it is not legal."""
        if not self._is_legal(move):
            return False
        before = self.get_pieces()
        piece = self._board[move[0][0]][move[0][1]]
        for at, to in zip(move, move[1:]):
            self._board[at[0]][at[1]] = 0
            if abs(to[0] - at[0]) == 2:
                self._board[(at[0] + to[0]) // 2][(at[1] + to[1]) // 2] = 0
            piece = self._promoted(piece, to)
            self._board[to[0]][to[1]] = piece
        progress = sorted(p for p, _ in before) != sorted(p for p, _ in self.get_pieces())
        self._quiet_plies = 0 if progress else self._quiet_plies + 1
        self.current_player = "b" if self.current_player == "w" else "w"
        return True

    @property
    def _end_game_move_count(self) -> int:
        """Plies since the last capture or promotion; at 40 the game is over."""
        return self._quiet_plies

    @_end_game_move_count.setter
    def _end_game_move_count(self, plies: int) -> None:
        self._quiet_plies = plies

    def _validate_move(self, move: Turn) -> bool:
        """Whether a move is legal for the player whose turn it is."""
        return self._is_legal(move)

    def _is_legal(self, move: Turn) -> bool:
        try:
            squares = [(row, column) for row, column in move]
            piece = self._cell(squares[0])
            if piece in (0, "_", None) or piece.lower() != self.current_player:
                return False
            is_jump, moves = self.generate_moves(squares[0])
            return squares in moves and (is_jump or not self._can_jump())
        except (TypeError, ValueError, IndexError):
            return False

    def _can_jump(self) -> bool:
        places = self.get_locations_by_color(self.current_player)
        return any(self.generate_moves(place)[0] for place in places)

    def get_winner(self) -> Optional[str]:
        """``'w'`` or ``'b'`` if that side has won, ``'d'`` for a draw, None while the game goes on."""
        if not self.legal_moves():
            return "b" if self.current_player == "w" else "w"
        if self._quiet_plies < _QUIET_PLIES:
            return None
        white, black = (len(self.get_locations_by_color(color)) for color in "wb")
        return "d" if white == black else "w" if white > black else "b"


def _start_row(row: int, size: int) -> list:
    depth = size // 2 - 1
    piece = "w" if row < depth else "b" if row >= size - depth else 0
    return [piece if (row + column) % 2 else "_" for column in range(size)]


def _places(size: int) -> List[Location]:
    """Square 1, 2, 3, … of the protocol."""
    return [(r, c) for r in range(size) for c in range(size) if (r + c) % 2]


def read_position(size: int, text: str) -> CheckerBoard:
    """The board of a position text of the protocol."""
    board = CheckerBoard(size)
    places = _places(size)
    if len(text) != len(places) + 1:
        raise ValueError("a position of %d squares does not fit a board of size %d" % (len(text) - 1, size))
    board.current_player = text[0].lower()
    for (row, column), letter in zip(places, text[1:]):
        board[row][column] = 0 if letter == "e" else letter
    return board


def copy_of(board: CheckerBoard) -> CheckerBoard:
    """A board of its own for a bot: what it does to it is its own affair."""
    return copy.deepcopy(board)


def play_text(board: CheckerBoard, text: str) -> None:
    """Plays a move of the protocol: ``9-13``, ``9x18x14``."""
    start, end, *captured = (int(number) for number in text.replace("x", "-").split("-"))
    places = _places(board.board_size)
    victims = {places[number - 1] for number in captured}
    for move in board.generate_moves(places[start - 1])[1]:
        if move[-1] == places[end - 1] and set(_victims(move)) == victims:
            board.execute_move(move)
            return
    raise ValueError("the move %s is not possible here" % text)


def write_move(board: CheckerBoard, move: Turn) -> Optional[str]:
    """A bot's answer as the protocol writes it. What is no legal move is handed on as it is: the
    referee deals with it, and the record shows it."""
    if not move:
        return None
    if not copy_of(board).execute_move(move):
        return repr(move)[:200]
    number = {place: index for index, place in enumerate(_places(board.board_size), 1)}
    squares = [(row, column) for row, column in move]
    captured = [number[victim] for victim in _victims(squares)]
    separator = "x" if captured else "-"
    return separator.join(str(n) for n in [number[squares[0]], number[squares[-1]]] + captured)


def complaint(board: CheckerBoard, move: Turn) -> Optional[str]:
    """Why an answer is no legal move, in the terms of those who write bots; None if it is one."""
    if not move:
        return "move() has left ret_val empty; it should have all squares of a move, as in %r" % (_example(board),)
    if board._is_legal(move):
        return None
    shown = repr(move)
    if len(shown) > 200:
        shown = shown[:200] + "…"
    return "%s is no legal move: %s" % (shown, _why_not(board, move))


def _example(board: CheckerBoard) -> Turn:
    return board.legal_moves()[0]


def _why_not(board: CheckerBoard, move: Turn) -> str:
    try:
        squares = [(row, column) for row, column in move]
        piece = board._cell(squares[0])
    except (TypeError, ValueError):
        return "it should be a list of squares, as in %r" % (_example(board),)
    if piece in (0, "_", None) or piece.lower() != board.current_player:
        return "none of your pieces is on %r" % (squares[0],)
    is_jump, moves = board.generate_moves(squares[0])
    if not is_jump and board._can_jump():
        return "a capture must be made, as in %r" % (_example(board),)
    if not moves:
        return "the piece on %r can't move" % (squares[0],)
    return "the piece on %r can play %s" % (squares[0], " or ".join(map(repr, moves[:4])))


def _victims(move: Turn) -> List[Location]:
    return [
        ((at[0] + to[0]) // 2, (at[1] + to[1]) // 2)
        for at, to in zip(move, move[1:])
        if abs(to[0] - at[0]) == 2
    ]
