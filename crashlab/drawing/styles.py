"""Styles of buttons, answers and boxes beside the pictures, for ipywidgets and in CSS."""

LEADING = "primary"  # style of the button that continues; other buttons are plain
GOOD, BAD, UNKNOWN, BLUE = "#009E73", "#D55E00", "#999999", "#0072B2"
RIGHT, WRONG, OPEN = ("border-left: 5px solid " + colour for colour in (GOOD, BAD, UNKNOWN))  # borders of answers
WARNING = f"border-left: 5px solid {BAD}; padding-left: 8px; font-weight: 600"
QUOTE = f"padding-left: 10px; border-left: 3px solid {BLUE}"  # quoted rule
MARK = "border: 1px solid; border-radius: 8px; padding: 0 6px; font-size: 85%"  # mark of a rule
