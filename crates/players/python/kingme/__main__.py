"""``python -m kingme FILE:CLASS``: a bot's class as a Hub process."""

import os
import sys

from .bot import Bot
from .loader import LoadError, load
from .seat import BotSeat, LeagueSeat
from .session import Streams, converse, describe

_USAGE = "usage: python -m kingme FILE:CLASS"


def main() -> None:
    """Loads the class that the command line names and plays with it."""
    file, _, name = (sys.argv[1:] or [""])[0].rpartition(":")
    if len(sys.argv) != 2 or not file or not name:
        sys.exit(_USAGE)
    # A thinking bot must not keep the conversation waiting for long.
    sys.setswitchinterval(0.001)
    streams = Streams()
    try:
        converse(_seat_for(load(file, name)), streams)
    except LoadError as error:
        streams.send("error", message=str(error))
        sys.exit("kingme: %s" % error)
    except (Exception, SystemExit) as error:
        streams.send("error", message="`%s` can't be loaded: %s" % (os.path.basename(file), describe(error)))
        raise


def _seat_for(bot: type):
    if issubclass(bot, Bot) or hasattr(bot, "choose"):
        return BotSeat(bot)
    if hasattr(bot, "move"):
        return LeagueSeat(bot)
    raise LoadError(
        "the class `%s` has neither `choose` (kingme's interface) nor `move` (CheckersLeague's)" % bot.__name__
    )


if __name__ == "__main__":
    main()
