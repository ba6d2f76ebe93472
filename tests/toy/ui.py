"""The smallest set of questions that a game can ask."""

from crashlab.drawing.shapes import Circle
from crashlab.engine.contract import legal_actions, no_targets
from crashlab.engine.prompts import Choice, Edit
from crashlab.games import toolkit
from toy import rules
from toy.render import spot

target = no_targets


def rounds(table):
    return sum(table.square)


def subject(table, seat):
    return f"runner {seat}"


def prompt(table, seat, chosen):
    return "How far?"


def choices(table, seat, chosen):
    return tuple(choice(table, seat, bid) for bid in legal_actions(rules, table, seat))


def choice(table, seat, bid):
    place = spot(table.square[seat] + bid, seat)
    return Choice(str(bid), f"{'AB'[seat]} runs {bid}", *place, (Circle(*place, 8, "", "ink"),), str(bid))


def plans(table, actions):
    return tuple(choice(table, seat, bid) for seat, bid in actions.items())


def questions(turn):
    end, last = turn.after.table.square[0], len(turn.rows) - 1
    return (toolkit.where("Where is A then?", range(9), end, last, str, lambda square: spot(square, 0)),)


def edits(table):
    fields = (toolkit.amount(table, "square", seat, 0, 8) for seat in range(2))
    return tuple(Edit(f"runner {seat}", f"runner {seat}", (field,)) for seat, field in enumerate(fields))
