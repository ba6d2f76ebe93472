"""How the lab's buttons and boxes look, in the words of ipywidgets and of CSS."""

LEADING = "primary"  # the colour of the button that leads on; others have none
RIGHT, WRONG, OPEN = ("border-left: 5px solid " + colour for colour in ("#009E73", "#D55E00", "#8c8c8c"))  # answers
WARNING = "border-left: 5px solid #D55E00; padding-left: 8px; font-weight: 600"
QUOTE = "padding-left: 10px; border-left: 3px solid #0072B2"  # of a rule
MARK = "border: 1px solid; border-radius: 8px; padding: 0 6px; font-size: 85%"  # of a rule
