"""Reviews: a game looked at again, and what each of its decisions cost.

reviewing    finds it out
appraisal    what was found, as text, as pictures and as a page
"""
