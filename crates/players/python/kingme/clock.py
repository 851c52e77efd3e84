"""How long a bot may think."""

import time
from typing import Dict, Optional


class Clock:
    """The limits of one move, counted from the moment the bot was asked."""

    def __init__(self, level: Dict[str, str]):
        self._start = time.monotonic()
        self.depth = _number(level, "depth", int)  #: plies to look ahead at most, or None
        self.nodes = _number(level, "nodes", int)  #: positions to look at at most, or None
        self.move_time = _number(level, "move-time", float)  #: seconds for this move, or None
        self.time = _number(level, "time", float)  #: seconds left for the game, or None
        self.increment = _number(level, "inc", float) or 0.0  #: seconds added before every move
        self.moves = _number(level, "moves", int)  #: moves for which ``time`` must do, or None

    @property
    def limit(self) -> Optional[float]:
        """Seconds that this move should take at most; None if there is no limit."""
        if self.move_time is not None:
            return self.move_time
        if self.time is None:
            return None
        share = self.time / (self.moves or 30) + self.increment
        return max(min(share, self.time / 2), 0.001)

    @property
    def used(self) -> float:
        """Seconds since the bot was asked."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        """Seconds left for this move, never below 0; infinite if there is no limit."""
        limit = self.limit
        return float("inf") if limit is None else max(limit - self.used, 0.0)


def _number(level, name, kind):
    try:
        return kind(level[name])
    except (KeyError, ValueError):
        return None
