"""The interface for new bots."""

from .clock import Clock
from .position import Move, Position


class Bot:
    """A player of any game. One object plays one game after the other."""

    name = ""  #: shown in tables; the name of the class if empty

    def new_game(self, side: str) -> None:
        """Called before a game; ``side`` is ``white`` or ``black``."""

    def choose(self, position: Position, clock: Clock) -> Move:
        """Return one of ``position.moves`` within ``clock.left`` seconds."""
        raise NotImplementedError("a bot needs a method choose(position, clock)")

    def suggest(self, move: Move) -> None:
        """Call this while thinking: the best move so far counts if the time runs out."""
        self._suggestions.append(move)

    _suggestions: list = []
