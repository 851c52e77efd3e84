"""A bot in CheckersLeague's interface to start from: plain minimax that counts pieces.
kingme play league --black python:examples/bots/simple_ai.py:MyAI"""

import copy

from players.interface import AbstractPlayer

DEPTH = 3
WORTH = {"w": 1, "W": 3, "b": -1, "B": -3}


class MyAI(AbstractPlayer):
    def __init__(self, board_size, player_num):
        self.color = "w" if player_num == 1 else "b"

    def get_name(self):
        return "My AI"

    def move(self, board, time_limit, ret_val):
        best = max(legal_moves(board), key=lambda move: -value(after(board, move), DEPTH - 1))
        ret_val.extend(best)


def value(board, depth):
    """What the board is worth to the player whose turn it is."""
    moves = legal_moves(board)
    if not moves:
        return -1000
    if depth == 0:
        white = sum(WORTH[piece] for piece, _ in board.get_pieces())
        return white if board.current_player == "w" else -white
    return max(-value(after(board, move), depth - 1) for move in moves)


def after(board, move):
    twin = copy.deepcopy(board)
    twin.execute_move(move)
    return twin


def legal_moves(board):
    found = [board.generate_moves(place) for place in board.get_locations_by_color(board.current_player)]
    must_jump = any(is_jump for is_jump, _ in found)
    return [move for is_jump, moves in found if is_jump == must_jump for move in moves]
