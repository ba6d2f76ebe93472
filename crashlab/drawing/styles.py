"""How buttons, answers and boxes beside the pictures look, in the words of ipywidgets and of CSS."""

LEADING = "primary"  # the colour of the button that leads on; others have none
GOOD, BAD, UNKNOWN, BLUE = "#009E73", "#D55E00", "#999999", "#0072B2"
RIGHT, WRONG, OPEN = ("border-left: 5px solid " + colour for colour in (GOOD, BAD, UNKNOWN))  # answers
WARNING = f"border-left: 5px solid {BAD}; padding-left: 8px; font-weight: 600"
QUOTE = f"padding-left: 10px; border-left: 3px solid {BLUE}"  # of a rule
MARK = "border: 1px solid; border-radius: 8px; padding: 0 6px; font-size: 85%"  # of a rule
