"""Posters of a game's rules, and the pictures that explain its notation."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import game_variants as variants
import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.cli import main as cli
from crashlab.drawing import page_layout as layout
from crashlab.drawing import png
from crashlab.drawing.crop import cropped, cut
from crashlab.drawing.shapes import Circle, Line, Picture, Piece, Polygon, Text, box
from crashlab.engine import poster
from crashlab.engine.game import Game
from crashlab.games import NAMES
from crashlab.games.boards import hexes, streets

TOY = Game("toy", "toy", {})
WINDOW = (0.0, 0.0, 100.0, 50.0)


def words_of(picture):
    return [shape for shape in picture.board if isinstance(shape, Text)]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_a_poster_whose_pictures_can_be_played(name):
    for game in [game for game in variants.one_by_one() if game.name == name]:
        picture = game.poster().picture()
        assert (picture.width, picture.height) == (1000, 707), "the proportions of A4 landscape"
        for text in words_of(picture):
            left, top, right, bottom = box([text])
            assert text.size >= 14, f"{game}: {text.text!r} is too small to be read"
            assert left >= 0 and top >= 0 and right <= 1000 and bottom <= 708, f"{game}: {text.text!r} leaves the page"


@pytest.mark.parametrize("name", NAMES)
def test_the_strips_cite_rules_and_are_told_in_words(name):
    game = crashlab.game(name)
    strips = game.posters.strips(game.options)
    description = str(game.poster())
    assert len(strips) == 4
    for strip in strips:
        assert strip.title in description and all(rule in game.rulebook for rule in strip.rules)
        assert " ".join(layout.lines(strip.words, 400, 16)) in description
        assert len(strip.words) < 190, "one to three short sentences"
        head = 12.4 * len(strip.title) + 8.4 * len(poster.cited(strip.rules))  # in a wide font
        assert head < layout.PANEL_WIDE - 55, f"'{strip.title}' runs into the ids of its rules"
    assert game.rulebook.credit in description


@pytest.mark.parametrize("name", NAMES)
def test_before_and_after_are_moments_of_a_turn_that_the_engine_plays(name):
    game = crashlab.game(name)
    for strip in game.posters.strips(game.options):
        panel = poster.panel(game, strip)
        turn = poster.played(game.read(strip.position), strip.plays)
        if turn is None:
            assert panel.views == (game.read(strip.position).picture(),)
            continue
        moments = [turn.picture(beat).pieces for beat in range(turn.beats + 1)]
        before, after = panel.views
        assert before.pieces == moments[strip.since]
        assert after.pieces[1:] in moments[strip.since + 1 :], "the paths are followed by a picture of the turn"
        texts = [next(event.text for event in turn.events if words in event.text) for words in strip.tells]
        assert " ".join(panel.events).lower().rstrip(".") == "; ".join(texts).lower()


def test_what_the_rules_do_not_do_is_refused():
    game = crashlab.game("autoscooter")
    crash = game.posters.strips(game.options)[2]
    with pytest.raises(CrashlabError, match="no event in 'The rammer is paid' cites AS-V1"):
        poster.panel(game, replace(crash, rules=("AS-V1",)))
    with pytest.raises(CrashlabError, match="no event contains 'flies away'"):
        poster.panel(game, replace(crash, tells=("flies away",)))
    with pytest.raises(CrashlabError, match="there is no rule 'AS-C99'"):
        poster.panel(game, replace(crash, rules=("AS-C99",)))


def test_the_poster_follows_the_options():
    def text(name, **options):
        return str(crashlab.game(name, **options).poster())

    assert "20 chits" in text("autoscooter") and "10 chits" in text("autoscooter", players=8)
    assert "shoved" in text("autoscooter", rear_push=True) and "shoved" not in text("autoscooter")
    assert "turn round" in text("autoscooter") and "turn round" not in text("autoscooter", standstill="none")
    assert "each opponent's car" in text("crash_by_crash") and "each car" in text("crash_by_crash", edition="english")
    assert "Each of your two saucers" in text("crash_and_grab", players=2)
    chained = text("crash_city", chains=True)
    assert "taken space" in chained and "spinning to a free one" in chained and "taken space" not in text("crash_city")
    assert "2 players, edition=english" in text("crash_by_crash", edition="english")


def test_a_rule_has_its_picture_alone():
    game = crashlab.game("crash_city")
    one, whole = game.poster("CC-R3"), str(game.poster())
    assert "Then drive to work" in str(one) and "Park eight cars" not in str(one)
    assert str(one).removeprefix("CrashCity: ") in whole
    both = game.poster("CC-E1", "CC-R3")
    assert "Then drive to work" in str(both) and "Park eight cars" in str(both)
    for sheet in one, both:
        picture = sheet.picture()
        assert all(
            0 <= left and right <= picture.width and top >= 0 and bottom <= picture.height
            for left, top, right, bottom in (box([text]) for text in words_of(picture))
        )
    with pytest.raises(CrashlabError, match="there is no rule 'CC-Z9'"):
        game.poster("CC-Z9")
    with pytest.raises(CrashlabError, match=r"no picture shows CC-E2; the pictures show CC-B5, CC-B4, .*CC-E1"):
        game.poster("CC-E2")
    with pytest.raises(CrashlabError, match="no picture shows CC-G1 or CC-E2; the pictures"):
        game.poster(0, "CC-E2")
    with pytest.raises(CrashlabError, match="no picture shows TOY-1; the game has no pictures"):
        TOY.poster("TOY-1")


def test_a_game_without_a_poster_gets_one_from_its_rulebook():
    description = str(TOY.poster())
    assert TOY.posters.strips(TOY.options) == () and TOY.pictures == ()
    assert "TOY-1  Bids TOY-2  Gust" in description and "How it begins" in description
    assert any("Gust" in text.text for text in words_of(TOY.poster().picture()))
    with pytest.raises(CrashlabError, match="there is no picture 'directions'; toy has none"):
        TOY.picture("directions")


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_a_poster_is_drawn_in_every_theme(theme):
    poster = crashlab.game("crash_by_crash").poster()
    ElementTree.fromstring(poster.svg(theme))
    assert poster.png(theme, 0.2).startswith(b"\x89PNG")


@pytest.mark.parametrize("name", NAMES)
def test_the_corners_of_a_picture_are_not_black(name):
    game = crashlab.game(name)
    for sheet in map(game.picture, game.pictures):
        assert png.pixels(sheet.picture(), "light", 0.2)[0, 0].min() > 100


def test_a_sheet_shows_itself_and_is_saved(tmp_path):
    sheet = crashlab.game("autoscooter").picture("directions")
    bundle = sheet._repr_mimebundle_()
    assert set(bundle) == {"image/png", "text/plain"} and "facing E" in bundle["text/plain"]
    sheet.save(tmp_path / "rose.svg", theme="dark")
    sheet.save(tmp_path / "rose.PNG")
    assert (tmp_path / "rose.svg").read_text("utf-8") == sheet.svg("dark")
    assert (tmp_path / "rose.PNG").read_bytes() == sheet.png(scale=2)
    for path, reason in ((tmp_path / "rose.gif", "saved as .svg or .png"), (3, "give a path")):
        with pytest.raises(CrashlabError, match=reason):
            sheet.save(path)
    with pytest.raises(CrashlabError, match="there is no theme 'night'"):
        sheet.save(tmp_path / "night.svg", theme="night")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rose.PNG", "rose.svg"]


@pytest.mark.parametrize("name", NAMES)
def test_what_the_notation_names_is_drawn(name):
    game = crashlab.game(name)
    labels = {
        "autoscooter": {"directions": hexes.DIRECTIONS, "sides": ("nose", "tail", *"012345")},
        "crash_and_grab": {"directions": ("^", ">", "v", "<", "up, Sun", "left, Stars")},
        "crash_by_crash": {"directions": hexes.DIRECTIONS, "tiles": ("X tile: 8 cells", "flower: 7 cells")},
        "crash_city": {"lanes": streets.DIRECTIONS, "tiles": ("I: N", "L: NE", "H: NS", "U: NES", "O: NESW")},
    }[name]
    assert game.pictures == tuple(labels)
    for picture, letters in labels.items():
        drawing = game.picture(picture).picture()
        words = [text.text for text in words_of(drawing)]
        assert set(letters) <= set(words)
        for text in words_of(drawing):
            left, top, right, bottom = box([text])
            assert text.size >= 14 and left >= 0 and top >= -2 and right <= drawing.width and bottom <= drawing.height


def test_the_directions_point_where_the_engine_drives():
    """A car that drives one hex moves towards the direction's name on the rose."""
    game = crashlab.game("autoscooter")
    labels = {text.text: (text.x, text.y) for text in words_of(game.picture("directions").picture())}
    middle_x = (labels["E"][0] + labels["W"][0]) / 2
    for name in hexes.DIRECTIONS:
        turn = game.read({"cars": {"1": f"32{name}1", "2": "00E0"}}).play({"A": "1 F", "B": "2 F"})
        before, after = (next(p for p in turn.picture(n).pieces if p.key == "car 1") for n in (0, turn.beats))
        x, _ = labels[name]
        assert (after.x > before.x, after.x < before.x) == (x > middle_x, x < middle_x)
        assert (after.y > before.y + 1, after.y < before.y - 1) == (name.startswith("S"), name.startswith("N"))


