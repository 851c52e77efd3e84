"""A person at a keyboard as a CheckersLeague player, to try a bot against on its author's own terminal."""

from .league import AbstractPlayer


class Console(AbstractPlayer):
    """Shows the board and reads a move: row and column of each square, ``1 0 2 1``."""

    def __init__(self, board_size, player_num):
        self._color = "white" if player_num == 1 else "black"

    def get_name(self):
        return "Console"

    def move(self, board, time_limit, ret_val):
        board.print()
        while True:
            squares = read_squares(input("%s to move, as in 1 0 2 1: " % self._color))
            if squares is not None and board._validate_move(squares):
                ret_val.extend(squares)
                return
            print("that is no legal move")


def read_squares(text):
    """The squares of a line of numbers, or None if they are none."""
    try:
        numbers = [int(word) for word in text.replace(",", " ").replace("(", " ").replace(")", " ").split()]
    except ValueError:
        return None
    if len(numbers) < 4 or len(numbers) % 2:
        return None
    return list(zip(numbers[::2], numbers[1::2]))
