"""A second opinion on one round of Autoscooter: the moves, the crashes and the payments.

Written from the rules alone: hexes are axial (q, r) pairs in a dict, cars and purses are dicts, and the angle of a blow
is computed from the vectors. `resolve` takes a position as plain data (unused numbers, all chits and the box included)
and one plot for each driven car, "17 FLF" or "-".
"""

FACINGS = ("E", "NE", "NW", "W", "SW", "SE")  # counter-clockwise: a left turn adds 1
LEFT = dict(zip(FACINGS, FACINGS[1:] + FACINGS[:1], strict=True))
RIGHT = {after: before for before, after in LEFT.items()}
BACK = {facing: LEFT[LEFT[LEFT[facing]]] for facing in FACINGS}
STEP = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
PLACES = {(column - (row + 1) // 2, row): (row, column) for row in range(7) for column in range(5 + row % 2)}
AXIAL = {place: hexagon for hexagon, place in PLACES.items()}
DRIVERS = {
    (2, 4): "ABABABAB",
    (2, 3): "ABABAB..",
    (3, 4): "ABC.ABC.",
    (4, 4): "ABCDABCD",
    (5, 4): "AB.CD.E.",
    (6, 4): "ABC.DEF.",
    (7, 4): "ABCDEFG.",
    (8, 4): "ABCDEFGH",
}


def resolve(position, plots, players=4, cars=4, **options):
    """Return the position after the round, and its crashes in order, as (rule, rammer, hit or 0, v, w)."""
    this = Round(position, DRIVERS[players, cars], options)
    plan = []
    for car, plot in plots.items():
        number, manoeuvre = (max(this.cars[car]["unused"]), "-") if plot == "-" else plot.split()
        plan.append((int(number), car, manoeuvre))
    for number, car, manoeuvre in sorted(plan):
        this.drive(this.cars[car], manoeuvre)
        this.cars[car]["unused"].remove(number)
    return {
        "cars": {
            name: (PLACES[car["at"]], car["facing"], car["speed"], tuple(car["unused"]))
            for name, car in this.cars.items()
        },
        "chits": tuple(this.purse[seat] for seat in "ABCDEFGH"[:players]),
        "box": this.purse["box"],
        "crashes": this.crashes,
    }


class Round:
    """One round in progress; `options` are the house rules."""

    def __init__(self, position, drivers, options):
        self.options, self.crashes = options, []
        self.purse = dict(position["chits"], box=position["box"])
        self.cars = {}
        for name, car in position["cars"].items():
            self.cars[int(name)] = {
                "name": int(name),
                "driver": drivers[int(name) - 1],
                "at": AXIAL[tuple(car["hex"])],
                "facing": car["facing"],
                "speed": car["speed"],
                "planned": car["speed"],
                "unused": [*car["unused"]],
            }

    def drive(self, car, manoeuvre):
        at_move = self.options["legality"] == "at_move"
        judged = car["speed"] if at_move else car["planned"]
        if manoeuvre == "-" or manoeuvre != "P" and not fits(manoeuvre.count("F"), judged):
            manoeuvre = "F" * car["speed"]
        if manoeuvre == "P":
            car["facing"] = BACK[car["facing"]]
        elif manoeuvre:
            car["speed"] = manoeuvre.count("F")
            first_turning = self.options["standstill"] == "pivot_first" and judged == 0
            self.follow(car, manoeuvre[1:] + "F" if first_turning else manoeuvre)

    def follow(self, car, letters):
        speed = car["speed"]
        for done, letter in enumerate(letters, start=1):
            if letter != "F":
                turn(car, letter)
            elif not self.advance(car, car["facing"]):
                if speed == 1 and self.options["standstill"] == "turn_anyway":
                    turn(car, letters[done:])
                return

    def advance(self, car, blow):
        """Move the car one hex along the blow; return False if it crashed there and stayed."""
        target = (car["at"][0] + STEP[blow][0], car["at"][1] + STEP[blow][1])
        if not self.is_free(target):
            there = [other for other in self.cars.values() if other["at"] == target]
            self.crash(car, there[0] if there else None, blow)
            return False
        car["at"] = target
        return True

    def is_free(self, target):
        return target in PLACES and all(car["at"] != target for car in self.cars.values())

    def crash(self, rammer, hit, blow):
        v, w = rammer["speed"], hit["speed"] if hit else 0
        me, you = rammer["driver"], hit["driver"] if hit else "."
        case = "C5" if you == "." else "C2" if w == 0 else angle(hit["facing"], blow)
        self.crashes.append(("AS-" + case, rammer["name"], hit["name"] if hit else 0, v, w))
        amount = {"C1": abs(v - w), "C2": v, "C3": v, "C4": v + w, "C5": v}[case]
        if case == "C5" or me == you:
            self.pay(me, "box", v if self.options["own_car"] == "speed" else amount)
        elif case == "C1" and v < w:
            self.pay(me, you, amount)
        else:
            self.pay(you, me, amount)
        if case in ("C1", "C2", "C5"):
            rammer["speed"] = 0
        if case == "C1":
            hit["speed"] = 0
        if case == "C4":
            turn(hit, "R" if is_on_the_left(hit["facing"], BACK[blow]) else "L")
        if case == "C3" and self.options["rear_push"]:
            self.shove(hit, blow)

    def shove(self, car, blow):
        target = (car["at"][0] + STEP[blow][0], car["at"][1] + STEP[blow][1])
        if not self.advance(car, blow) and self.is_free(target):
            car["at"] = target

    def pay(self, payer, payee, amount):
        paid = min(amount, self.purse[payer])
        self.purse[payer] -= paid
        self.purse[payee] += paid


def fits(planned, speed):
    return planned >= 1 and abs(planned - speed) <= 1


def turn(car, letters):
    for letter in letters:
        car["facing"] = (LEFT if letter == "L" else RIGHT)[car["facing"]]


def angle(facing, blow):
    return "C1" if facing == BACK[blow] else "C3" if facing == blow else "C4"


def is_on_the_left(facing, side):
    """Return whether side points left of facing, by the sign of the cross product (rows count downwards)."""
    (q, r), (side_q, side_r) = STEP[facing], STEP[side]
    return q * side_r - r * side_q < 0
