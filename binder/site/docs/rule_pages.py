"""The rules and the notation of every game as Markdown, from its rulebook and its declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import crashlab
from crashlab import Game, Random, State
from crashlab.drawing import svg
from crashlab.drawing.shapes import Picture
from crashlab.engine.action_notation import OVER
from crashlab.engine.game import names_of
from crashlab.engine.rulebook import MARKS, Rule

THEMES = ("light", "dark")
MAX_ACTIONS = 4  # actions shown for a decision
RULE = re.compile(r"\b[A-Z]{2}-[A-Z]\d+[a-z]?\b")
DEFINED = re.compile(r"\S+(?: \S+)*? {2,}\S")  # a name and its description on one line


def games() -> list[Game]:
    """Return every game with its default options."""
    return [crashlab.game(name) for name in crashlab.games()]


def write(folder: Path) -> None:
    """Write the pages of all games with their pictures."""
    folder.mkdir()
    titles = []
    for game in games():
        (folder / f"{game.name}.md").write_text("\n".join(rules(game, folder)), "utf-8")
        (folder / f"{game.name}-notation.md").write_text("\n".join(notation(game, folder)), "utf-8")
        painted(folder, f"{game.name}-game", under_way(game).picture())
        titles += [game.name, f"{game.name}-notation"]
    tree = "\n".join(("```{toctree}", ":maxdepth: 1", *titles, "```"))
    (folder / "index.md").write_text(f"# Rules\n\n{gallery('')}\n\n{tree}\n", "utf-8")


def gallery(folder: str) -> str:
    """Return the games as links with pictures."""
    rows = []
    for game in games():
        alt = f"{game.title}, in the middle of a game"
        shown = " ".join(f"![{alt}]({folder}{game.name}-game-{theme}.svg){{.only-{theme}}}" for theme in THEMES)
        rows.append(f"- [{shown} {game.title}]({folder}{game.name}.md)")
    return "\n".join(["```{container} games", *rows, "```"])


def under_way(game: Game) -> State:
    """Return the middle position of a random game."""
    states, rng = [game.start(seed=1)], Random(1)
    while not states[-1].over:
        states.append(states[-1].sample(rng).after)
    return states[len(states) // 2]


def painted(folder: Path, name: str, picture: Picture) -> dict[str, str]:
    """Paint a picture for each theme; return the file names by theme."""
    files = {theme: f"{name}-{theme}.svg" for theme in THEMES}
    for theme, file in files.items():
        (folder / file).write_text(svg.paint(picture, theme), "utf-8")
    return files


def plain(words: str) -> str:
    """Join the words into one line."""
    return " ".join(words.split())


def image(folder: Path, name: str, picture: Picture) -> str:
    """Return a picture that follows the theme of the page."""
    files = painted(folder, name, picture)
    return "\n".join(
        f"```{{image}} {file}\n:class: only-{theme}\n:alt: {plain(picture.words)}\n```\n"
        for theme, file in files.items()
    )


def text(words: str) -> str:
    """Escape plain text for Markdown and link its rules."""
    return linked(re.sub(r"([\\`*_\[\]<>#$|~])", r"\\\1", plain(words)))


def linked(words: str) -> str:
    """Link the rules in a Markdown text."""
    return RULE.sub(lambda rule: f"[{rule[0]}](#{rule[0].lower()})", words)


def defined(pairs: list[tuple[str, str]]) -> str:
    """Return words and their meanings as a definition list."""
    return "\n".join(f"`{word}`\n: {text(meaning) or '-'}\n" for word, meaning in pairs)


# The rules


def rules(game: Game, folder: Path) -> Iterator[str]:
    """Yield the parts of a game's page of rules."""
    yield f"# {game.title}: rules\n\n{text(game.rulebook.credit)}\n"
    yield f"{len(game.rulebook)} rules in our own words. Each has an id, which events cite, and a mark:\n"
    for mark, meaning in MARKS.items():
        if count := sum(rule.mark == mark for rule in game.rulebook):
            yield f"[{mark}]{{.decided .{mark}}}\n: {meaning}: {count} rules\n"
    ours = ", ".join(text(rule.id) for rule in game.rulebook if rule.mark == "house")
    yield f"House rulings: {ours or 'none'}. [How positions and actions are written]({game.name}-notation.md).\n"
    first = game.choices[0]
    yield f'## Options\n\nGiven by name, as in `crashlab.game("{game.name}", {first.name}={first.default})`.\n'
    for option in game.choices:
        rule = f" ({text(option.rule)})" if option.rule else ""
        yield f"`{option.name}={option.default!r}`\n: {text(option.text)}{rule}; {text(option.allowed)}\n"
    yield f"## On one page\n\n{image(folder, f'{game.name}-poster', game.poster().picture())}\n## The rules\n"
    pictures = {}
    for strip in game.posters.strips(game.options):
        first = strip.rules[0]
        pictures |= {rule: image(folder, first, game.poster(first).picture()) for rule in strip.rules}
    for rule in game.rulebook:
        yield from rule_section(game, rule)
        yield pictures.get(rule.id, "")


