"""A review of a game."""

from collections.abc import Sequence
from functools import partial

from crashlab.engine.game import Turn
from crashlab.lab.explorer import explore
from crashlab.lab.review_panel import GameOverview
from crashlab.play.match import Match


class Review(GameOverview):
    """A review of a game. `played` is a Match, or a list of successive turns; the game need not be over.

    `review.summary` has the moments, and `show(1)` shows the first one in a Stepper, which is then `review.panel`.

    "What did it cost?" appraises every decision in the background. Then the curves show the lead and the expected lead,
    and the moments are the turning points. A list has the costliest decisions, each with a film of a better action.
    `review.appraisal` has the results so far (`crashlab.review`).

        >>> played = crashlab.Match(crashlab.game("autoscooter", players=2), "random", seed=3)
        >>> end = played.run()
        >>> review = Review(played)
        >>> len(review.moments)
        3
    """

    def __init__(
        self,
        played: Match | Sequence[Turn],
        *,
        theme: str | None = None,
        scale: float | None = 0.9,
        animate: bool = True,
    ) -> None:
        super().__init__(
            played, partial(explore, theme=theme, animate=animate), theme=theme, scale=scale, animate=animate
        )
