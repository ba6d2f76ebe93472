"""Rulebooks as data: every rule with its id, title, text, mark and source, read from `rulebook.toml`.

Events refer to a rule by its number, its position in the book. The rules of a game use these numbers as constants; when
the module is imported, `cite("AS-C1", ...)` translates ids into numbers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from crashlab.base.errors import CrashlabError, integer, short_repr

MARKS = {
    "stated": "a source says so",
    "inferred": "follows from what the sources say",
    "house": "our own ruling where the sources are silent",
    "yours": "written by the players",
}


@dataclass(frozen=True)
class Rule:
    """A rule, in our own words.

    `numbers` are the names of the numbers in a note that cites the rule; `event` is the note's template
    (`event_words`).
    `editions` lists differences between printed rulebooks: pairs of an edition and its version of the rule.

        >>> rule = crashlab.game("autoscooter").rulebook["AS-C4"]
        >>> rule.title, rule.mark
        ('Side crash', 'stated')
    """

    id: str
    title: str
    text: str
    mark: str
    source: str = ""
    numbers: tuple[str, ...] = ()
    event: str = ""
    editions: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.id} ({self.mark}) {self.title}: {self.text}"


@dataclass(frozen=True)
class PuzzleTheme:
    """A theme of puzzles: the best action causes at least `least` events of these rules.

    With a `field`, only events that change it count.
    """

    name: str
    rules: tuple[str, ...]
    least: int = 1
    field: str | None = None


class Rulebook:
    """The rules of a game in the order of the book, indexed by id or number.

    >>> book = crashlab.game("crash_city").rulebook
    >>> book[0].id, "CC-C1" in book, [rule.id for rule in book if rule.mark == "house"]
    ('CC-G1', True, ['CC-G3', 'CC-G4', 'CC-G6', 'CC-C2', 'CC-C3', 'CC-C4', 'CC-E2'])
    """

    def __init__(
        self,
        title: str,
        credit: str,
        rules: list[Rule],
        themes: tuple[PuzzleTheme, ...] = (),
        near: str = "",
        events: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.title, self.credit, self.themes = title, credit, themes
        self.near = near  # what `evaluate` counts in addition to points, or empty
        self.rules = tuple(rules)
        self.events = {
            **events,
            **{rule.id: rule.event for rule in rules if rule.event},
        }  # templates of events (`event_words`)
        self._number = {rule.id: number for number, rule in enumerate(self.rules)}

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __contains__(self, rule_id: object) -> bool:
        return isinstance(rule_id, str) and rule_id in self._number

    def __getitem__(self, key: str | int) -> Rule:
        number = self._number.get(key) if isinstance(key, str) else integer(key)
        if number is None or not -len(self) <= number < len(self):
            raise CrashlabError(f"there is no rule {short_repr(key)}; the rules are {', '.join(self._number)}")
        return self.rules[number]

    def cite(self, *ids: str) -> tuple[int, ...]:
        """Return the numbers of the rules with these ids."""
        return tuple(self._number[self[rule_id].id] for rule_id in ids)


@cache
def read(folder: str) -> Rulebook:
    """Read the rulebook in the folder of a game."""
    import tomllib

    book = tomllib.loads((Path(folder) / "rulebook.toml").read_text(encoding="utf-8"))
    themes = [PuzzleTheme(**{**theme, "rules": tuple(theme["rules"])}) for theme in book.get("theme", ())]
    rules = [_rule(entry) for entry in book["rule"]]
    return Rulebook(book["title"], book["credit"], rules, tuple(themes), book.get("near", ""), book.get("events", {}))


def _rule(entry: dict[str, Any]) -> Rule:
    """Build a rule from an entry of the file."""
    numbers = entry.pop("numbers", ())
    editions = entry.pop("editions", {})
    return Rule(**entry, numbers=tuple(numbers), editions=tuple(editions.items()))
