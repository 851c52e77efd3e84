"""What CheckersLeague's board promises."""

import contextlib
import copy
import io
import unittest
import unittest.mock

from kingme.console import Console
from kingme.league import CheckerBoard, complaint, play_text, read_position, write_move


def board_of(*rows, player="w"):
    board = CheckerBoard(len(rows))
    for number, row in enumerate(rows):
        for column, cell in enumerate(row.split()):
            board[number][column] = 0 if cell == "0" else cell
    board.current_player = player
    return board


class Start(unittest.TestCase):
    def test_pieces_and_empty_rows(self):
        for size in range(4, 27, 2):
            board = CheckerBoard(size)
            count = size * (size // 2 - 1) // 2
            self.assertEqual(len(board.get_locations_by_color("w")), count)
            self.assertEqual(len(board.get_locations_by_color("b")), count)

    def test_sizes_that_can_not_be(self):
        for size in (2, 7):
            self.assertRaises(ValueError, CheckerBoard, size)

    def test_print(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            CheckerBoard(4).print()
        expected = (
            "    0  1  2  3 \n"
            " 0  _  w  _  w \n"
            " 1  0  _  0  _ \n"
            " 2  _  0  _  0 \n"
            " 3  b  _  b  _ \n"
        )
        self.assertEqual(out.getvalue(), expected)

    def test_rows(self):
        board = CheckerBoard(4)
        self.assertEqual(board[0], ["_", "w", "_", "w"])
        self.assertEqual(board.board[3][0], "b")
        self.assertEqual([row[0] for row in board], ["_", 0, "_", "b"])

    def test_pieces_are_listed(self):
        board = CheckerBoard(4)
        self.assertEqual(board.get_pieces()[0], ("w", (0, 1)))
        self.assertEqual(board.get_locations_by_color("w"), [(0, 1), (0, 3)])
        self.assertEqual(board.get_locations_by_color("b"), [(3, 2), (3, 0)])


class Moves(unittest.TestCase):
    def test_steps(self):
        self.assertEqual(
            CheckerBoard(4).generate_moves((0, 1)), (False, [[(0, 1), (1, 0)], [(0, 1), (1, 2)]])
        )

    def test_every_beginning_of_a_jump_is_a_move(self):
        board = board_of("_ w _ 0 _ 0", "0 _ b _ 0 _", "_ 0 _ 0 _ 0", "0 _ b _ 0 _", "_ 0 _ 0 _ 0", "0 _ 0 _ b _")
        self.assertEqual(
            board.generate_moves((0, 1)),
            (True, [[(0, 1), (2, 3)], [(0, 1), (2, 3), (4, 1)]]),
        )

    def test_a_promotion_does_not_end_a_jump(self):
        board = board_of("_ 0 _ 0 _ 0", "0 _ 0 _ 0 _", "_ 0 _ 0 _ 0", "0 _ w _ 0 _", "_ b _ b _ 0", "0 _ 0 _ 0 _")
        board[4][3], board[4][1] = "b", "b"
        self.assertIn([(3, 2), (5, 0)], board.generate_moves((3, 2))[1])
        board[4][3] = 0
        board[3][2], board[3][0], board[4][1], board[4][3] = 0, 0, 0, 0
        board[3][4], board[4][3] = "w", "b"
        board[4][1] = "b"
        jumps = board.generate_moves((3, 4))[1]
        self.assertEqual(jumps, [[(3, 4), (5, 2)], [(3, 4), (5, 2), (3, 0)]])
        self.assertTrue(board.execute_move(jumps[1]))
        self.assertEqual(board[3][0], "W")

    def test_a_capture_is_obligatory(self):
        board = board_of("_ w _ w _ 0", "0 _ b _ 0 _", "_ 0 _ 0 _ 0", "0 _ 0 _ 0 _", "_ 0 _ 0 _ 0", "0 _ 0 _ 0 _")
        board[0][5] = "w"
        self.assertFalse(board.execute_move([(0, 5), (1, 4)]))
        self.assertEqual(board.current_player, "w")
        self.assertTrue(board.execute_move([(0, 1), (2, 3)]))
        self.assertEqual((board.current_player, board[1][2]), ("b", 0))

    def test_nonsense_is_refused(self):
        board = CheckerBoard(6)
        for move in ([], [(1, 0)], [(9, 9), (8, 8)], ["ab"], [1, 2], [(1, 0), (2, 1), (3, 0)], None, [(0, 0), (1, 1)]):
            self.assertFalse(board.execute_move(move), move)
        self.assertEqual(board.get_pieces(), CheckerBoard(6).get_pieces())

    def test_a_copy_is_another_board(self):
        board = CheckerBoard(6)
        twin = copy.deepcopy(board)
        self.assertTrue(twin.execute_move([(1, 0), (2, 1)]))
        self.assertEqual((board.current_player, board[2][1]), ("w", 0))


class Originals(unittest.TestCase):
    """What bots use of the original's board besides what it promises."""

    def test_moves_on_other_rows(self):
        board = CheckerBoard(4)
        rows = [["_", 0, "_", 0], ["w", "_", 0, "_"], ["_", 0, "_", 0], [0, "_", 0, "_"]]
        self.assertEqual(board.generate_moves((1, 0), rows), (False, [[(1, 0), (2, 1)]]))
        self.assertEqual(board.generate_moves((0, 1), board.board), board.generate_moves((0, 1)))
        self.assertEqual(board.generate_moves((0, 1), start_board=board), board.generate_moves((0, 1)))

    def test_steps_and_validity(self):
        board = CheckerBoard(4)
        self.assertEqual(board._generate_steps((0, 1)), [(1, 0), (1, 2)])
        self.assertTrue(board._validate_move([(0, 1), (1, 0)]))
        self.assertFalse(board._validate_move([(0, 1), (2, 1)]))

    def test_quiet_plies(self):
        board = CheckerBoard(4)
        self.assertEqual(board._end_game_move_count, 0)
        board.execute_move([(0, 1), (1, 0)])
        self.assertEqual(board._end_game_move_count, 1)
        board._end_game_move_count = 40
        self.assertEqual(board.get_winner(), "d")

    def test_a_person_at_the_console(self):
        board, answer = CheckerBoard(4), []
        with unittest.mock.patch("builtins.input", side_effect=["x", "0 1 3 3", "(0, 1), (1, 0)"]):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                Console(4, 1).move(board, 1.0, answer)
        self.assertEqual(answer, [(0, 1), (1, 0)])
        self.assertEqual(out.getvalue().count("that is no legal move"), 2)


class Complaints(unittest.TestCase):
    def test_in_the_words_of_the_author(self):
        board = board_of("_ w _ w _ 0", "0 _ b _ 0 _", "_ 0 _ 0 _ 0", "0 _ 0 _ 0 _", "_ 0 _ 0 _ 0", "0 _ 0 _ 0 _")
        board[0][5] = "w"
        self.assertIsNone(complaint(board, [(0, 1), (2, 3)]))
        self.assertEqual(
            complaint(board, [(0, 5), (1, 4)]),
            "[(0, 5), (1, 4)] is no legal move: a capture must be made, as in [(0, 1), (2, 3)]",
        )
        self.assertEqual(
            complaint(board, [(1, 2), (0, 1)]),
            "[(1, 2), (0, 1)] is no legal move: none of your pieces is on (1, 2)",
        )


class Winner(unittest.TestCase):
    def test_none_at_the_start(self):
        self.assertIsNone(CheckerBoard(8).get_winner())

    def test_who_can_not_move_loses(self):
        board = board_of("_ w _ 0", "0 _ 0 _", "_ 0 _ 0", "0 _ 0 _", player="b")
        self.assertEqual(board.get_winner(), "w")

    def test_forty_quiet_plies_are_counted(self):
        board = board_of("_ W _ 0", "0 _ 0 _", "_ 0 _ 0", "B _ B _")
        back_and_forth = [[(0, 1), (1, 0)], [(3, 2), (2, 3)], [(1, 0), (0, 1)], [(2, 3), (3, 2)]]
        for ply in range(40):
            self.assertIsNone(board.get_winner())
            self.assertTrue(board.execute_move(back_and_forth[ply % 4]))
        self.assertEqual(board.get_winner(), "b")
        board[3][0] = 0
        self.assertEqual(board.get_winner(), "d")


class Protocol(unittest.TestCase):
    def test_positions_and_moves(self):
        board = read_position(4, "Wwweeeebb")
        self.assertEqual(board.get_pieces(), CheckerBoard(4).get_pieces())
        play_text(board, "1-3")
        self.assertEqual(board[1][0], "w")
        self.assertEqual(write_move(board, [(3, 0), (2, 1)]), "7-5")
        self.assertIsNone(write_move(board, []))
        self.assertEqual(write_move(board, [(3, 0), (9, 9)]), "[(3, 0), (9, 9)]")
        self.assertRaises(ValueError, play_text, board, "1-2")
        self.assertRaises(ValueError, read_position, 6, "Wwweeeebb")