def test_names_with_accents_are_spelled_in_letters_that_the_font_has():
    assert png.spelled("Günter Dostál, −4 at 60°") == "Gunter Dostal, -4 at 60°"
    assert png.spelled("beat 6 of 6 ✓, A ↓   B →, 17 FLF ×3 ★") == "beat 6 of 6 , A v   B ->, 17 FLF x3 *"


def test_no_letter_in_the_code_that_draws_lacks_in_the_font():
    lacking = bytes(png.font(20).getmask("\uffff"))
    folder = Path(png.__file__).parent.parent
    drawing = [path for part in ("drawing/*.py", "views/*.py", "games/**/*.py") for path in folder.rglob(part)]
    more = "analysis/matrix_game.py", "engine/poster.py", "lab/bluff.py", "lab/heat.py"
    drawing += [folder / name for name in more]
    letters = {letter for path in drawing for letter in path.read_text("utf-8") if not letter.isascii()}
    assert {"✓", "★", "×"} <= letters
    spelled = {character for letter in letters for character in png.spelled(letter)}
    assert not {letter for letter in spelled if bytes(png.font(20).getmask(letter)) == lacking}


# A part of a picture


def test_a_window_cuts_what_is_on_its_edge():
    square = Polygon(((-10, -10), (10, -10), (10, 10), (-10, 10)), "cell", "ink", 2)
    area, *rim = cut([square], WINDOW)
    assert set(area.points) == {(0, 0), (10, 0), (10, 10), (0, 10)} and area.stroke == ""
    assert [line.points for line in rim] == [((10, 0), (10, 10), (0, 10))]
    inside = replace(square, points=((5, 5), (9, 5), (9, 9)))
    outside = replace(square, points=((-5, 0), (-9, 9), (-9, 0)))
    assert list(cut([inside, outside], WINDOW)) == [inside]


