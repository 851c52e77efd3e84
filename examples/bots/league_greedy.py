"""A bot in CheckersLeague's interface: takes as much as it can. Run it with
kingme play league --black python:examples/bots/league_greedy.py:LeagueGreedy"""

from players.interface import AbstractPlayer


class LeagueGreedy(AbstractPlayer):
    def __init__(self, board_size, player_num):
        self.color = "w" if player_num == 1 else "b"

    def get_name(self):
        return "League Greedy"

    def move(self, board, time_limit, ret_val):
        found = [board.generate_moves(place) for place in board.get_locations_by_color(self.color)]
        must_jump = any(is_jump for is_jump, _ in found)
        moves = [move for is_jump, moves in found if is_jump == must_jump for move in moves]
        ret_val.extend(max(moves, key=len))