def rule_section(game: Game, rule: Rule) -> Iterator[str]:
    """Yield the section of one rule: its facts and the code that implements it."""
    yield f"({rule.id.lower()})=\n### {rule.id} {text(rule.title)}\n\n```{{index}} {rule.id}\n```\n"
    yield f"[{rule.mark}]{{.decided .{rule.mark}}} {text(rule.text)}\n"
    for edition, words in rule.editions:
        yield f"{edition.capitalize()} edition: {text(words)}\n"
    if rule.source:
        yield f"[{text(rule.source)}]{{.source}}\n"
    if rule.numbers:
        yield f"A note that cites it tells: {text(', '.join(rule.numbers))}.\n"
    source = game.source(rule.id)
    if source.startswith("def "):
        yield folded(f"The code of {rule.id}", "python", source.rstrip())


def folded(title: str, language: str, block: str) -> str:
    """Return a block that opens with a click on its title."""
    return f"<details><summary>{title}</summary>\n\n```{language}\n{block}\n```\n\n</details>\n"


# The notation


def notation(game: Game, folder: Path) -> Iterator[str]:
    """Yield the parts of a game's page of notation."""
    words, positions = (cleandoc(str(of.__doc__)).partition("\n\n")[2] for of in (game.decisions, game.position))
    yield f"# {game.title}: notation\n\n{markdown(words)}\n"
    for name in game.pictures:
        yield image(folder, f"{game.name}-{name}", game.picture(name).picture())
    yield f"## Positions\n\n{markdown(positions)}\n"
    yield f"### The parts of a position\n\n{defined([(part.key, part.about) for part in game.position.PARTS])}"
    yield "## Decisions\n\nSome answers of each kind, in a position of a random game.\n"
    met = examples(game)
    for decision in game.decisions.DECISIONS:
        yield f"### `{decision.name}`: {text(decision.about)}\n"
        if decision.name in met:
            yield answers(*met[decision.name])
    yield f"## Facts of a state\n\nAs in `state.NAME`, besides those of every state.\n\n{defined(facts(game))}"
    places = markdown(cleandoc(str(game.render.place_of.__doc__)))
    yield f"## Places on the picture\n\nBy `state.place(value)`:\n\n{places}\n"


def markdown(words: str) -> str:
    """Turn a docstring into Markdown: `name  description` lines become lists."""
    paragraphs = re.split(r"\n\n+", words.rstrip())
    for place, paragraph in enumerate(paragraphs):
        if DEFINED.match(paragraph):
            entries = re.split(r"\n(?! )", paragraph)
            pairs = (re.split(" {2,}", re.sub(r"\n +", " ", entry), maxsplit=1) for entry in entries)
            paragraphs[place] = "\n\n".join(f"`{word}`\n: {meaning}" for word, meaning in pairs)
    return linked("\n\n".join(paragraphs))


def facts(game: Game) -> list[tuple[str, str]]:
    """Return the named facts of a state, described by the part of the position or the property's docstring."""
    about = {part.key: part.about for part in game.position.PARTS}
    kind = game.position.Facts
    return [
        (name, cleandoc(vars(kind)[name].__doc__ or "") if name in vars(kind) else about.get(name, ""))
        for name in names_of(kind)
    ]


def answers(state: State, seat: int) -> str:
    """Return some legal actions of a seat, and the position."""
    who, players = state.game.seat_name(seat), state.game.options["players"]
    actions = [str(action) for action in state.actions(seat)]
    some = f"Some of the {len(actions)}" if len(actions) > MAX_ACTIONS else "The"
    rows = "\n".join(f"- `{words}`" for words in spread(actions))
    position = (
        f"<details><summary>The position, with {players} players</summary>\n\n```text\n{state.text}\n```\n\n</details>"
    )
    return f"{some} answers of {who}:\n\n{rows}\n\n{position}\n"


def examples(game: Game) -> dict[str, tuple[State, int]]:
    """Return a position and seat for each kind of decision, from random games with all numbers of players."""
    met: dict[str, tuple[State, int]] = {}
    missing = {decision.name for decision in game.decisions.DECISIONS if decision is not OVER}
    sizes = next(option.values for option in game.choices if option.name == "players")
    for size in sorted(sizes, key=lambda size: size != game.options["players"]):
        state, rng = game.changed(players=size).start(seed=1), Random(1)
        while not state.over and not missing <= set(met):
            for seat in state.actors:
                met.setdefault(game.decision(state.table, seat).name, (state, seat))
            state = state.sample(rng).after
    return met


def spread(actions: list[str]) -> list[str]:
    """Return a few actions, evenly spaced from the first to the last."""
    if len(actions) <= MAX_ACTIONS:
        return actions
    return [actions[number * (len(actions) - 1) // (MAX_ACTIONS - 1)] for number in range(MAX_ACTIONS)]
