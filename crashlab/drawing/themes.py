"""Themes: the colour of each colour name.

The seats have the eight hues of Okabe and Ito, which colour-blind readers can tell apart: unchanged in the dark theme
(with white for black), darkened in the light themes to a contrast of 3:1. The `ink` of a seat is the colour of text on
the seat's colour.

Values are shown in the colours `heat 0` (low) to `heat 8` (high) of every theme. These steps of viridis go from dark to
bright, so that their order is visible without hues.

Colours that only one game needs are defined by that game and part of its pictures.
"""

from collections.abc import Mapping

from crashlab.base.errors import require, short_repr
from crashlab.drawing.shapes import Colours

Theme = Mapping[str, str]
NONE: Colours = {}
FIRST = "light"  # the default theme

HEATS = 9
HEAT: dict[str, str] = {
    "heat 0": "#440154", "heat 0 ink": "#FFFFFF", "heat 1": "#472D7B", "heat 1 ink": "#FFFFFF",
    "heat 2": "#3B528B", "heat 2 ink": "#FFFFFF", "heat 3": "#2C728E", "heat 3 ink": "#FFFFFF",
    "heat 4": "#21918C", "heat 4 ink": "#0A0A0A", "heat 5": "#28AE80", "heat 5 ink": "#0A0A0A",
    "heat 6": "#5EC962", "heat 6 ink": "#0A0A0A", "heat 7": "#ADDC30", "heat 7 ink": "#0A0A0A",
    "heat 8": "#FDE725", "heat 8 ink": "#0A0A0A",
}  # fmt: skip

LIGHT: dict[str, str] = {
    **HEAT,
    # the table and the text on it
    "wood": "#D9B483", "wood grain": "#CFA671", "panel": "#FFFAF0", "panel edge": "#BF9560",
    "ink": "#1F1B16", "muted": "#62574A",
    # the board
    "cell": "#FAF3E4", "cell edge": "#D2C1A1", "cell ink": "#6E6353",
    "rail": "#3A3F47", "rail edge": "#22252A", "rail light": "#E9B949",
    # the seats: blue, vermillion, green, purple, black, sky, orange, yellow
    "seat 0": "#0359CC", "seat 0 ink": "#FFFFFF", "seat 1": "#B54C12", "seat 1 ink": "#FFFFFF",
    "seat 2": "#07825D", "seat 2 ink": "#FFFFFF", "seat 3": "#B85C97", "seat 3 ink": "#0A0A0A",
    "seat 4": "#1C1C1C", "seat 4 ink": "#FFFFFF", "seat 5": "#2C76BA", "seat 5 ink": "#FFFFFF",
    "seat 6": "#CC7800", "seat 6 ink": "#0A0A0A", "seat 7": "#4C420B", "seat 7 ink": "#FFFFFF",
    "nobody": "#8A8A86", "nobody ink": "#101010",
    # three more hues, for saucers and players named after colours
    "red": "#A80F1E", "red ink": "#FFFFFF",
    "yellow": "#AD8500", "yellow ink": "#0A0A0A", "purple": "#5B2A86", "purple ink": "#FFFFFF",
    # cars
    "rubber": "#26282C", "lamp": "#FFE27A", "number": "#FFFFFF", "number ink": "#111111",
    # chits, tickets, effects
    "chit": "#E3A51A", "chit edge": "#7A5200", "chit ink": "#231700",
    "ticket": "#FFFFFF", "ticket edge": "#4A4F57", "ticket ink": "#111111",
    "flash": "#FFD21F", "flash edge": "#C22400", "flash ink": "#3A0D00",
    "path": "#24303F", "path edge": "#FFFFFF", "target": "#24303F", "target ink": "#FFFFFF",
    "gain": "#0B6B3A", "loss": "#B3190B",
}  # fmt: skip

DARK: dict[str, str] = {
    **LIGHT,
    "wood": "#3B2C20", "wood grain": "#443325", "panel": "#17191E", "panel edge": "#5B4632",
    "ink": "#F2EEE6", "muted": "#B3AC9F",
    "cell": "#1D2127", "cell edge": "#3C434D", "cell ink": "#9AA3AF",
    "rail": "#6B7483", "rail edge": "#0C0D10", "rail light": "#E9B949",
    "seat 0": "#0072B2", "seat 0 ink": "#FFFFFF", "seat 1": "#D55E00", "seat 1 ink": "#0A0A0A",
    "seat 2": "#009E73", "seat 2 ink": "#0A0A0A", "seat 3": "#CC79A7", "seat 3 ink": "#0A0A0A",
    "seat 4": "#F2F2F2", "seat 4 ink": "#0A0A0A", "seat 5": "#56B4E9", "seat 5 ink": "#0A0A0A",
    "seat 6": "#E69F00", "seat 6 ink": "#0A0A0A", "seat 7": "#F0E442", "seat 7 ink": "#0A0A0A",
    "nobody": "#80848A", "nobody ink": "#0A0A0A",
    "red": "#E0303A", "red ink": "#0A0A0A",
    "yellow": "#F0E442", "yellow ink": "#0A0A0A", "purple": "#B39DFF", "purple ink": "#0A0A0A",
    "rubber": "#717B8A",
    "chit": "#F0B93A", "chit edge": "#6B4700",
    "ticket": "#FFF8E1", "ticket edge": "#8A7A50",
    "path": "#F2EEE6", "path edge": "#000000", "target": "#F2EEE6", "target ink": "#14161A",
    "flash edge": "#FF7043",
    "gain": "#5FD38D", "loss": "#FF8A75",
}  # fmt: skip

PROJECTOR: dict[str, str] = {
    **LIGHT,  # for a wall in a bright room: a pale background, and dark colours close to black
    "wood": "#E8DFCF", "wood grain": "#DDD0BA", "panel": "#FFFFFF", "panel edge": "#4C420B",
    "ink": "#111111", "muted": "#3A3F47",
    "cell": "#FFFFFF", "cell edge": "#8A8A86", "cell ink": "#3A3F47",
    "rail edge": "#111111", "rubber": "#111111", "path": "#111111", "target": "#111111",
}  # fmt: skip

THEMES: dict[str, Theme] = {"light": LIGHT, "dark": DARK, "projector": PROJECTOR}


def theme(name: str, colours: Colours = NONE) -> Theme:
    """Return a theme's colours with a picture's own: its light colours, then those for the theme; later ones win."""
    require(
        isinstance(name, str) and name in THEMES,
        f"there is no theme {short_repr(name)}; the themes are {', '.join(THEMES)}",
    )
    return {**THEMES[name], **colours.get("light", {}), **colours.get(name, {})}
