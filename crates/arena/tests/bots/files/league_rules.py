"""Plays games through the board of CheckersLeague: a line is a size and moves; the answer is the
legal moves before each of them and after the last, and the winner."""

import sys

from kingme import league


def legal(board):
    texts = {canonical(league.write_move(board, move)) for move in board.legal_moves()}
    return " ".join(sorted(texts))


def canonical(text):
    """Captured squares in order: ways with the same effect are one move."""
    separator = "x" if "x" in text else "-"
    start, end, *captured = text.split(separator)
    return separator.join([start, end] + sorted(captured, key=int))


for line in sys.stdin:
    size, *moves = line.split()
    board = league.CheckerBoard(int(size))
    answers = [legal(board)]
    for text in moves:
        assert board.get_winner() is None
        league.play_text(board, text)
        answers.append(legal(board))
    print("/".join(answers), board.get_winner(), sep="/")
