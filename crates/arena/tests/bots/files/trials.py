"""Bots for the tests: each does one thing that bots do."""

import time

from players.interface import AbstractPlayer


class Base(AbstractPlayer):
    def __init__(self, board_size, player_num):
        self.color = "w" if player_num == 1 else "b"

    def get_name(self):
        return type(self).__name__

    def legal(self, board):
        found = [board.generate_moves(p) for p in board.get_locations_by_color(self.color)]
        must_jump = any(is_jump for is_jump, _ in found)
        return [move for is_jump, moves in found if is_jump == must_jump for move in moves]


class Chatty(Base):
    """Prints a lot, also while it is loaded, and reads the keyboard."""

    print("done move=1-1")

    def move(self, board, time_limit, ret_val):
        print("done move=1-1")
        board.print()
        try:
            input()
        except EOFError:
            pass
        ret_val.extend(self.legal(board)[0])


class Anytime(Base):
    """Has its answer early and thinks on for ever."""

    def move(self, board, time_limit, ret_val):
        ret_val.extend(self.legal(board)[0])
        while True:
            pass


class Sleeper(Base):
    """Never answers."""

    def move(self, board, time_limit, ret_val):
        time.sleep(1000)


class Raises(Base):
    def move(self, board, time_limit, ret_val):
        raise ValueError("no idea\nat all")


class RaisesLate(Base):
    """Has answered before it fails."""

    def move(self, board, time_limit, ret_val):
        ret_val.extend(self.legal(board)[0])
        raise ValueError("no idea")


class Exits(Base):
    def move(self, board, time_limit, ret_val):
        raise SystemExit(3)


class Malformed(Base):
    def move(self, board, time_limit, ret_val):
        ret_val.append("north")


class Illegal(Base):
    def move(self, board, time_limit, ret_val):
        ret_val.extend([(2, 1), (7, 6)])


class Empty(Base):
    def move(self, board, time_limit, ret_val):
        pass


class Counts(Base):
    """Notes every size and number that it is made with."""

    made = []

    def __init__(self, board_size, player_num):
        super().__init__(board_size, player_num)
        Counts.made.append((board_size, player_num))

    def get_name(self):
        return repr(Counts.made)

    def move(self, board, time_limit, ret_val):
        ret_val.extend(self.legal(board)[0])


class Vandal(Base):
    """Plays on the board it was given."""

    def move(self, board, time_limit, ret_val):
        move = self.legal(board)[0]
        ret_val.extend(move)
        board.execute_move(move)
        board[0][1] = "B"


class FailsToStart(Base):
    def __init__(self, board_size, player_num):
        raise RuntimeError("no model file")
