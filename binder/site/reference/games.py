"""The rules and the notation of every game, from its rulebook and its declarations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape
from inspect import cleandoc

from prose import Prose, block

import crashlab
from crashlab import Game, Random, State
from crashlab.drawing.shapes import Picture
from crashlab.engine.action_notation import OVER
from crashlab.engine.game import names_of
from crashlab.engine.rulebook import MARKS, Rule

THEMES = ("light", "dark")
MOST = 4  # actions that are shown of a decision


def games() -> list[Game]:
    """Every game with its usual options."""
    return [crashlab.game(name) for name in crashlab.games()]


@cache
def under_way(game: Game) -> State:
    """A random game, half of whose turns are played."""
    states, rng = [game.start(seed=1)], Random(1)
    while not states[-1].over:
        states.append(states[-1].sample(rng).after)
    return states[len(states) // 2]


def drawn(file: str, picture: Picture, words: str = "") -> str:
    """A picture that follows the colours of the page, and what it shows in words."""
    size = f'width="{picture.width:.0f}" height="{picture.height:.0f}"'
    shown = f'<img src="{file}-light.svg" alt="{escape(words or picture.words)}" {size} loading="lazy">'
    return (
        f'<picture><source srcset="{file}-dark.svg" media="screen and (prefers-color-scheme: dark)">{shown}</picture>\n'
    )


# The rules


def rules(game: Game, prose: Prose) -> str:
    """The page of the rules of a game."""
    ours = ", ".join(prose.text(rule.id) for rule in game.rulebook if rule.mark == "house")
    return "".join(
        (
            f"<h1>The rules of {escape(game.title)}</h1>\n<p>{escape(game.rulebook.credit)}</p>\n",
            f"<p>{len(game.rulebook)} rules, all in our own words. Each has an id, which the events of a turn cite, "
            "and a mark, which says who decided:</p>\n",
            marks(game),
            f"<p>House rulings: {ours or 'none'}.</p>\n",
            '<nav aria-label="On this page"><ul class="contents"><li><a href="#options">Options</a></li>'
            '<li><a href="#poster">On one page</a></li><li><a href="#rules">The rules</a></li></ul></nav>\n',
            options(game, prose),
            '<h2 id="poster">On one page</h2>\n',
            drawn(f"{game.name}-poster", game.poster().picture()),
            '<h2 id="rules">The rules</h2>\n',
            *(told(game, rule, prose) for rule in game.rulebook),
        )
    )


def marks(game: Game) -> str:
    """What the marks mean that rules of this game have, and how many have each."""
    count = {mark: sum(rule.mark == mark for rule in game.rulebook) for mark in MARKS}
    rows = (f"<dt>{mark(name)}</dt><dd>{MARKS[name]}: {n} rules</dd>" for name, n in count.items() if n)
    return f"<dl>{''.join(rows)}</dl>\n"


def mark(name: str) -> str:
    """The mark of a rule."""
    return f'<span class="mark {name}">{name}</span>'


def options(game: Game, prose: Prose) -> str:
    """What can be chosen for a game."""
    rows = (
        f"<dt><code>{option.name}={escape(repr(option.default))}</code></dt>"
        f"<dd>{prose.text(option.text)}{cited(option.rule, prose)}; {escape(option.allowed)}</dd>\n"
        for option in game.choices
    )
    return (
        f'<h2 id="options">Options</h2>\n<p>Given by name, as in <code>crashlab.game("{game.name}", '
        f"{game.choices[0].name}={game.choices[0].default})</code>; here with what they are by default.</p>\n"
        f"<dl>{''.join(rows)}</dl>\n"
    )


def cited(rule: str, prose: Prose) -> str:
    """The rule in brackets, if there is one."""
    return f" ({prose.text(rule)})" if rule else ""


def told(game: Game, rule: Rule, prose: Prose) -> str:
    """One rule, with all that is known of it, and the functions that make it."""
    more = "".join(f"<p>{edition.capitalize()} edition: {prose.text(what)}</p>\n" for edition, what in rule.editions)
    if rule.source:
        more += f'<p class="source">{prose.text(rule.source)}</p>\n'
    if rule.numbers:
        more += f"<p>A note that cites it tells: {escape(', '.join(rule.numbers))}.</p>\n"
    source = game.source(rule.id)
    if source.startswith("def "):
        more += f"<details><summary>The code of {rule.id}</summary>\n{block(source, 'source')}</details>\n"
    return (
        f'<article id="{rule.id}"><h3><a href="#{rule.id}">{rule.id}</a> {escape(rule.title)} {mark(rule.mark)}</h3>\n'
        f"<p>{prose.text(rule.text)}</p>\n{more}</article>\n"
    )


# The notation


def notation(game: Game, prose: Prose) -> str:
    """The page of the notation of a game."""
    words, positions = (cleandoc(str(of.__doc__)).partition("\n\n")[2] for of in (game.decisions, game.position))
    places = str(game.render.place_of.__doc__)
    parts = [(part.key, part.about) for part in game.position.PARTS]
    return "".join(
        (
            f"<h1>The notation of {escape(game.title)}</h1>\n",
            prose.html(words, listing="position"),
            *(picture(game, name) for name in game.pictures),
            '<h2 id="positions">Positions</h2>\n',
            prose.html(positions, listing="position"),
            f'<h3 id="parts">The parts of a position</h3>\n{defined(parts)}',
            '<h2 id="decisions">What is decided</h2>\n'
            "<p>Some answers of each kind, in a position of a random game.</p>\n",
            *decided(game),
            '<h2 id="facts">What a state tells by name</h2>\n<p>As in <code>state.NAME</code>, besides '
            f"{prose.codespan('State')}.</p>\n",
            defined(facts(game)),
            '<h2 id="places">What has a place on the picture</h2>\n',
            prose.html(f"By `state.place(value)`:\n\n{cleandoc(places)}"),
        )
    )


def picture(game: Game, name: str) -> str:
    """A picture of what the notation names."""
    return f"<figure>{drawn(f'{game.name}-{name}', game.picture(name).picture())}</figure>\n"


def defined(pairs: list[tuple[str, str]]) -> str:
    """Words as they are written, and what they are."""
    return f"<dl>{''.join(f'<dt><code>{word}</code></dt><dd>{escape(what)}</dd>' for word, what in pairs)}</dl>\n"


def facts(game: Game) -> list[tuple[str, str]]:
    """What a state tells by name: of a part of the position what that is, else what the property says."""
    about = {part.key: part.about for part in game.position.PARTS}
    kind = game.position.Facts
    return [
        (name, cleandoc(vars(kind)[name].__doc__ or "") if name in vars(kind) else about.get(name, ""))
        for name in names_of(kind)
    ]


def decided(game: Game) -> Iterator[str]:
    """What is decided, each with a position of a random game and some answers."""
    met = examples(game)
    for decision in game.decisions.DECISIONS:
        yield f'<h3 id="decision-{decision.name}"><code>{decision.name}</code>: {escape(decision.about)}</h3>\n'
        if decision.name in met:
            yield answers(*met[decision.name])


def answers(state: State, seat: int) -> str:
    """Some actions of a seat, and the position in which it has them."""
    who, players = state.game.seat_name(seat), state.game.options["players"]
    actions = [str(action) for action in state.actions(seat)]
    some = f"Some of the {len(actions)}" if len(actions) > MOST else "The"
    shown = "".join(f"<li><code>{escape(words, quote=False)}</code></li>" for words in spread(actions))
    return (
        f'<div class="answers" data-players="{players}" data-seat="{who}">\n'
        f"<p>{some} answers of {who}:</p>\n<ul>{shown}</ul>\n"
        f"<details><summary>The position, with {players} players</summary>\n{block(state.text, 'position')}"
        "</details>\n</div>\n"
    )


def examples(game: Game) -> dict[str, tuple[State, int]]:
    """Positions in which each thing is decided, and the seat that decides it, from random games of all sizes."""
    met: dict[str, tuple[State, int]] = {}
    wanted = {decision.name for decision in game.decisions.DECISIONS if decision is not OVER}
    sizes = next(option.values for option in game.choices if option.name == "players")
    for size in sorted(sizes, key=lambda size: size != game.options["players"]):
        state, rng = game.changed(players=size).start(seed=1), Random(1)
        while not state.over and not wanted <= set(met):
            for seat in state.actors:
                met.setdefault(game.decision(state.table, seat).name, (state, seat))
            state = state.sample(rng).after
    return met


def spread(actions: list[str]) -> list[str]:
    """A few of them, from the first to the last."""
    if len(actions) <= MOST:
        return actions
    return [actions[number * (len(actions) - 1) // (MOST - 1)] for number in range(MOST)]
