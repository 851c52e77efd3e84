"""A bot that does one thing wrong: the one that its argument names."""

import sys
import time

wrong = sys.argv[1]
legal, known = [], "legal"


def say(line):
    print(line, flush=True)


if wrong == "exits":
    sys.exit("no licence")
for line in sys.stdin:
    command = line.split()[0] if line.split() else ""
    if command == "hub":
        if wrong == "silent":
            continue
        if wrong == "greets":
            say("Hello, I am a bot")
        if wrong != "nameless":
            say("id name=Wrong version=2")
        if wrong != "gameless":
            say("param name=hand-over value=legal")
        say("wait")
    elif command == "init" and wrong != "unready":
        say("ready")
    elif command == "make-tea" and wrong == "particular":
        raise ValueError("unknown command make-tea")
    elif command == "ping" and wrong != "deaf":
        say("pong")
    elif command == "pos":
        rest = line.split('legal="')[1] if 'legal="' in line else ""
        legal = rest.split('"')[0].split() or legal
        if wrong == "forgetful" and "moves=" in line:
            legal = first
        first = legal
    elif command == "go":
        move = max(legal, key=len)
        if wrong == "slow":
            time.sleep(5)
        elif wrong == "moveless":
            say("done")
        elif wrong == "chess":
            say("done move=e2e4")
        elif wrong == "illegal":
            say("done move=1-50")
        elif wrong == "short":
            say("done move=" + "x".join(move.split("x")[:2]))
        elif wrong == "crashes" and "x" in move:
            raise KeyError("x")
        elif wrong != "stubborn":
            say("done move=" + move)
    elif command == "level" and wrong == "stubborn" and "infinite" not in line:
        say("done move=" + max(legal, key=len))
    elif command == "quit" and wrong != "clings":
        break
while wrong == "clings":
    time.sleep(1)
