"""Bots for every game of the checkers family.

A bot is a class with a method ``choose(position, clock)`` that returns one of
``position.moves``::

    from kingme import Bot, run

    class First(Bot):
        def choose(self, position, clock):
            return position.moves[0]

    if __name__ == "__main__":
        run(First)
"""

from .bot import Bot
from .clock import Clock
from .position import Board, Move, Piece, Position
from .session import run

__all__ = ["Board", "Bot", "Clock", "Move", "Piece", "Position", "run"]
__version__ = "0.1.0"
