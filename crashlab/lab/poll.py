"""A question of a teacher: a class votes, with hands or phones, and the bars fill the board."""

from collections.abc import Sequence
from textwrap import wrap

import ipywidgets as widgets

from crashlab.base.errors import CrashlabError, listed, short_repr
from crashlab.drawing.shapes import Picture, Polygon, Shape, Text, slab
from crashlab.engine.prompts import Question
from crashlab.lab import show_of_hands
from crashlab.lab.board import FAR, PAIRS, Board, Panel, button, html, with_classes
from crashlab.lab.page_module import show
from crashlab.lab.playback import alone
from crashlab.lab.predict_questions import Polled, QuestionsSoFar, Quiz
from crashlab.lab.show_of_hands import LETTERS, VoteCounts, share
from crashlab.lab.stepper import beside

OPTIONS = 2, 8  # minimum and maximum number of options
WIDTH, HEIGHT = 760.0, 470.0  # size of the board
TOP, FLOOR, MARGIN = 60.0, 384.0, 24.0  # edges of the bars
LETTER, WORDS = 30.0, 19.0  # font sizes of letters and words
WIDE = 0.56  # width of a letter, as a share of the font size


class Poll(Polled, Panel):
    """A question with options, on which a class votes with hands or phones, once or twice, before the answer is shown.

    `options` are texts, or the letters of one text, such as "ABC". `answer` is the right option, if any: its text or
    its letter. If it is a list, students choose several options on their phones, and then see whether they chose
    exactly these. `counts` has the votes, and `save("monday.csv")` writes them into a file. `KEYS` lists the keys on
    the board.

        >>> poll = Poll("Which is O(n log n)?", ["bubble sort", "merge sort"], answer="merge sort")
        >>> poll.answer([3, 12])
        >>> poll.counts
        {'Which is O(n log n)?': {'bubble sort': 3, 'merge sort': 12}}
    """

    KEYS = f"{show_of_hands.KEYS}; Tab leaves"
    now: QuestionsSoFar

    def __init__(
        self,
        question: str,
        options: Sequence[str],
        answer: str | Sequence[str] | None = None,
        *,
        theme: str | None = None,
        scale: float | None = None,
        animate: bool = True,
    ) -> None:
        texts = () if isinstance(options, set | frozenset) else tuple(listed(options) or ())
        least, most = OPTIONS
        if not isinstance(question, str) or not question.strip():
            raise CrashlabError(f"the question of a Poll must be a text, not {short_repr(question)}")
        is_text = all(isinstance(text, str) and text.strip() for text in texts)
        if not texts or not is_text or len({text.strip() for text in texts}) < len(texts):
            raise CrashlabError(f"options must be a list of different texts, not {short_repr(options)}")
        if not least <= len(texts) <= most:
            raise CrashlabError(f"a Poll needs {least} to {most} options, not {len(texts)}")
        letters = LETTERS[: len(texts)]
        is_one = answer is None or isinstance(answer, str)
        names = ([answer] if answer is not None else []) if is_one else listed(answer)
        places = [texts.index(name) if name in texts else [*letters, name].index(name) for name in names or ()]
        if (not places and not is_one) or len({*places}) < len(places) or max(places, default=0) >= len(texts):
            raise CrashlabError(f"answer={short_repr(answer)} is not one of the options")
        self.question = Question(question, texts, min(places, default=-1), -1)
        self.now = QuestionsSoFar()
        self.board = Board(
            bars(self.question, (), VoteCounts((0,) * len(texts))), theme=theme, scale=scale, animate=animate
        )
        self.board.owner = self
        self.quiz = Quiz(self.board, [self.question], True, self.answer, self._draw)
        assert self.quiz.hands
        self.hands = self.quiz.hands
        self.hands.rights = () if is_one else sorted(places)
        self.hands.arrived = self._draw
        show(self.hands.skip, False)
        self.heading = html("crashlab-question", FAR)
        self.verdict = html("crashlab-verdict", FAR)
        self.again = button(
            "Again", self.board.guard(self.begin), "Forget the votes and begin again", "undo", once=True
        )
        with_classes(self.again, FAR)
        buttons = widgets.GridBox([*self.quiz.row, self.again], layout=PAIRS)
        foot = with_classes(widgets.VBox([with_classes(buttons, "crashlab-row")]), "crashlab-foot")
        side = widgets.VBox([self.heading, *self.quiz.parts, self.verdict, foot])
        self.board.on_click(self.board.refuse_click)
        self.board.on_key(self._key)
        super().__init__([beside(self.board, side, self.KEYS)])
        self.board.run_alone(self.begin)

    @property
    def revealed(self) -> bool:
        """Whether the votes are counted and the answer is shown."""
        return self.quiz.is_over

    @alone
    def begin(self) -> None:
        """Start without votes."""
        self.quiz.begin()
        self.quiz.ask()
        self._parts()
        self.board.say(self.quiz.asking)

    @alone
    def answer(self, choice: object) -> None:
        """Take the hands for each option, and show the answer."""
        if choice is None:
            raise CrashlabError("a Poll cannot be skipped: give the hands for each option")
        if not self.revealed:
            self.now = self.quiz.with_answer(choice)
            self.quiz.tell_phones("shown")
            self._parts()
            self.board.say(self.quiz.result(0, is_known=self.question.right >= 0))

    def _parts(self) -> None:
        self.heading.value = self.board.headline(self.question.text)
        self.verdict.value = self.quiz.status([self.quiz.verdict(0, True)], False) if self.revealed else ""
        visible = {
            self.hands.menu: not self.revealed,
            self.hands.button: not self.revealed,
            self.hands.again: not self.revealed,
            self.verdict: self.revealed,
            self.again: self.revealed,
        }
        for part, is_visible in visible.items():
            show(part, is_visible)
        self._draw()

    def _draw(self) -> None:
        hands, rights = self.hands, self.quiz.rights(self.question)
        if self.revealed:
            counts = self.now.answers[0]
            assert isinstance(counts, tuple)
            picture = bars(self.question, rights, hands.with_totals(counts, self.now.before[0]))
        else:
            progress = hands.phones.progress if hands.phones.is_secret else ""
            picture = bars(self.question, rights, hands.seen, hands.index, progress)
        self.board.show(picture)

    def _key(self, name: str) -> None:
        if not self.revealed and self.quiz.key(name):
            self._draw()

    def still(self) -> tuple[Picture, str]:
        """Return the question with its options and votes."""
        return self.board.picture, self.board.picture.words


