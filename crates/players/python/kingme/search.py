"""One search: a bot thinks in a thread of its own, until it is done, stopped or out of time."""

import ctypes
import queue
import threading
import time
from typing import Callable, Optional

# How often the answer so far is looked at, in seconds.
_LOOK = 0.02

_FINISHED = object()
_STOP = object()
_HIT = object()


class _TimeIsOver(SystemExit):
    """Ends the thread of a bot that is late."""


class Search:
    """What the arena may say while a bot thinks, and the bot's own end, in one queue."""

    def __init__(self, publish: Callable[[str], None] = lambda text: None):
        self._events = queue.SimpleQueue()
        self._publish = publish
        self._published = None
        #: whether the time was over before the bot was done
        self.late = False

    def stop(self) -> None:
        """The arena wants an answer now."""
        self._events.put(_STOP)

    def ponder_hit(self) -> None:
        """The arena says that the expected move was played."""
        self._events.put(_HIT)

    def wait_for_hit(self) -> bool:
        """Waits while the opponent thinks: true if the expected move came."""
        return self._events.get() is _HIT

    def think(
        self,
        function: Callable[[], None],
        seconds: Optional[float],
        so_far: Callable[[], Optional[str]] = lambda: None,
    ) -> None:
        """Runs ``function`` in a thread for so many seconds at most.

        ``so_far`` gives the answer as it stands; the arena is told of it while the bot thinks, so
        that it counts even if this process is too busy to answer when the time is over.

        Raises what the function raises. Whoever is late is told to stop by an exception, so that
        it does not eat into the next turn.
        """
        failure = []
        thread = threading.Thread(target=self._work, args=(function, failure), daemon=True)
        thread.start()
        if not self._finished_within(seconds, so_far):
            _interrupt(thread)
        elif failure:
            raise failure[0]

    def _work(self, function, failure) -> None:
        try:
            function()
        except _TimeIsOver:
            pass
        except BaseException as error:  # whatever a bot throws must not end the conversation
            failure.append(error)
        self._events.put(_FINISHED)

    def _finished_within(self, seconds: Optional[float], so_far) -> bool:
        end = float("inf") if seconds is None else time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            try:
                event = self._events.get(timeout=max(min(left, _LOOK), 0))
            except queue.Empty:
                if left <= 0:
                    self.late = True
                    return False
                self._tell(so_far)
                continue
            if event is not _HIT:
                return event is _FINISHED

    def _tell(self, so_far: Callable[[], Optional[str]]) -> None:
        try:
            text = so_far()
        except Exception:  # the bot is in the middle of writing it
            return
        if text and text != self._published:
            self._published = text
            self._publish(text)


def _interrupt(thread: threading.Thread) -> None:
    if thread.ident is not None:
        ident = ctypes.c_ulong(thread.ident)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(_TimeIsOver))
