"""Themes, frames and painters, which all games share."""

from __future__ import annotations

import pickle
import struct
import sys
import xml.etree.ElementTree as ElementTree
from base64 import b64decode
from dataclasses import replace
from io import BytesIO
from itertools import combinations, pairwise
from math import atan2, degrees, dist

import pytest
from PIL import Image

import crashlab
from crashlab.drawing import png, sheet, story, svg, tween
from crashlab.drawing.shapes import Circle, Line, Picture, Piece, Polygon, Text, arrow, placed
from crashlab.drawing.themes import HEATS, LIGHT, THEMES, theme
from crashlab.engine.game import Game
from crashlab.games import NAMES
from crashlab.games.crash_and_grab.render.layout import PAINTS
from crashlab.lab.board import Board

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def state():
    return crashlab.game("autoscooter", players=7).start()


@pytest.fixture(scope="module")
def turn():
    """Return a round of at least 20 beats."""
    rng, state = crashlab.Random(3), crashlab.game("autoscooter").start()
    while (turn := state.sample(rng)).beats < 20:
        state = turn.after
    return turn


# Themes


def linear(code):
    """Return a colour's linear light in red, green and blue, 0 to 1."""
    parts = [part / 255 for part in bytes.fromhex(code[1:])]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(light):
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def contrast(one, other):
    """Return the contrast ratio of WCAG, 1 to 21."""
    low, high = sorted(luminance(linear(code)) for code in (one, other))
    return (high + 0.05) / (low + 0.05)


WORDS = [
    ("ink", "panel"),
    ("muted", "panel"),
    ("cell ink", "cell"),
    ("number ink", "number"),
    ("chit ink", "chit"),
    ("ticket ink", "ticket"),
    ("flash ink", "flash"),
    ("target ink", "target"),
    ("loss", "panel"),
    ("nobody ink", "nobody"),
    *((f"seat {seat} ink", f"seat {seat}") for seat in range(8)),
    *((f"{hue} ink", hue) for hue in ("yellow", "purple")),
    *((f"heat {step} ink", f"heat {step}") for step in range(HEATS)),
]
THINGS = [
    *((f"seat {seat}", "cell") for seat in range(8)),
    *((f"seat {seat}", "panel") for seat in range(8)),
    *((hue, floor) for hue in ("red", "yellow", "purple") for floor in ("cell", "panel")),
    ("nobody", "cell"),
    ("path", "cell"),
    ("flash edge", "cell"),
    ("rail", "cell"),
]


@pytest.mark.parametrize("name", THEMES)
def test_words_stand_out_from_what_they_are_written_on(name):
    weak = {pair: contrast(theme(name)[pair[0]], theme(name)[pair[1]]) for pair in WORDS}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("name", THEMES)
def test_things_stand_out_from_the_floor(name):
    weak = {pair: contrast(theme(name)[pair[0]], theme(name)[pair[1]]) for pair in THINGS}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 3} == {}


EYES = {  # red, green and blue light as seen by colour-blind eyes (Machado, Oliveira and Fernandes 2009)
    "most": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "no green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
}


