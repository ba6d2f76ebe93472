"""The widgets: a board, a turn to step through, a position to explore, predictions to make, agents to watch."""

from crashlab.lab.arena import Arena
from crashlab.lab.board import Board
from crashlab.lab.explorer import Explorer
from crashlab.lab.predict import Predict
from crashlab.lab.stepper import Stepper

__all__ = ["Arena", "Board", "Explorer", "Predict", "Stepper"]
