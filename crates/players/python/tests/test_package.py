"""Lines, clocks, positions."""

import unittest

from kingme import Board, Clock, Move, Piece, Position
from kingme import line


class Lines(unittest.TestCase):
    def test_reading(self):
        text = 'pos pos=Wee moves="1-2 3-4" flag a = b\n'
        self.assertEqual(line.read(text), ("pos", {"pos": "Wee", "moves": "1-2 3-4", "flag": "", "a": "b"}))
        self.assertEqual(line.read(""), ("", {}))

    def test_writing(self):
        self.assertEqual(line.write("done", move="1-2", ponder=None), "done move=1-2")
        self.assertEqual(line.write("error", message='a "b"\nc'), "error message=\"a 'b' c\"")
        self.assertEqual(line.write("param", value=""), 'param value=""')


class Clocks(unittest.TestCase):
    def test_limits(self):
        self.assertEqual(Clock({"move-time": "0.5"}).limit, 0.5)
        self.assertIsNone(Clock({"infinite": ""}).limit)
        self.assertIsNone(Clock({"depth": "9"}).limit)
        self.assertEqual(Clock({"depth": "9"}).depth, 9)
        self.assertEqual(Clock({"moves": "10", "time": "100"}).limit, 10)
        self.assertEqual(Clock({"time": "0.5", "inc": "10"}).limit, 0.25)
        self.assertLessEqual(Clock({"move-time": "5"}).left, 5)


class Positions(unittest.TestCase):
    def setUp(self):
        self.board = Board.read("4x4 0,1 0,3 1,0 1,2 2,1 2,3 3,0 3,2", "man:wb king:WB")
        handed = {
            "moves": "1-3",
            "now": "Bewweeebb",
            "legal": "7-5 8-5 8-6",
            "after": "Wewwebeeb Wewwebebe Wewweebbe",
        }
        self.position = Position.read("league", self.board, handed)

    def test_board(self):
        self.assertEqual(self.board.place(3), (1, 0))
        self.assertEqual(self.board.square(1, 0), 3)
        self.assertIsNone(self.board.square(0, 0))

    def test_position(self):
        self.assertEqual((self.position.turn, self.position.opponent), ("black", "white"))
        self.assertEqual(self.position.squares("white"), [2, 3])
        self.assertEqual(self.position.squares("white", "king"), [])
        self.assertEqual(self.position.pieces[8], Piece("black", "man"))
        self.assertEqual(self.position.history, (Move(1, 3),))

    def test_moves(self):
        self.assertEqual([str(move) for move in self.position.moves], ["7-5", "8-5", "8-6"])
        self.assertEqual(Move.read("28x19x23"), Move(28, 19, (23,)))
        self.assertEqual(str(Move(28, 8, (23, 13))), "28x8x23x13")

    def test_after(self):
        after = self.position.after(Move(8, 6))
        self.assertEqual((after.turn, after.squares("black")), ("white", [6, 7]))
        self.assertRaises(KeyError, self.position.after, Move(1, 2))
