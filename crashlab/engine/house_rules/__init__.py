"""House rules: functions of the user that replace rules of the book.

`source` reads a function without reference to a game, `check` compares it with the rules of a game, and `modules`
copies those modules of the game that refer to the rules; the originals never change. Therefore a module of a game uses
the rules only through `from crashlab.games.GAME import rules`, or names imported from `rules`, and keeps no other
references to them.
`crashlab.play.rule_testing` tests whether rules are sound.
"""
