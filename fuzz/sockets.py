"""Rubbish on WebSockets: `sockets.py URL SECONDS [SEED]`.

Two people play games by chance over HTTP, and each game has sockets: honest ones, which must hear
every event in its order and as the OpenAPI document describes it, and others that send whatever
comes to mind. The server must stay well and answer nobody with an error of its own.
"""

import base64
import json
import random
import socket
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import jsonschema_rs

URL = sys.argv[1]
HOST = urllib.parse.urlparse(URL)
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
chance = random.Random(SEED)


def address():
    """Another address each time, so that limits do not hide what is behind them."""
    return f"10.{chance.randrange(256)}.{chance.randrange(256)}.{chance.randrange(256)}"


class Person:
    """A browser, with its cookie."""

    def __init__(self):
        self.address = address()
        self.cookie = None

    def headers(self):
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        return {"Origin": URL, "X-Forwarded-For": self.address, **cookie}

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers(), "Content-Type": "application/json"}
        request = urllib.request.Request(URL + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                cookie = answer.headers.get("Set-Cookie")
                self.cookie = cookie.split(";")[0] if cookie else self.cookie
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")


def dial(path, headers, key=None):
    """A connection after its handshake, and the first line of the answer to it."""
    line = socket.create_connection((HOST.hostname, HOST.port), timeout=20)
    key = key or base64.b64encode(chance.randbytes(16)).decode()
    lines = [f"GET {path} HTTP/1.1", f"Host: {HOST.netloc}", "Connection: Upgrade", "Upgrade: websocket"]
    lines += ["Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    said = b""
    while b"\r\n\r\n" not in said:
        piece = line.recv(1)
        if not piece:
            break
        said += piece
    return line, said.split(b"\r\n")[0]


def frame(opcode, payload, final=True, masked=True, claimed=None):
    """A frame of the protocol, which may lie about its length."""
    length = len(payload) if claimed is None else claimed
    bits = 0x80 if masked else 0
    head = bytes([(0x80 if final else 0) | opcode])
    if length < 126:
        head += bytes([bits | length])
    elif length < 1 << 16:
        head += bytes([bits | 126]) + struct.pack(">H", length)
    else:
        head += bytes([bits | 127]) + struct.pack(">Q", length)
    if not masked:
        return head + payload
    mask = chance.randbytes(4)
    return head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))


def rubbish():
    """Something that a socket might send."""
    some = chance.randbytes(chance.choice([0, 1, 7, 125, 126, 300, 4095, 4096, 4097, 70_000]))
    text = json.dumps(chance.choice([None, {}, [[]] * 50, {"move": "11-15"}, {"whole": {}}, "\u0000", 1e308]))
    return chance.choice(
        [
            lambda: frame(1, text.encode()),
            lambda: frame(1, some),
            lambda: frame(2, some),
            lambda: frame(9, some[:125]),
            lambda: frame(9, some),
            lambda: frame(10, some[:125]),
            lambda: frame(8, some[:125]),
            lambda: frame(8, struct.pack(">H", chance.randrange(1 << 16)) + b"bye"),
            lambda: frame(1, text.encode(), final=False) + frame(0, text.encode()),
            lambda: frame(1, b"a", final=False) * 40,
            lambda: frame(0, some),
            lambda: frame(chance.randrange(3, 8), some),
            lambda: frame(1, text.encode(), masked=False),
            lambda: frame(1, b"", claimed=chance.choice([1 << 62, (1 << 64) - 1, 4096, 70_000])),
            lambda: bytes([0xF1]) + frame(1, b"x")[1:],
            lambda: some,
            lambda: frame(1, b"hi") * 100,
        ]
    )()


