"""Reviews: the costs of the decisions of a finished game.

review       the computation
appraisal    the result, as text, pictures and a page
causes       the reasons for the costs
"""
