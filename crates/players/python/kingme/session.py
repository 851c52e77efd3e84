"""The conversation with the arena: the Hub protocol on standard input and output."""

import os
import queue
import sys
import threading
import traceback
from typing import Callable, Dict, Optional

from . import line
from .clock import Clock
from .search import Search

_PACKAGE = os.path.dirname(__file__)


class Streams:
    """Standard input and output, kept for the protocol: what a bot prints goes to stderr, and
    what it wants to read from the keyboard is empty."""

    def __init__(self):
        sys.stdout.flush()
        self._lock = threading.Lock()
        self._input = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
        self._output = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        sys.stdin = open(0, "r", closefd=False)
        sys.stdout = open(1, "w", buffering=1, closefd=False, errors="replace")

    def lines(self):
        """The lines of the arena, until it goes away."""
        return iter(self._input.readline, "")

    def send(self, command: str, **arguments: object) -> None:
        """Writes one line to the arena."""
        data = (line.write(command, **arguments) + "\n").encode("utf-8")
        with self._lock:
            while data:
                data = data[os.write(self._output, data) :]


class Session:
    """Reads what the arena says and lets a *seat* answer: see :mod:`kingme.seat`."""

    def __init__(self, streams: Streams, seat):
        self._streams = streams
        self._seat = seat
        self._level: Dict[str, str] = {}
        self._lines = queue.SimpleQueue()

    def run(self) -> None:
        """Answers until the arena says ``quit`` or goes away."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            text, search = self._lines.get()
            command, arguments = line.read(text)
            if command == "quit":
                return
            self._guarded(command, arguments, search)

    def _publish(self, move: str) -> None:
        self._streams.send("info", pv=move)

    def _listen(self) -> None:
        search = Search()
        for text in self._streams.lines():
            command = line.read(text)[0]
            if command == "ping":
                self._streams.send("pong")
            elif command == "stop":
                search.stop()
            elif command == "ponder-hit":
                search.ponder_hit()
            else:
                if command == "go":
                    search = Search(self._publish)
                elif command == "quit":
                    search.stop()
                self._lines.put((text, search))
        search.stop()
        self._lines.put(("quit", search))

    def _guarded(self, command: str, arguments: Dict[str, str], search: Search) -> None:
        try:
            self._handle(command, arguments, search)
        except Exception as error:
            traceback.print_exc()
            self._streams.send("error", message=describe(error))
            if command == "go":
                self._streams.send("done")
            elif command in ("hub", "init"):
                sys.stderr.flush()
                os._exit(1)

    def _handle(self, command: str, arguments: Dict[str, str], search: Search) -> None:
        seat = self._seat
        if command == "hub":
            self._introduce()
        elif command == "set-param":
            seat.set_param(arguments.get("name", ""), arguments.get("value", ""))
        elif command == "init":
            seat.init()
            self._streams.send("id", name=seat.name(), version="1")
            self._streams.send("ready")
        elif command == "new-game":
            seat.new_game(arguments.get("side", ""))
        elif command == "pos":
            seat.position(arguments)
        elif command == "level":
            self._level = arguments
        elif command == "go":
            self._search("ponder" in arguments, search)

    def _introduce(self) -> None:
        self._streams.send("id", name=self._seat.name(), version="1")
        for param in self._seat.params():
            self._streams.send("param", **param)
        self._streams.send("wait")

    def _search(self, ponder: bool, search: Search) -> None:
        if ponder and not search.wait_for_hit():
            self._streams.send("done")
            return
        move, failure, complaint = self._seat.think(Clock(self._level), search)
        if complaint is not None:
            self._streams.send("error", message=complaint)
        if failure is not None:
            traceback.print_exception(type(failure), failure, failure.__traceback__)
            self._streams.send("error", message=describe(failure))
        self._streams.send("done", move=move, late="true" if search.late else None)


def describe(error: BaseException) -> str:
    """An exception in one line, with the place in the bot where it was raised."""
    if isinstance(error, SystemExit):
        return "it called sys.exit(%s)" % ("" if error.code is None else repr(error.code))
    text = str(error).strip()
    name = type(error).__name__
    words = "%s: %s" % (name, text) if text else name
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if os.path.dirname(frame.filename) != _PACKAGE]
    if own:
        words += " (%s, line %d)" % (os.path.basename(own[-1].filename), own[-1].lineno)
    return words


def converse(seat, streams: Optional[Streams] = None) -> None:
    """Lets a seat answer until the arena goes away, and ends the program."""
    Session(streams or Streams(), seat).run()
    sys.stderr.flush()
    # A bot's threads may still be at work; nobody waits for them.
    os._exit(0)


def run(make: Callable[[], object]) -> None:
    """Plays with a bot until the arena says ``quit``. ``make`` is the bot's class."""
    from .seat import BotSeat

    streams = Streams()
    converse(BotSeat(make), streams)
