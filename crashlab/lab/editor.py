"""An editor for positions: lists for all fields of a piece, and clicks on the board."""

from collections.abc import Callable
from math import dist
from typing import Any

import ipywidgets as widgets

from crashlab.drawing.canvas import Shapes
from crashlab.drawing.shapes import Picture
from crashlab.engine.notation import capital
from crashlab.engine.prompts import Edit
from crashlab.lab.board import Board, extent, piece_at, ring

PLACE = 43.0  # pixels within which a click hits a place
CLEARLY = 3.0  # a place must be this many pixels nearer than a piece to be hit


class Editor(widgets.VBox):  # type: ignore[misc]
    """A menu of the pieces of a position, and a list for each field of the selected piece."""

    def __init__(self, board: Board, change: Callable[[str, str, str], object], redraw: Callable[[], object]) -> None:
        self.board, self.change, self.redraw = board, change, redraw
        self.edits: tuple[Edit, ...] = ()
        self.piece = widgets.Dropdown(description="piece", options=())
        self.piece.observe(board.guard(lambda change: self._turn_to(change.new)), "index")
        self.fields: list[Any] = []
        self.listed: Edit | None = None  # the piece whose fields the lists show
        super().__init__([self.piece])

    @property
    def edit(self) -> Edit | None:
        """The fields of the selected piece, or None."""
        index = self.piece.index
        return self.edits[index] if index is not None and index < len(self.edits) else None

    @property
    def hint(self) -> str:
        """A hint on how to change the selected piece."""
        edit = self.edit
        if not edit:
            return "There is nothing to change."
        what = capital(edit.text)
        how = (
            "click where it should stand, or use the lists"
            if any(field.places for field in edit.fields)
            else "use the lists"
        )
        return f"{what}: {how}. Click another piece to change that one."

    def offer(self, edits: tuple[Edit, ...]) -> None:
        """List the current edits."""
        index = self.piece.index or 0
        self.edits = tuple(edits)
        self.piece.options = [edit.text for edit in self.edits]
        self.piece.index = min(index, len(self.edits) - 1) if self.edits else None
        self._show_fields()

    def _turn_to(self, index: int | None) -> None:
        self.piece.index = index
        self._show_fields()
        self.redraw()
        self.board.say(self.hint)

    def _show_fields(self) -> None:
        self.listed = self.edit
        fields = self.listed.fields if self.listed else ()
        while len(self.fields) < len(fields):
            self.fields.append(self._field(len(self.fields)))
        for menu, field in zip(self.fields, fields, strict=False):
            menu.description, menu.options, menu.value = field.name, field.values, field.value
        self.children = [self.piece, *self.fields[: len(fields)]]

    def _field(self, place: int) -> widgets.Dropdown:
        menu = widgets.Dropdown(options=())

        def set_it(edit: Edit | None, value: str | None) -> None:
            if edit and value is not None:
                try:
                    self.change(edit.key, edit.fields[place].name, value)
                except Exception:
                    self._show_fields()  # restores the old value
                    raise

        on = self.board.guard(set_it)
        menu.observe(lambda change: on(self.listed, change.new), "value")  # the lists may change before it has the lock
        return menu

    def click(self, x: float, y: float) -> None:
        """Select the piece at (x, y) or move the selected piece to the place at (x, y), whichever is nearer."""
        piece = piece_at(self.board.picture, x, y)
        edit = self.edit
        keys = [edit.key for edit in self.edits]
        middles = [(piece.x, piece.y), extent(piece)[0]] if piece and piece.key in keys else []
        far = min((dist(middle, (x, y)) for middle in middles), default=PLACE)
        for field in edit.fields if edit else ():
            near = [dist(place, (x, y)) for place in field.places]
            if edit and near and min(near) <= far - CLEARLY:
                self.change(edit.key, field.name, field.values[near.index(min(near))])
                return
        if piece and piece.key in keys:
            self._turn_to(keys.index(piece.key))
        else:
            self.board.say(f"There is nothing to change there.\n{self.hint}")

    def mark(self, picture: Picture, small: float) -> Shapes:
        """Return a ring around the selected piece."""
        edit = self.edit
        return [shape for piece in picture.pieces if edit and piece.key == edit.key for shape in ring(piece, small)]
