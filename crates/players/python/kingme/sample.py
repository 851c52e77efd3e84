"""A sample CheckersLeague bot: plain minimax on material. Copy it and make it better."""

import copy
import time

from .league import AbstractPlayer

KING = 3  #: what a king is worth, in men


class SimpleAI(AbstractPlayer):
    """Looks one ply further ahead as long as there is time."""

    def __init__(self, board_size, player_num):
        self._color = "w" if player_num == 1 else "b"
        self._end = 0.0

    def get_name(self):
        return "SimpleAI"

    def move(self, board, time_limit, ret_val):
        self._end = time.monotonic() + 0.9 * time_limit
        for depth in range(1, 64):
            best = self._best(board, depth)
            if best is None:
                return
            # Whatever stands in the list when the time is over counts.
            ret_val[:] = best

    def _best(self, board, depth):
        """The best move at this depth, or None if there is no time for it."""
        scores = []
        for move in legal_moves(board):
            score = self._value(after(board, move), depth - 1)
            if score is None:
                return None
            scores.append((score, move))
        return max(scores, key=lambda pair: pair[0])[1] if scores else None

    def _value(self, board, depth):
        if time.monotonic() > self._end:
            return None
        moves = legal_moves(board)
        ours = board.current_player == self._color
        if not moves:
            return -1000 if ours else 1000
        if depth == 0:
            return self._material(board)
        values = [self._value(after(board, move), depth - 1) for move in moves]
        if None in values:
            return None
        return max(values) if ours else min(values)

    def _material(self, board):
        worth = {"w": 1, "W": KING, "b": -1, "B": -KING}
        white = sum(worth[piece] for piece, _ in board.get_pieces())
        return white if self._color == "w" else -white


def legal_moves(board):
    """All moves of the side to move; a capture must be made if there is one."""
    found = [board.generate_moves(place) for place in board.get_locations_by_color(board.current_player)]
    must_jump = any(is_jump for is_jump, _ in found)
    return [move for is_jump, moves in found if is_jump == must_jump for move in moves]


def after(board, move):
    """The board after a move; the one that is given stays as it is."""
    twin = copy.deepcopy(board)
    twin.execute_move(move)
    return twin
