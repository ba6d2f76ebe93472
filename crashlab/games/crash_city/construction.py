"""How the decisions of the construction are offered at the board of CrashCity: sites, tiles, buildings and cars."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, hypot

from crashlab.drawing import primitives as kit
from crashlab.drawing.shapes import Line, Piece, Point, Polygon, Shape, Text, placed, slab
from crashlab.engine.prompts import Choice
from crashlab.games.boards import streets
from crashlab.games.boards.streets import DIRECTIONS
from crashlab.games.crash_city import board, figures, rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.games.crash_city.decisions import said

CARD = 0.38  # half a card beside the new tile, in tiles
NAMED = 66.0  # in larger tiles there is room on it for a name


def sites(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-B3: the places for the next tile."""
    seen = board.view(table)
    found = []
    for code in codes:
        word = said(table, code)
        spot = code - t.SELECT
        place = board.middle(seen, spot)
        found.append(Choice(word, site_words(table, spot), *place, site_shapes(seen, spot), word))
    return tuple(found)


def site_words(table: t.CrashCity, spot: int) -> str:
    """A site, and what could be built there (CC-B5)."""
    own = [n for n in range(3) if table.stock[3 * table.asked[0] + n] > 0]
    allowed = [n for n in own if rules.is_allowed(table, spot, n)] or own
    return f"{w.place_text(streets.xy(spot))}: {', '.join(t.BUILDING_NAMES[n] for n in allowed)}"


def site_shapes(seen: board.View, spot: int) -> tuple[Shape, ...]:
    """A place for a tile: its frame and a plus."""
    x, y = board.middle(seen, spot)
    reach = 0.4 * seen.unit
    arm = 0.3 * reach
    return (
        Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.3 * reach), "target", "", 1, 0.1),
        Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.3 * reach), "", "target", 1.8, 0.75),
        Line(((x - arm, y), (x + arm, y)), "target", 2.5),
        Line(((x, y - arm), (x, y + arm)), "target", 2.5),
    )


def rotations(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-B4: the new tile turned in every way, with its connected lanes as streets; crossed out if it has none.

    Rules of one's own may let it lie in other ways, too.
    """
    turned = streets.turned(t.LANES[table.kind[table.laid[0] - 1]])
    ways = tuple(dict.fromkeys((*turned, *(code - t.LAY for code in codes))))
    seen = board.view(table)
    places = dict(zip(ways, round_tile(table, seen, len(ways)), strict=True))
    wrong = tuple(
        shape
        for lanes in ways
        if t.LAY + lanes not in codes
        for shape in (*card_shapes(places[lanes], lanes, 0, seen.unit), *cross_shapes(places[lanes], seen.unit))
    )
    found = []
    for number, code in enumerate(codes):
        lanes = code - t.LAY
        joined = joined_lanes(table, lanes)
        word = said(table, code)
        place = places[lanes]
        dull = f", not {streets.letters(lanes & ~joined)}" if lanes & ~joined else ""
        lies = f"lanes {streets.letters(lanes)}: {streets.letters(joined)} connected{dull}"
        shapes = card_shapes(place, lanes, joined, seen.unit)
        found.append(Choice(word, lies, *place, (*wrong, *shapes) if number == 0 else shapes, word))
    return tuple(found)


def joined_lanes(table: t.CrashCity, lanes: int) -> int:
    """CC-G5: which lanes of the new tile are connected if it has these."""
    after = table.copy()
    tile = table.laid[0] - 1
    rules.apply(after, 0, t.LAY + lanes, None)
    return sum(1 << side for side in range(4) if after.joined[4 * tile + side])


def round_tile(table: t.CrashCity, seen: board.View, count: int) -> list[Point]:
    """Places for `count` cards round the new tile, clockwise: as near as can be, rather where no tile lies."""
    tiles = [streets.xy(spot) for spot in table.spot[: table.laid[0]]]
    x, y = tiles[-1]
    near = [(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if (dx, dy) != (0, 0)]
    fit = [
        step
        for step in near
        if board.is_free(seen.at(x + step[0] + 0.5, y + step[1] + 0.5), (CARD * seen.unit,) * 2, ())
    ]

    def hides(step: tuple[int, int]) -> tuple[bool, bool, float]:
        """The less the better: nothing, then a tile that touches the new one only at a corner."""
        far = hypot(*step)
        is_tile = (x + step[0], y + step[1]) in tiles
        return is_tile, is_tile and far == 1, far

    best = sorted(sorted(fit, key=hides)[:count], key=lambda step: atan2(-step[0], -step[1]))
    return [seen.at(x + dx + 0.5, y + dy + 0.5) for dx, dy in best]


def blank_shapes(place: Point, unit: float) -> tuple[Shape, ...]:
    """A card with nothing on it."""
    x, y = place
    reach = CARD * unit
    return (Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.2 * reach), "ticket", "ticket edge", 2),)


def card_shapes(place: Point, lanes: int, joined: int, unit: float) -> tuple[Shape, ...]:
    """A tile to click, with the letters of its lanes."""
    x, y = place
    return (
        *blank_shapes(place, unit),
        *figures.tile_shapes(x, y - 0.12 * unit, 0.21 * unit, lanes, joined),
        Text(x, y + 0.23 * unit, streets.letters(lanes), max(14.0, 0.15 * unit), "ticket ink"),
    )


def cross_shapes(place: Point, unit: float) -> tuple[Shape, ...]:
    """What crosses a card out."""
    x, y = place
    reach = 0.19 * unit
    down = y - 0.12 * unit
    return tuple(Line(((x - reach, down - dy), (x + reach, down + dy)), "loss", 0.05 * unit) for dy in (-reach, reach))


def buildings(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-B5: the buildings that are allowed, as cards."""
    found = []
    seen = board.view(table)
    for code, (x, y) in zip(codes, round_tile(table, seen, len(codes)), strict=True):
        building = code - t.ERECT
        word = said(table, code)
        name = t.BUILDING_NAMES[building]
        left = table.stock[3 * seat + building]
        icon = placed(Piece("", x, y - 0.05 * seen.unit, figures.building_shapes(building, seat, 0.2 * seen.unit)))
        words = (Text(x, y + 0.27 * seen.unit, name, max(14.0, 0.15 * seen.unit), "ticket ink"),)
        shapes = (*blank_shapes((x, y), seen.unit), *icon, *(words if seen.unit > NAMED else ()))
        found.append(Choice(word, f"{name}, {left} left", x, y, shapes, word))
    return tuple(found)


def noses(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-B6: where the house's car goes, as arrow heads on the lanes."""
    seen = board.view(table)
    found = []
    for code in codes:
        word, (space, facing) = said(table, code), divmod(code - t.PUT, 4)
        place = kit.towards(board.lane_at(table, seen, space), facing, 0.12 * seen.unit)
        leads = f"{w.lane_text(table, space)}, facing {DIRECTIONS[facing]}"
        found.append(Choice(word, leads, *place, nose_shapes(seat, place, facing, seen.unit), word))
    return tuple(found)


def nose_shapes(seat: int, place: Point, facing: int, unit: float) -> tuple[Shape, ...]:
    """An arrow head for a car that would face this way."""
    size = 0.11 * unit
    tip, rear = kit.towards(place, facing, size), kit.towards(place, facing, -0.7 * size)
    wings = tuple(kit.towards(rear, (facing + turn) % 4, 0.85 * size) for turn in (1, 3))
    return (Polygon((tip, wings[0], wings[1]), f"seat {seat}", "street edge", 2),)
