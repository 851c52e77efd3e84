"""Takes as much as it can and then crowns what it can, in any game. Run it with
kingme play english --black python:examples/bots/greedy.py:Greedy"""

from kingme import Bot, run


class Greedy(Bot):
    def choose(self, position, clock):
        return max(position.moves, key=lambda move: self.worth(position, move))

    def worth(self, position, move):
        kings = len(position.after(move).squares(position.turn, "king"))
        return (len(move.captured), kings)


if __name__ == "__main__":
    run(Greedy)
