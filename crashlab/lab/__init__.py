"""The widgets: a board, a turn to step through, a position to explore, predictions to make."""

from crashlab.lab.board import Board
from crashlab.lab.explorer import Explorer
from crashlab.lab.predict import Predict
from crashlab.lab.stepper import Stepper

__all__ = ["Board", "Explorer", "Predict", "Stepper"]
