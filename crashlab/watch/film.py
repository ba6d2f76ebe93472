"""A film: the recording of a function, with its pictures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from crashlab.drawing import player, png, sheet, svg
from crashlab.drawing.film_json import Document
from crashlab.drawing.shapes import Picture
from crashlab.drawing.tween import GIF_BEAT
from crashlab.engine.game import State as Position
from crashlab.watch.film_data import Recording


class Film(Recording):
    """A recorded run of a function, viewed beat by beat. Beat 0 is before anything happened.

    result   the function's return value; None if it did not return
    error    the exception that ended the function, or None; the last event, which has no name, reports it
    stopped  the reason why recording ended before the function did, or empty
    counts   the counts of each line, each call and each name
    sources  the text of the traced functions

        >>> def total(numbers):
        ...     amount = 0
        ...     for number in numbers:
        ...         amount += number
        ...     return amount
        >>> film = crashlab.record(total, [2, 3], watch="amount")
        >>> film.result, film.beats, film.at(2)
        (5, 3, {'amount': 2})
        >>> print(film)
        total: 3 changes in 3 beats
            1  line 2    amount = 0
            2  line 4    amount = 2 (was 0), because amount is 0 and number is 2
            3  line 4    amount = 5 (was 2), because amount is 2 and number is 3
        total returned 5
    """

    def svg(
        self,
        beat: int | None = None,
        theme: str = "light",
        scale: float = 1.0,
        *,
        board: Position | None = None,
        show: object = None,
    ) -> str:
        """Return the film after a beat (default: the last) as SVG; board and show are those of `lab.Watch`."""
        return svg.paint(self._shown(beat, board, show), theme, scale)

    def png(
        self,
        beat: int | None = None,
        theme: str = "light",
        scale: float = 1.0,
        *,
        board: Position | None = None,
        show: object = None,
    ) -> bytes:
        """Return the film after a beat (default: the last) as PNG; board and show are those of `lab.Watch`."""
        return png.paint(self._shown(beat, board, show), theme, scale)

    def gif(
        self,
        theme: str = "light",
        scale: float = 1.0,
        milliseconds: int = GIF_BEAT,
        *,
        board: Position | None = None,
        show: object = None,
    ) -> bytes:
        """Return the film as an animated GIF; a long film shows only some of its beats."""
        from crashlab.watch.views import FilmStory

        return png.animate(FilmStory(self, board, show).scenes(), theme, scale, milliseconds)

    def document(self, *, board: Position | None = None, show: object = None) -> Document:
        """Return the film as plain JSON for any film player; board and show are those of `lab.Watch`."""
        from crashlab.watch.views import FilmStory

        return FilmStory(self, board, show).document()

    def save(
        self, path: str | Path, theme: str | None = None, *, board: Position | None = None, show: object = None
    ) -> None:
        """Write the film to a file: .html plays in any browser, .gif is animated, .png and .svg show the last beat.

        >>> def total(numbers):
        ...     amount = 0
        ...     for number in numbers:
        ...         amount += number
        ...     return amount
        >>> crashlab.record(total, [2, 3]).save("total.html")
        """
        options: dict[str, Any] = {"theme": theme or "light", "board": board, "show": show}
        kinds: dict[str, Callable[[], str | bytes]] = {
            ".html": lambda: player.page(self.document(board=board, show=show), theme),
            ".gif": lambda: self.gif(**options),
            ".png": lambda: self.png(**options),
            ".svg": lambda: self.svg(**options),
        }
        player.save(path, kinds, "a film")

    def _shown(self, beat: int | None, board: Position | None, show: object) -> Picture:
        from crashlab.watch.views import FilmStory

        return FilmStory(self, board, show).captioned(self.beats if beat is None else self._beat(beat))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        still = sheet.mimebundle(self._shown(None, None, None), str(self))
        return player.shown(self.document(), still) if self.beats <= player.KEPT else still