def test_a_line_is_cut_and_keeps_its_head_if_its_end_is_inside():
    there, gone = Line(((-50, 20), (50, 20)), "ink", arrow=True), Line(((50, 20), (50, 90)), "ink", arrow=True)
    assert [(line.points, line.arrow) for line in cut([there, gone], WINDOW)] == [
        (((0, 20), (50, 20)), True),
        (((50, 20), (50, 50)), False),
    ]
    through = Line(((20, 20), (20, 70), (40, 70), (40, 20)), "ink")
    assert [line.points for line in cut([through], WINDOW)] == [((20, 20), (20, 50)), ((40, 50), (40, 20))]


def test_words_are_whole_and_a_disc_is_cut():
    assert list(cut([Text(2, 20, "cut")], WINDOW)) == [] and len(list(cut([Text(50, 20, "whole")], WINDOW))) == 1
    (half,) = cut([Circle(0, 20, 8, "ink")], WINDOW)
    assert min(x for x, _ in half.points) == 0 and max(x for x, _ in half.points) == pytest.approx(8)


def test_a_closeup_is_a_picture_with_the_pieces_that_are_there():
    pieces = tuple(Piece(f"at {x}", x, 30, (Circle(0, 0, 5, "ink"),)) for x in (30, 130))
    near = cropped(Picture(300, 300, (Line(((0, 30), (300, 30)), "ink"),), pieces, "both"), (20, 20, 60, 40))
    assert (near.width, near.height, near.words) == (40, 20, "both")
    assert [(piece.key, piece.x, piece.y) for piece in near.pieces] == [("at 30", 10, 10)]
    assert near.board == (Line(((0, 10), (40, 10)), "ink"),)


# From a terminal


def test_the_command_saves_a_poster_or_another_picture(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["poster", "autoscooter"]) == 0
    assert cli.main(["poster", "crash_by_crash", "handout.png", "-o", "edition=english", "--theme", "projector"]) == 0
    assert cli.main(["poster", "autoscooter", "--picture", "sides"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "autoscooter-sides.svg",
        "autoscooter.svg",
        "handout.png",
    ]
    assert (tmp_path / "autoscooter.svg").read_text("utf-8") == crashlab.game("autoscooter").poster().svg()
    assert capsys.readouterr().out.splitlines()[0] == "Saved autoscooter.svg."
    for words, reason in (
        (["autoscooter", "poster.doc"], "saved as .svg or .png"),
        (["autoscooter", "--picture", "dial"], "there is no picture 'dial'; the pictures are directions, sides"),
        (["autoscooter", "--theme", "night"], "there is no theme 'night'"),
        (["chess"], "there is no game 'chess'"),
    ):
        assert cli.main(["poster", *words]) == 2
        assert reason in capsys.readouterr().err