class Listener:
    """An honest socket: reads whole messages and answers pings."""

    def __init__(self, person, path):
        self.line, first = dial(path, person.headers())
        assert b" 101 " in first, first
        self.bytes = b""

    def take(self, count):
        while len(self.bytes) < count:
            piece = self.line.recv(65536)
            if not piece:
                raise EOFError("the server has hung up on an honest socket")
            self.bytes += piece
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def message(self):
        while True:
            first, second = self.take(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self.take(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.take(8))
            payload = self.take(length)
            assert first & 0x70 == 0 and second & 0x80 == 0 and first & 0x80, "an unsound frame of ours"
            if first & 0x0F == 1:
                return json.loads(payload.decode())
            assert first & 0x0F == 9, f"opcode {first & 0x0F}"
            self.line.sendall(frame(10, payload))


class Schemas:
    """What the server may say, by its own document."""

    def __init__(self, document):
        def one(name):
            return jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", **document})

        self.by_name = {name: one(name) for name in ["WholeGameJson", "GameJson", "AwayJson", "SummaryJson"]}

    def check(self, name, value):
        self.by_name[name].validate(value)

    def check_of_game(self, message):
        """Checks what a game's socket says; the number of events, if it has one."""
        if set(message) == {"away"}:
            self.check("AwayJson", message)
            return None
        if set(message) == {"whole"}:
            self.check("WholeGameJson", message["whole"])
            return None
        self.check("GameJson", message)
        return message["seq"]


def hear(listener, schemas, seq):
    """Hears all up to an event; none is left out."""
    while True:
        heard = schemas.check_of_game(listener.message())
        if heard is not None:
            assert heard <= seq, f"event {heard} before it has happened"
        if heard == seq:
            return


def disturb(path, person):
    """A stranger's socket, or a player's own, that says anything."""
    headers = chance.choice([person.headers(), Person().headers(), {"Origin": "http://elsewhere"}, {}])
    key = chance.choice([None, None, None, "short", "x" * 5000])
    line, first = dial(path, headers, key)
    with line:
        if b" 101 " not in first:
            assert b" 4" in first or not first, first
            return
        try:
            for _ in range(chance.randrange(1, 12)):
                line.sendall(rubbish())
        except OSError:
            pass  # It was hung up on, as it should be.


def play(schemas):
    """A game of some moves, with everybody around it."""
    white, black, watcher = Person(), Person(), Person()
    begin = {"variant": chance.choice(["english", "russian", "turkish", "league"]), "white": {"type": "me"}}
    begin |= {"black": {"type": "friend"}, "public": chance.random() < 0.7}
    status, begun = white.ask("/api/games", begin)
    assert status == 201, (status, begun)
    path = f"/api/games/{begun['id']}"
    status, _ = black.ask(f"{path}/join", {"invite": begun["invite"]})
    assert status == 204, status
    listeners = [Listener(person, f"{path}/socket") for person in (white, black)]
    if begin["public"]:
        listeners.append(Listener(watcher, f"{path}/socket"))
    hall = Listener(watcher, "/api/games/socket")
    hall.message()
    for listener in listeners:
        schemas.check_of_game(listener.message())
    for _ in range(chance.randrange(1, 16)):
        disturb(chance.choice([f"{path}/socket", "/api/games/socket"]), chance.choice([white, black, watcher]))
        status, whole = white.ask(path)
        assert status == 200, (status, whole)
        mover = {"white": white, "black": black}[whole["game"]["turn"]]
        moves = whole["game"]["legal"]
        if not moves:
            break
        status, game = mover.ask(f"{path}/moves", {"move": chance.choice(moves)["text"]})
        assert status == 200, (status, game)
        for listener in listeners:
            hear(listener, schemas, game["seq"])
    if begin["public"]:
        schemas.check("SummaryJson", hall.message())
    for listener in [*listeners, hall]:
        listener.line.close()


def main():
    print(f"sockets, seed {SEED}")
    with urllib.request.urlopen(f"{URL}/api/openapi.json") as answer:
        schemas = Schemas(json.load(answer))
    until, games = time.monotonic() + float(sys.argv[2]), 0
    while time.monotonic() < until:
        play(schemas)
        games += 1
    with urllib.request.urlopen(f"{URL}/healthz") as answer:
        assert answer.status == 200
    print(f"sockets: {games} games, every message as described")


main()