def seen(code, eyes):
    """Convert a colour to CIE Lab, in which distances match perceived differences."""
    red, green, blue = (
        max(sum(share * part for share, part in zip(row, linear(code), strict=True)), 0) for row in EYES[eyes]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("eyes", EYES)
def test_no_two_seats_look_alike(name, eyes):
    seats = [seen(theme(name)[f"seat {seat}"], eyes) for seat in range(8)]
    assert min(dist(a, b) for a, b in combinations(seats, 2)) > 14


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("eyes", EYES)
def test_no_two_saucers_look_alike(name, eyes):
    saucers = [seen(theme(name)[paint], eyes) for paint in PAINTS]
    assert len(saucers) == 6 and min(dist(a, b) for a, b in combinations(saucers, 2)) > 14


@pytest.mark.parametrize("name", THEMES)
def test_a_saucer_that_is_called_by_a_colour_has_that_colour(name):
    """Compare the angles of hues: red must not be orange, nor yellow brown."""
    hues = {"red": (0, 45), "green": (130, 190), "blue": (240, 300), "yellow": (75, 115), "purple": (290, 330)}
    for paint, (hue, (low, high)) in zip(PAINTS, hues.items(), strict=False):
        _, a, b = seen(theme(name)[paint], "most")
        assert low <= degrees(atan2(b, a)) % 360 <= high, hue


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("eyes", EYES)
def test_values_become_brighter_with_every_step_for_all_eyes(name, eyes):
    steps = [seen(theme(name)[f"heat {step}"], eyes) for step in range(HEATS)]
    for darker, brighter in pairwise(steps):
        assert brighter[0] - darker[0] > 3 and dist(brighter, darker) > 8


def test_all_themes_name_the_same_colours():
    assert {frozenset(colours) for colours in THEMES.values()} == {frozenset(LIGHT)}
    with pytest.raises(crashlab.CrashlabError, match="the themes are light, dark, projector"):
        theme("neon")


@pytest.mark.parametrize("name", THEMES)
def test_a_game_brings_the_colours_that_only_it_needs(name):
    state = Game("toy", "toy", {}).start()
    colour = {"light": "#E8D9B0", "dark": "#332B1A", "projector": "#E8D9B0"}[name]  # projector has the colours of light
    assert colour in state.svg(name) and colour not in THEMES[name].values()
    image = Image.open(BytesIO(state.png(name))).convert("RGB")
    assert image.getpixel((5, 5)) == rgb(colour)
    assert Board(state, theme=name).page.colours["track"] == colour
    assert pickle.loads(pickle.dumps(state.picture())).colours == state.picture().colours


@pytest.mark.parametrize("name", NAMES)
def test_no_game_says_otherwise_what_a_theme_says(name):
    look = crashlab.game(name).render
    palettes = getattr(look, "COLOURS", {})
    assert set(palettes) <= set(THEMES) and crashlab.game(name).start().picture().colours == palettes
    assert all(set(colours) <= set(palettes["light"]) for colours in palettes.values())
    assert not set(palettes.get("light", ())) & set(LIGHT)


# Shapes that painters share


def test_a_placed_piece_turns_counter_clockwise_and_its_words_stay_upright():
    piece = Piece("it", 100, 50, (Line(((0, 0), (10, 0)), "ink"), Text(10, 0, "up"), Circle(0, 5, 2)), 90, 2, 0.5)
    line, text, disc = placed(piece)
    assert line.points[1] == pytest.approx((100, 30)) and line.width == 4 and line.alpha == 0.5
    assert (text.x, text.y) == pytest.approx((100, 30)) and text.size == 28
    assert (disc.x, disc.y, disc.radius) == pytest.approx((110, 50, 4))


def test_an_arrow_ends_where_its_line_ends():
    shaft, head = arrow(Line(((0, 0), (50, 0)), "ink", 4, arrow=True))
    assert head.points[0] == (50, 0) and shaft.points[-1] == (head.points[1][0], 0) and not shaft.arrow


# Frames


def small(*pieces):
    return Picture(100, 50, (), pieces, "")


def dot(key, x, **more):
    return Piece(key, x, 0, (Circle(0, 0, 5, "ink"),), **more)


@pytest.mark.parametrize(
    ("words", "before", "milliseconds"),
    [
        ("Beat 3 of 7: B pays 4 chits (20 to 16) [AS-C4].", "", 7 * 400),  # 2.5 words a second, read aloud
        ("Beat 2 of 9: pivot = 3 (line 4).", "", 1000),  # short texts are held for a second
        ("Beat 2 of 9: row = [5, 2, 4], row[N] = 1 (line 4).", "", 6 * 400),
        ("Beat 3 of 9: it drives on [AS-M1].", "Beat 2 of 9: it drives on [AS-M1].", 0),  # the same text again
        (f"Beat 1 of 7: {'it drives on and ' * 30} [AS-M1].", "", 5000),
        ("", "", 0),
    ],
)
def test_what_is_said_of_a_beat_is_held_until_it_can_be_read_aloud(words, before, milliseconds):
    assert tween.reading(words, before) == milliseconds


def test_between_begins_and_ends_as_the_pictures():
    before, after = small(dot("a", 0), dot("b", 10)), small(dot("a", 40), dot("b", 10))
    assert tween.between(before, after, (), 0) == before.pieces
    assert tween.between(before, after, (), 1) == after.pieces
    assert [piece.x for piece in tween.between(before, after, (), 0.5)] == [20, 10]


def test_a_move_is_slow_at_both_ends():
    before, after = small(dot("a", 0)), small(dot("a", 100))
    places = [tween.between(before, after, (), t)[0].x for t in (0, 0.1, 0.5, 0.9, 1)]
    assert places == sorted(places) and places[1] < 5 and places[3] > 95


@pytest.mark.parametrize(("start", "end", "half"), [(0, 60, 30), (300, 0, 330), (0, 300, -30), (60, 240, 150)])
def test_pieces_turn_the_shorter_way(start, end, half):
    before, after = small(dot("a", 0, angle=start)), small(dot("a", 0, angle=end))
    (piece,) = tween.between(before, after, (), 0.5)
    assert (piece.angle - half) % 360 in (0, 180)
    assert tween.between(before, after, (), 1)[0].angle == end


def test_pieces_fade_in_and_out():
    pieces = tween.between(small(dot("old", 0)), small(dot("new", 0)), (), 0.25)
    assert {piece.key: piece.alpha for piece in pieces} == {"new": 0.25, "old": 0.75}


def test_effects_are_on_top_and_are_gone_at_the_end():
    here = small(dot("a", 0))
    effect = (dot("bang", 0), dot("bang", 0, alpha=0.0, scale=2.0))
    assert [piece.key for piece in tween.between(here, here, [effect], 0.5)] == ["a", "bang"]
    assert [piece.key for piece in tween.between(here, here, [effect], 1)] == ["a"]


def test_a_moment_out_of_range_is_the_nearest_one():
    before, after = small(dot("a", 0)), small(dot("a", 40))
    assert tween.between(before, after, (), -1) == before.pieces
    assert tween.between(before, after, (), 7) == after.pieces


def test_a_film_has_a_picture_for_every_beat(turn):
    scenes = story.film(turn)
    assert len(scenes) == turn.beats + 1
    assert scenes[0] == (turn.before.picture(), ())
    assert scenes[-1][0] == turn.after.picture()


def test_a_summary_shows_the_ways_until_its_beat(turn):
    start, middle, end = (story.summary(turn, beat) for beat in (0, turn.beats // 2, None))
    ways = [picture.pieces[0] for picture in (start, middle, end)]
    assert [piece.key for piece in ways] == ["ways"] * 3
    assert len(ways[0].shapes) == 0 < len(ways[1].shapes) < len(ways[2].shapes)
    assert end.pieces[1:] == turn.after.picture().pieces
    with pytest.raises(crashlab.CrashlabError, match="there is no beat"):
        story.summary(turn, 999)


# SVG


@pytest.mark.parametrize("name", THEMES)
def test_an_svg_stands_alone_and_tells_what_it_shows(state, name):
    root = ElementTree.fromstring(state.svg(name, 2))
    assert (root.get("viewBox"), root.get("width")) == ("0 0 760 555", "1520")
    assert root.find(f"{SVG}title").text == "Round 1 of 11"
    assert root.find(f"{SVG}desc").text == state.picture().words
    keys = [group.get("data-key") for group in root.iter(f"{SVG}g")]
    assert keys == [piece.key for piece in state.picture().pieces]
    assert {text.text for text in root.iter(f"{SVG}text")} >= {"0,0", "6,4", "Round 1 of 11", "A", "G"}
    assert theme(name)["seat 6"] in state.svg(name)


def test_words_in_an_svg_are_escaped_and_upright():
    picture = Picture(10, 10, (), (Piece('a"<', 5, 5, (Text(1, 0, "<&>"),), angle=60, label="x<y"),), "a < b & c.")
    root = ElementTree.fromstring(svg.paint(picture))
    (group,) = root.iter(f"{SVG}g")
    assert group.get("data-key") == 'a"<' and group.find(f"{SVG}text").text == "<&>"
    assert "transform" not in svg.paint(picture)
    assert root.find(f"{SVG}desc").text == "a < b & c."


def test_every_shape_is_painted_by_svg():
    square = ((1, 1), (9, 1), (9, 9))
    shapes = (
        Polygon(square, "cell", "ink", 2, 0.5),
        Circle(5, 5, 2, "", "ink"),
        Line(square, "ink", 2, True),
        Text(1, 1, "left", 9, "ink", "left", True),
    )
    root = ElementTree.fromstring(svg.paint(Picture(10, 10, shapes, (), "")))
    tags = [element.tag.removeprefix(SVG) for element in root]
    assert tags == ["title", "desc", "polygon", "circle", "polyline", "polygon", "text"]
    assert root.find(f"{SVG}polygon").get("opacity") == "0.5"
    assert root.find(f"{SVG}text").get("text-anchor") == "start"


# PNG


def opened(data):
    return Image.open(BytesIO(data)).convert("RGB")


def rgb(code):
    return tuple(bytes.fromhex(code[1:]))


@pytest.mark.parametrize("scale", [0.5, 1, 2])
def test_a_png_has_the_size_of_the_picture(state, scale):
    data = state.png(scale=scale)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (round(760 * scale), round(555 * scale))


@pytest.mark.parametrize("size", [0, -1, float("nan"), 1e9, 10**5000, "2", None, True], ids=range(8))
def test_a_size_or_a_pace_that_cannot_be_is_refused_in_words(state, turn, size):
    for paint in (state.svg, state.png, turn.svg, turn.png, turn.gif):
        with pytest.raises(crashlab.CrashlabError, match=r"scale=.*: give a number from 0\.1 to 10"):
            paint(scale=size)
    with pytest.raises(crashlab.CrashlabError, match=r"milliseconds=.*: give a number from 20 to 10000"):
        turn.gif(milliseconds=size)


@pytest.mark.parametrize("name", THEMES)
def test_cars_have_exactly_the_colour_of_their_seat(state, name):
    image = opened(state.png(name, 2))
    for piece in state.picture().pieces:
        if piece.key.startswith("car"):
            car = state.cars[int(piece.key[4:])]
            (side,) = placed(Piece("", piece.x, piece.y, (Circle(2, 15.5, 1),), piece.angle))
            (plate,) = placed(Piece("", piece.x, piece.y, (Circle(2, 11, 1),), piece.angle))
            colour = "nobody" if car.driver is None else f"seat {car.driver}"
            assert image.getpixel((round(2 * side.x), round(2 * side.y))) == rgb(theme(name)[colour])
            assert image.getpixel((round(2 * plate.x), round(2 * plate.y))) == rgb(theme(name)["number"])


@pytest.mark.parametrize("name", THEMES)
def test_the_palette_keeps_every_colour_of_the_theme(turn, name):
    scenes = story.film(turn)
    for beat in range(1, turn.beats, 7):
        pieces = tween.between(scenes[beat - 1][0], *scenes[beat], 0.6)
        full = png.rendered(replace(scenes[beat][0], pieces=pieces), name, 1.0)
        few = png.reduced(full, theme(name), png.COLOURS).convert("RGB")
        named = {rgb(code) for code in theme(name).values()}
        left, right = full.tobytes(), few.tobytes()
        pixels = zip(range(0, len(left), 3), range(3, len(left) + 3, 3), strict=True)
        wrong = {left[a:b] for a, b in pixels if left[a:b] != right[a:b]}
        assert not {tuple(colour) for colour in wrong} & named


def test_the_same_picture_gives_the_same_bytes(state):
    assert state.png() == state.png()
    png.ground.cache_clear()
    assert state.png() == crashlab.game("autoscooter", players=7).start().png()


def test_a_png_says_which_shapes_it_shows(state):
    """The fingerprint ignores the scale, but not the theme or a shift of a tenth of a pixel."""

    def said(*how, **options):
        return Image.open(BytesIO(png.paint(*how, **options))).info[png.SHAPES]

    picture = state.picture()
    assert said(picture) == said(picture, scale=0.3) == png.fingerprint(picture)
    first, *others = picture.pieces
    moved = replace(picture, pieces=(replace(first, x=first.x + 0.1), *others))
    alike = replace(
        picture, pieces=(replace(first, x=first.x + 1e-9), *others)
    )  # a rounding difference between machines
    assert len({said(picture), said(picture, "dark"), said(moved)}) == 3 and said(alike) == said(picture)


def test_a_board_takes_few_kilobytes(turn):
    full = crashlab.game("autoscooter", players=8).start()
    assert max(len(full.png()), len(full.png("dark")), len(turn.png())) < 26_000


def test_half_transparent_things_let_through_what_is_below():
    floor = Polygon(((0, 0), (60, 0), (60, 60), (0, 60)), "cell")
    half = Piece("it", 30, 30, (Circle(0, 0, 20, "ink"), Line(((-9, 0), (9, 0)), "ink")), alpha=0.5)
    shade = opened(png.paint(Picture(60, 60, (floor,), (half,), ""))).getpixel((30, 45))
    assert rgb(LIGHT["ink"])[0] + 40 < shade[0] < rgb(LIGHT["cell"])[0] - 40


@pytest.mark.slow
def test_a_gif_moves_rests_at_its_end_and_begins_again(turn):
    data = turn.gif(milliseconds=200)
    assert data[:6] == b"GIF89a" and len(data) < 1_000_000
    film = Image.open(BytesIO(data))
    assert film.n_frames > turn.beats and film.info["loop"] == 0
    film.seek(film.n_frames - 1)
    assert film.info["duration"] >= 2000
    assert data == turn.gif(milliseconds=200)


def test_a_gif_of_nothing_is_a_still_picture(state):
    data = png.animate([(state.picture(), ())])
    assert Image.open(BytesIO(data)).n_frames == 1


# In a notebook


def test_a_notebook_gets_a_png_and_words(state, turn):
    bundle = state._repr_mimebundle_()
    assert bundle["text/plain"] == str(state)
    assert b64decode(bundle["image/png"]) == state.png(scale=sheet.STORED)
    assert turn._repr_mimebundle_()["text/plain"] == str(turn)


def test_without_pillow_a_notebook_gets_an_svg_and_words(state, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    bundle = sheet.mimebundle(state.picture(), "words")
    assert bundle["text/plain"] == "words" and "image/png" not in bundle
    ElementTree.fromstring(bundle["image/svg+xml"])


def test_a_picture_of_all_colours_of_the_theme_can_be_painted():
    """Every colour of a picture is painted exactly or in a nearly identical colour."""
    names = sorted(LIGHT)
    stripes = tuple(
        Polygon(((9 * place, 0), (9 * place + 9, 0), (9 * place + 9, 60), (9 * place, 60)), name)
        for place, name in enumerate(names)
    )
    veils = tuple(  # hundreds of mixtures
        Polygon(((0, y), (9 * len(names), y), (9 * len(names), y + 1), (0, y + 1)), "wood", alpha=y / 60)
        for y in range(21, 60)
    )
    ground = Polygon(((0, 20), (9 * len(names), 20), (9 * len(names), 60), (0, 60)), "ink")
    picture = Picture(9 * len(names), 60, (*stripes, ground, *stripes, *veils), (), "stripes and veils")
    image = Image.open(BytesIO(png.paint(picture))).convert("RGB")
    scale = image.width / picture.width
    for place, name in enumerate(names):
        actual = image.getpixel((int((9 * place + 4.5) * scale), image.height // 6))
        expected = tuple(bytes.fromhex(LIGHT[name][1:]))
        assert max(abs(a - b) for a, b in zip(actual, expected, strict=True)) <= 12, name
