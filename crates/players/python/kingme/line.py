"""Lines of the Hub protocol: ``command name=value name="a value" flag``."""

import re
from typing import Dict, Tuple

_ARGUMENT = re.compile(r'([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s"]*)))?')


def read(text: str) -> Tuple[str, Dict[str, str]]:
    """The command of a line and its arguments; a flag has the empty value."""
    command, _, rest = text.strip().partition(" ")
    arguments = {}
    for name, quoted, plain in _ARGUMENT.findall(rest):
        arguments.setdefault(name, quoted or plain)
    return command, arguments


def write(command: str, **arguments: object) -> str:
    """A line without its end. Names are written with ``-`` where Python has ``_``."""
    words = [command]
    for name, value in arguments.items():
        if value is not None:
            words.append("%s=%s" % (name.replace("_", "-"), _quoted(str(value))))
    return " ".join(words)


def _quoted(value: str) -> str:
    # A value can't hold a quote or the end of a line.
    value = " ".join(value.replace('"', "'").split())
    return value if re.fullmatch(r"[^\s=']+", value) else '"%s"' % value