def bars(
    question: Question, rights: Sequence[int], votes: VoteCounts, index: int | None = None, progress: str = ""
) -> Picture:
    """Draw the votes as bars, with the first vote on the left; with totals, mark the right options and write shares.

    While the votes are hidden, `progress` gives their number.
    """
    shapes: list[Shape] = [Polygon(slab(0, 0, WIDTH, HEIGHT, 0), "panel")]
    room = (WIDTH - 2 * MARGIN) / len(votes.now)
    most, is_shown = max(*votes.now, *votes.before, 1), bool(votes.totals)
    for place, (text, count) in enumerate(zip(question.answers, votes.now, strict=True)):
        left, end = MARGIN + (place + 0.12) * room, MARGIN + (place + 0.88) * room
        is_right = is_shown and place in rights
        middle, current = (left + end) / 2, (count, "flash" if is_right else "target")
        halves = [(left, end, *current)]
        if votes.before:
            halves = [(left, middle - 2, votes.before[place], "panel edge"), (middle + 2, end, *current)]
        for (a, b, number, colour), total in zip(halves, (votes.totals or (0, 0))[-len(halves) :], strict=True):
            top = FLOOR - (FLOOR - TOP) * number / most
            shapes.append(Polygon(slab(a, min(top, FLOOR - 2), b, FLOOR, 0), colour))
            if not progress:
                shapes.append(Text((a + b) / 2, top - 16, str(number), 22, "ink", bold=True))
            if is_shown:
                size = min(18.0, (b - a) / 2.4)
                shapes.append(Text((a + b) / 2, top - 38, share(number, total), size, "ink"))
        letter = f"{'✓ ' if is_right else ''}{LETTERS[place]}"
        is_bold = is_right or place == index or not is_shown
        shapes.append(Text(middle, FLOOR + 24, letter, LETTER, "ink", bold=is_bold))
        if text != LETTERS[place]:
            size = min(WORDS, room / 6)
            for row, line in enumerate(wrap(text, int(room * 0.96 / (WIDE * size)), max_lines=2, placeholder=" …")):
                shapes.append(Text(middle, FLOOR + 50 + row * 1.15 * size, line, size, "ink", bold=is_right))
    if progress:
        shapes.append(Text(WIDTH / 2, (TOP + FLOOR) / 2, progress, 44, "ink", bold=True))
    summary = "; ".join(
        f"{letter} {text}: {count}" for letter, text, count in zip(LETTERS, question.answers, votes.now, strict=False)
    )
    right = f" Right: {', '.join(question.answers[n] for n in rights)}." if is_shown and rights else ""
    return Picture(WIDTH, HEIGHT, tuple(shapes), (), f"{question.text} {summary}.{right}")
