"""What a person can be asked at the board of Crash by Crash, and how it looks there.

rounds            how many have begun
subject, prompt   what is decided, and the question
choices           the answers step by step: what kind of action, which cell, which way
plans, target     what is planned, drawn before it happens, and where an action leads
questions         what will happen in a turn
edits, edited     what can be changed in a position by hand

There can be two thousand legal actions. They are listed once for a table and kept as a tree: an action is spelled as a
few numbers (`spelled`), and what follows the numbers that are chosen is looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from crashlab.base.errors import CrashlabError, shown
from crashlab.drawing.shapes import Point
from crashlab.engine.prompts import Choice
from crashlab.engine.table import CHANCE, NOWHERE
from crashlab.games.crash_by_crash import board, cards, panel, rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.games.crash_by_crash.actions import listed
from crashlab.games.crash_by_crash.decisions import action_text
from crashlab.games.crash_by_crash.edits import edited, edits
from crashlab.games.crash_by_crash.marks import ghost
from crashlab.games.crash_by_crash.predict import questions
from crashlab.games.crash_by_crash.sorts import HEADS, Asked, Spelling, spelled

__all__ = ["choices", "edited", "edits", "plans", "prompt", "questions", "rounds", "subject", "target"]

# Choosing

PROMPTS = ("where to?", "what do you do?", "which one?", "which one?", "which one?", "which one?", "")  # by the phases


class Tree(NamedTuple):
    """All legal actions, each spelled as a few numbers."""

    following: Mapping[Spelling, list[int]]  # the numbers that can follow a beginning
    actions: Mapping[Spelling, int]  # by whole spelling


def tree(table: t.CrashByCrash) -> Tree:
    """All actions that are legal now."""
    return grown(tuple(map(tuple, table.rows())))


@lru_cache(maxsize=8)
def grown(rows: tuple[tuple[int, ...], ...]) -> Tree:
    """All actions that are legal at the table with these rows."""
    table = t.CrashByCrash()
    for name, row in zip(table.NAMES, rows, strict=True):
        table.__dict__[name] = list(row)
    following: dict[Spelling, dict[int, None]] = {}
    actions: dict[Spelling, int] = {}
    for action in listed(table):
        whole = spelled(action)
        actions[whole] = action
        for length in range(len(whole)):
            following.setdefault(whole[:length], {})[whole[length]] = None
    return Tree({begun: list(numbers) for begun, numbers in following.items()}, actions)


def settled(known: Tree, begun: Spelling) -> Spelling:
    """The beginning with all that follows of necessity."""
    while begun not in known.actions and len(known.following[begun]) == 1:
        begun = (*begun, known.following[begun][0])
    return begun


def rounds(table: t.CrashByCrash) -> int:
    """How many turns have begun."""
    return table.turn[0]


def subject(table: t.CrashByCrash, seat: int) -> str:
    """The key of the piece that says what this seat decides, or nothing."""
    return panel.asked_words(table) if decides(table, seat) else ""


def prompt(table: t.CrashByCrash, seat: int, chosen: tuple[str, ...]) -> str:
    """What is decided, and the words that are chosen."""
    asked = panel.asked_words(table)
    return f"{asked[0].upper()}{asked[1:]}: {' '.join(chosen) + ' …' if chosen else PROMPTS[table.phase[0]]}"


def decides(table: t.CrashByCrash, seat: int) -> bool:
    """Whether this seat decides now."""
    bits = rules.actors(table)
    return bits != CHANCE and bool(bits >> seat & 1)


def choices(table: t.CrashByCrash, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """How this seat can go on: first the kind of an action, then where and how, as far as there is a choice."""
    if not decides(table, seat):
        raise CrashlabError(f"{w.SEATS[seat]} has nothing to decide now")
    known = tree(table)
    begun = settled(known, ())
    for number, said in enumerate(chosen):
        words = {} if begun in known.actions else words_after(Asked(table, seat, begun, known.following[begun]))
        if said not in words:
            lead = f"after {' '.join(chosen[:number])!r} " if number else ""
            possible = ", ".join(words) or "nothing"
            raise CrashlabError(f"{shown(said)} cannot be chosen {lead}now; choose one of {possible}")
        begun = settled(known, (*begun, words[said]))
    if begun in known.actions and chosen:
        raise CrashlabError(f"{' '.join(chosen)!r} is a whole action; nothing is left to choose")
    begun = () if begun in known.actions else begun  # there is only one action
    asked = Asked(table, seat, begun, known.following[begun])
    return tuple(choice(asked, known, number, said) for said, number in words_after(asked).items())


def words_after(asked: Asked) -> dict[str, int]:
    """The words for the numbers that can follow."""
    if not asked.begun:
        return {HEADS[head].word: head for head in asked.numbers}
    step = HEADS[asked.begun[0]].steps[len(asked.begun) - 1]
    return dict(zip(step.words(asked), asked.numbers, strict=True))


def choice(asked: Asked, known: Tree, number: int, said: str) -> Choice:
    """A number that can follow, as a choice."""
    table, seat, begun, _ = asked
    whole = settled(known, (*begun, number))
    action = action_text(table, seat, known.actions[whole]) if whole in known.actions else ""
    if not begun:
        place, shapes = HEADS[number].mark(table, seat)
        return Choice(said, HEADS[number].text(table), *place, shapes, action)
    step = HEADS[begun[0]].steps[len(begun) - 1]
    place, shapes = step.mark(asked, number, whole)
    seen = ghost(seat & 1, number, begun[0] == t.MAGNET) if HEADS[begun[0]].is_placed and len(begun) == 1 else ()
    return Choice(said, step.text(asked, number, said), *place, shapes, action, seen)


# What is about to happen


def plans(table: t.CrashByCrash, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """The action that is chosen, in words and as it is meant."""
    return tuple(plan(table, seat, action) for seat, action in actions.items())


def plan(table: t.CrashByCrash, seat: int, action: int) -> Choice:
    """An action in words, and as it is meant, whatever may come of it."""
    said = action_text(table, seat, action)
    if seat == CHANCE:
        return Choice(said, f"chance: {said}", cards.HAND_X, cards.PILE_Y)
    begun = spelled(action)
    head = HEADS[begun[0]]
    place = board.CENTRES[begun[1] if head.is_placed else table.cell[t.OPERATOR]]
    return Choice(said, f"{w.SEATS[seat]}: {said}", *place, head.meant(table, seat, begun))


def target(table: t.CrashByCrash, seat: int, action: int) -> Point | None:
    """The cell on which something is placed or taken away, or to which a piece goes."""
    begun = spelled(action)
    cell = HEADS[begun[0]].leads(table, begun)
    return board.CENTRES[cell] if cell != NOWHERE else None
