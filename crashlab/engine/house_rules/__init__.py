"""House rules: functions of the user that replace rules of the book.

`source` reads a function and knows no game, `check` compares it with the rules of a game, and `modules` copies those
modules of the game that refer to the rules; the modules themselves never change. So a module of a game reaches the
rules by `from crashlab.games.GAME import rules` or by names imported from there, and stores nothing of them elsewhere.
`crashlab.play.rule_testing` tests whether rules are sound.
"""
