"""The `crashlab` command.

lab         opens the notebooks
rules       prints a rulebook
poster      saves the rules as a page of pictures
simulate    plays many games and tells what happened in them
tournament  lets agents play against each other
league      lets the agents in a folder play, each in a process of its own
review      tells what the decisions of a saved match have cost
ladder      shows the built-in agents, and how strong they are
grade       runs notebooks, and reports their exercises
watch       runs a function of a file, and shows how its variables change
bench       measures how fast it is here
warm        compiles all games, so that nobody waits for it later
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import inspect
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from importlib import import_module, metadata, util
from itertools import groupby
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import crashlab
from crashlab.base import files, interrupt
from crashlab.base.errors import WORDY, cut, printable, shown, told, whole, within
from crashlab.cli.news import without_news
from crashlab.course import handout
from crashlab.engine.notation import counted
from crashlab.engine.options import Value
from crashlab.watch.traced_code import traceable

FIRST = "00_start_here.ipynb"
PRESENTED = {"page_config_data": {"crashlabPresent": True}}  # read by present.js
PLACE = r"[A-Za-z0-9.-]+(:\d{1,5})?"  # a host, perhaps with a port
MANIFEST = ".crashlab.json"  # in the folder of copies: what was delivered, by its hash
SECONDS = 0.001, 3600  # that a measurement can take
BY_NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
LAB_PARTS = ("jupyterlab", "ipywidgets", "ipycanvas", "anywidget", "matplotlib")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit status."""
    try:
        interrupt.usual()
        arguments = parser().parse_args(argv)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal without ü still gets its rules
        status: int = arguments.command(arguments)
        print(end="", flush=True)
        return status
    except BrokenPipeError:  # `crashlab rules autoscooter | head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return interrupt.INTERRUPTED
    except crashlab.CrashlabError as error:
        print(f"crashlab: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        words = f"crashlab: {cut(str(error.filename or 'a file'))}: {error.strerror or error}"
        print(printable(words), file=sys.stderr)
        return 2


Add = Callable[[argparse.ArgumentParser], None]  # adds arguments that several commands have


class Parser(argparse.ArgumentParser):
    """A parser that does not repeat thousands of letters; each command's refuses what it does not know."""

    passes_on = False  # whether what follows two dashes is for another program, as `passed`

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """What is typed; what is unknown is refused here, with the command's own usage."""
        passed = []
        if self.passes_on and "--" in args:
            place = args.index("--")
            args, passed = args[:place], args[place + 1 :]
        found, unknown = super().parse_known_args(args, namespace)
        if self.passes_on:
            found.passed = passed
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong, and leave."""
        super().error(printable(cut(message, WORDY)))


def parser() -> Parser:
    """All commands and their options."""
    top = Parser(prog="crashlab", description="Board games about collisions, in notebooks.")
    top.add_argument("--version", action="version", version=f"crashlab {metadata.version('crashlab')}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], what: str, *adds: Add) -> Parser:
        made = commands.add_parser(name, help=what)
        made.set_defaults(command=run)
        for add in adds:
            add(made)
        return made

    lab = command("lab", run_lab, "copy the notebooks and open them in JupyterLab")
    lab.add_argument("--dir", default="crashlab-notebooks", help="where the copies live (%(default)s)")
    lab.add_argument("--copy-only", action="store_true", help="copy only; start nothing")
    lab.add_argument("--no-browser", action="store_true", help="start JupyterLab without opening a browser")
    lab.add_argument("--no-warm", action="store_true", help="do not compile the games in the background")
    lab.add_argument("--port", type=integer, help="the port that JupyterLab tries first")
    lab.add_argument("--present", action="store_true", help="show the lesson from panel to panel, for a clicker")
    lab.add_argument(
        "--phones", metavar="ADDRESS", help="the address that phones use to vote, such as 10.0.0.5 or 10.0.0.5:8040"
    )
    lab.passes_on = True
    lab.add_argument(
        "lessons",
        nargs="*",
        metavar="[LESSON] [-- OPTION ...]",
        help="the lesson that is opened, such as 10a; after two dashes: JupyterLab's own options",
    )

    rules = command("rules", run_rules, "print a game's rulebook, a group of rules, or one rule")
    rules.add_argument("game", nargs="?", help="which game (left out: list the games)")
    rules.add_argument("id", nargs="?", help="one rule (AS-C4) or the start of several (AS-C)")

    poster = command("poster", run_poster, "save a game's rules as one page of pictures", add_game)
    poster.add_argument("file", nargs="?", help="the file to write, ending in .svg or .png (GAME.svg)")
    poster.add_argument("--picture", metavar="NAME", help="one of its other pictures instead of the poster: directions")
    poster.add_argument("--theme", default="light", help="light, dark or projector (%(default)s)")

    simulate = command("simulate", run_simulate, "play many games and report what happened in them", add_game, add_seed)
    simulate.add_argument("--games", type=integer, default=10_000, help="how many (%(default)s)")
    simulate.add_argument(
        "--agents",
        nargs="+",
        default=[],
        metavar="[SEAT=]NAME",
        help="one agent for all seats (greedy), or some seats with theirs (A=greedy); the others are random",
    )
    simulate.add_argument(
        "--compare", metavar="OPTION[=VALUE,VALUE]", help="compare all values of this option, or those given"
    )
    simulate.add_argument("--workers", type=integer, help="how many threads (all cores)")

    contest = command("tournament", run_tournament, "let agents play against each other", add_game, add_seed)
    contest.add_argument(
        "--agents", nargs="+", default=["random", "greedy"], metavar="NAME", help="their names (random greedy)"
    )
    contest.add_argument("--games", type=integer, default=10, help="games of each pair (%(default)s)")
    contest.add_argument("--limit", type=decimal, metavar="SECONDS", help="time for a decision; taking longer forfeits")
    contest.add_argument("--budget", type=decimal, metavar="SECONDS", help="time for all decisions of a seat in a game")

    division = command("league", run_league, "let the agents in a folder play, each in its own process")
    division.add_argument("folder", help="where each file is an agent: agent(state, seat), or make() that gives one")
    division.add_argument("--game", help="which game (the one the folder has been playing, or autoscooter)")
    division.add_argument("--players", type=integer, help="how many seats it has; the same as -o players=N")
    add_options(division)
    division.add_argument("--games", type=integer, default=10, help="games of each pair, an even number (%(default)s)")
    division.add_argument("--rounds", default="robin", help="robin, swiss, or how many Swiss rounds (%(default)s)")
    division.add_argument("--limit", type=decimal, metavar="SECONDS", help="time for a decision (1)")
    division.add_argument("--memory", type=integer, metavar="MB", help="memory for an agent's process (512)")
    division.add_argument("--seed", type=integer, help="a number of 40 digits or more (default: a secret one)")
    division.add_argument("--html", metavar="FILE", help="also save the table as a page")

    look = command("review", run_review, "report what each decision of a saved match cost")
    look.add_argument("file", help="a match, as match.save(...) writes it")
    look.add_argument("--html", metavar="FILE", help="write it with pictures to this file instead, as one page")
    look.add_argument("--seconds", type=decimal, help="the longest it may take (40)")
    look.add_argument("--seed", type=integer, default=0, help="seed of the playouts (%(default)s)")

    house = command("ladder", run_ladder, "show the built-in agents, and how strong they are")
    house.add_argument("game", help="which game")

    grade = command("grade", run_grade, "run notebooks and report on their exercises")
    grade.add_argument("notebooks", nargs="+", metavar="NOTEBOOK", help="the files; they are left as they are")
    grade.add_argument("--json", action="store_true", help="print a line of JSON for each notebook")
    grade.add_argument("--timeout", type=decimal, metavar="SECONDS", help="time for a cell (120)")

    look_on = command("watch", run_watch, "run a function of a file and save a page of how its variables change")
    look_on.add_argument("file", help="a Python file")
    look_on.add_argument("function", help="the name of a function in it")
    look_on.add_argument(
        "arguments",
        nargs="*",
        default=[],
        help="its arguments, as Python writes them, also NAME=VALUE; anything else is text",
    )
    look_on.add_argument("--html", metavar="FILE", help="the page to write; without it the changes are printed")
    look_on.add_argument("--watch", metavar="NAMES", help="the variables to watch: a,b")
    look_on.add_argument("--every", metavar="NAME", help="a beat only where this variable changes")
    look_on.add_argument("--tests", action="store_true", help="tell every test that decides, as in 4 < 7: yes")
    look_on.add_argument("--max-events", type=integer, default=5_000, help="the most changes to record (%(default)s)")

    bench = command("bench", run_bench, "measure how fast it is here", add_options)
    bench.add_argument("game", nargs="?", default="autoscooter", help="which game (%(default)s)")
    bench.add_argument("--seconds", type=decimal, default=1.0, help="time for each measurement (%(default)s)")
    only = bench.add_mutually_exclusive_group()
    only.add_argument("--traffic", action="store_true", help="only what an Explorer sends to its page")
    only.add_argument(
        "--clicks", action="store_true", help="only what a click costs in the kernel and in the page, in Chromium"
    )
    bench.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    bench.add_argument("--before", metavar="FILE", help="show the figures that --json wrote to this file beside them")

    warm = command("warm", run_warm, "compile games now, so that nobody waits later")
    warm.add_argument("games", nargs="*", metavar="GAME", help="which games (all)")
    warm.add_argument("--nice", action="store_true", help="at low priority, so that other programs are not slowed down")
    return top


def integer(word: str) -> int:
    """A whole number in the digits 0 to 9; Python would read those of all scripts."""
    if not word.isascii():
        raise ValueError
    return int(word)


def decimal(word: str) -> float:
    """A number in the digits 0 to 9, perhaps with a point."""
    if not word.isascii():
        raise ValueError
    return float(word)


def add_game(command: argparse.ArgumentParser) -> None:
    """The arguments that say which game is played: its name and its options."""
    command.add_argument("game", help="which game")
    add_options(command)


def add_options(command: argparse.ArgumentParser) -> None:
    """The argument that says which options a game has."""
    command.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="a game option, such as players=8"
    )


def add_seed(command: argparse.ArgumentParser) -> None:
    """The argument that says which luck it is."""
    command.add_argument("--seed", type=integer, default=1, help="the same seed gives the same numbers (%(default)s)")


# -- crashlab lab ---------------------------------------------------------------------------------------


def run_lab(arguments: argparse.Namespace) -> int:
    """Bring the copies up to date and start JupyterLab on them; the delivered notebooks themselves stay as they are."""
    missing = [part for part in LAB_PARTS if util.find_spec(part) is None]
    if missing and not arguments.copy_only:
        raise crashlab.CrashlabError(f"not installed: {', '.join(missing)}; run: pip install 'crashlab[lab]'")
    folder = files.whole_path(arguments.dir)
    if arguments.lessons[1:]:
        raise crashlab.CrashlabError(f"one lesson is opened, not {shown(arguments.lessons[1])} as well")
    if folder.exists() and not folder.is_dir():
        raise crashlab.CrashlabError(f"{folder} is a file: give a folder")
    lesson = lesson_file(arguments.lessons[0]) if arguments.lessons else FIRST
    port = None if arguments.port is None else whole("--port", arguments.port, least=0, more=" to 65535", most=65535)
    place = arguments.phones or ""
    if place and not re.fullmatch(PLACE, place):
        raise crashlab.CrashlabError(f"--phones {shown(place)}: give an address such as 10.0.0.5 or 10.0.0.5:8040")
    kept = copy_notebooks(notebooks(), folder)
    print(f"The notebooks are in {folder}.", flush=True)
    for name in kept:
        print(f"Kept your {name}; to get the delivered one, rename yours and run this again.", flush=True)
    if arguments.copy_only:
        return 0
    options = [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url=/lab/tree/{lesson}"]
    # Not in the address: JupyterLab would add its token to that with a second question mark.
    settings = {**(PRESENTED if arguments.present else {}), **({"crashlab_phones": place} if place else {})}
    if settings:
        options.append(f"--ServerApp.tornado_settings={settings}")
    if arguments.no_browser:
        options.append("--no-browser")
    if port is not None:
        options.append(f"--port={port}")
    with without_news(), nullcontext() if arguments.no_warm else warming():
        import_module("jupyterlab.labapp").main([*options, *arguments.passed, *options_of_root(arguments.passed)])
    return 0


def lesson_file(name: str) -> str:
    """The notebook of a lesson, by the beginning of its name."""
    delivered = sorted(path.name for path in notebooks().glob("*.ipynb"))
    found = [each for each in delivered if each.startswith(name)]
    if len(found) != 1:
        names = ", ".join(found or [each.partition("_")[0] for each in delivered])
        raise crashlab.CrashlabError(f"{shown(name)} is not the beginning of one lesson's name: there are {names}")
    return found[0]


@contextmanager
def warming() -> Iterator[None]:
    """Meanwhile a process that leaves everybody else the processor compiles all games, so that no reader waits."""
    if not util.find_spec("wasmtime"):
        yield
        return
    command = [sys.executable, "-m", "crashlab", "warm", "--nice"]
    flags = getattr(subprocess, "IDLE_PRIORITY_CLASS", 0)  # where there is no os.nice
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=null, stdout=null, stderr=null, creationflags=flags) as process:
        try:
            yield
        finally:
            process.terminate()


def options_of_root(said: Sequence[str]) -> list[str]:
    """JupyterLab refuses to serve root: here it does, but this machine only, unless the user says an address."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not is_root or any(re.match(r"--(ServerApp\.)?ip\b", option) for option in said):
        return []
    print("You are root, so JupyterLab answers on the loopback address 127.0.0.1 only.", flush=True)
    return ["--allow-root", "--ServerApp.ip=127.0.0.1"]


def notebooks() -> Path:
    """The delivered notebooks: inside an installed package, beside it in a checkout."""
    package = Path(crashlab.__file__).parent
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if (folder / FIRST).is_file():
            return folder
    raise crashlab.CrashlabError(f"this installation has no notebooks ({package}); install crashlab again")


def copy_notebooks(source: Path, target: Path) -> list[str]:
    """Copy what is new, not run yet, and update what the user left as delivered; the names of the files left alone."""
    if target.exists() and target.samefile(source):
        return []
    manifest = target / MANIFEST
    try:
        delivered = dict(json.loads(manifest.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError, RecursionError):
        delivered = {}
    kept = []
    target.mkdir(parents=True, exist_ok=True)
    for name in sorted(visible_files(source)):
        ours, theirs = source / name, target / name
        content = handout.content(ours)
        new = digest(content)
        present = digest(theirs.read_bytes()) if theirs.exists() else None
        if present not in (None, new, delivered.get(name)):
            kept.append(name)
            continue
        if present != new:
            theirs.parent.mkdir(parents=True, exist_ok=True)
            files.write(theirs, content)
        delivered[name] = new
    files.write(manifest, json_file(dict(sorted(delivered.items()))))
    return kept


def visible_files(folder: Path) -> Iterator[str]:
    """The files below a folder, as relative paths with slashes; nothing hidden, no caches."""
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if path.is_file() and not any(part.startswith((".", "__")) for part in name.parts):
            yield name.as_posix()


def json_file(content: object) -> bytes:
    """The content of a readable JSON file."""
    return f"{json.dumps(content, indent=1)}\n".encode()


def digest(content: bytes) -> str:
    """A fingerprint of what is in a file."""
    return hashlib.sha256(content).hexdigest()


# -- crashlab rules, poster -------------------------------------------------------------------------------------


def run_watch(arguments: argparse.Namespace) -> int:
    """Record a function of a file; save the film as a page, or print it."""
    path = Path(arguments.file)
    if not path.is_file():
        raise crashlab.CrashlabError(f"there is no file {shown(arguments.file)}")
    space = vars(imported(path))
    function = space.get(arguments.function)
    if not callable(function):
        known = ", ".join(name for name, made in space.items() if isinstance(made, FunctionType)) or "none"
        raise crashlab.CrashlabError(
            f"{cut(arguments.file)} has no function {shown(arguments.function)}; its functions are: {cut(known)}"
        )
    names = arguments.watch.split(",") if arguments.watch else None
    values, named = call_arguments(function, arguments.function, arguments.arguments)
    options = {"watch": names, "every": arguments.every, "tests": arguments.tests, "max_events": arguments.max_events}
    film = crashlab.record(function, *values, kwargs=named, **options)
    if arguments.html is None:
        print("\n".join(map(printable, str(film).split("\n"))))
    else:
        film.save(arguments.html)
        print(f"{arguments.html}: {film.name}, {counted(film.beats, 'beat')}")
    return 0 if film.error is None else 1


def imported(path: Path) -> ModuleType:
    """A file as a module; what it says under `if __name__ == "__main__"` is not run."""
    spec = util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise crashlab.CrashlabError(f"{shown(str(path))} is not a Python file: its name must end in .py")
    module = sys.modules[path.stem] = util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise crashlab.CrashlabError(f"{cut(str(path))} cannot be run: {type(error).__name__}: {told(error)}") from None
    return module


def call_arguments(function: Callable[..., Any], name: str, words: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call by place and by name; those with which the function cannot be called are refused."""
    traceable(function)  # it says what cannot be watched
    try:
        parameters = inspect.signature(function).parameters
        own = inspect.signature(function, follow_wrapped=not isinstance(function, FunctionType))  # not what it wraps
    except ValueError as error:
        raise crashlab.CrashlabError(f"{name} cannot be called: {told(error)}") from None
    values: list[Any] = []
    named: dict[str, Any] = {}
    for word in words:
        key, found, value = word.partition("=")
        if found and key in parameters and parameters[key].kind in BY_NAME:
            named[key] = read_value(value)
        else:
            values.append(read_value(word))
    try:
        own.bind(*values, **named)
    except TypeError as error:
        raise crashlab.CrashlabError(f"{cut(f'{name}{told(own)}')}: {told(error)}") from None
    return values, named


def read_value(word: str) -> Any:
    """An argument of a function: a value as Python writes it, or else a text."""
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        if word.startswith(tuple("[({'\"")):
            raise crashlab.CrashlabError(f"{shown(word)} is not a Python value; put text in quotes") from None
        return word


def run_rules(arguments: argparse.Namespace) -> int:
    """Print the games, a rulebook, or the rules whose ids begin as asked."""
    if arguments.game is None:
        for name in crashlab.games():
            print(f"{name:16} {crashlab.game(name).rulebook.title}")
        return 0
    book = crashlab.game(arguments.game).rulebook
    wanted = (arguments.id or "").upper()
    rules = [book[wanted]] if wanted in book else [rule for rule in book if rule.id.startswith(wanted)]
    if not rules:
        ids = ", ".join(rule.id for rule in book)
        raise crashlab.CrashlabError(f"{arguments.game} has no rule {shown(arguments.id)}; its rules are {ids}")
    if not wanted:
        print(paragraph(f"{book.title}. {book.credit}", indent=""), end="\n\n")
    for place, (_, group) in enumerate(groupby(rules, key=lambda rule: rule.id.rstrip("0123456789"))):
        print(end="\n" if place else "")
        for rule in group:
            print(f"{rule.id:7} {rule.mark:9} {rule.title}")
            print(paragraph(rule.text))
            for edition, words in rule.editions:
                print(paragraph(f"{edition}: {words}"))
            if rule.source:
                print(paragraph(f"({rule.source})"))
    return 0


def run_poster(arguments: argparse.Namespace) -> int:
    """Save the poster of a game, or another picture of its rules."""
    game = chosen_game(arguments)
    sheet = game.poster() if arguments.picture is None else game.picture(arguments.picture)
    name = game.name if arguments.picture is None else f"{game.name}-{arguments.picture}"
    path = f"{name}.svg" if arguments.file is None else arguments.file
    sheet.save(path, arguments.theme)
    print(f"Saved {path}.")
    return 0


def paragraph(text: str, indent: str = " " * 18) -> str:
    """Text in lines that fit a terminal."""
    width = min(shutil.get_terminal_size().columns, 100)
    return textwrap.fill(text, max(width, 40), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


# -- crashlab simulate, tournament, review, grade, bench, warm --------------------------------------------------


def chosen_game(arguments: argparse.Namespace) -> crashlab.Game:
    """The game with the options that were typed."""
    game = crashlab.game(arguments.game)
    by_name = {option.name: option for option in game.choices}
    options: dict[str, Value] = {}
    for words in arguments.option:
        name, equals, value = words.partition("=")
        if not equals:
            raise crashlab.CrashlabError(f"-o {cut(words)}: write NAME=VALUE; the options are {', '.join(by_name)}")
        if name not in by_name:
            raise crashlab.CrashlabError(f"-o: no option is called {cut(name)}; the options are {', '.join(by_name)}")
        options[name] = by_name[name].read(value)
    return game.changed(**options)


def chosen_agents(game: crashlab.Game, words: Sequence[str]) -> str | dict[int, str]:
    """Who plays: one name for all seats, or names by seat."""
    seats = {game.seat_name(seat): seat for seat in game.seats}
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    agents = {}
    for word in words:
        seat, found, name = word.partition("=")
        if not found or seat.upper() not in seats:
            raise crashlab.CrashlabError(f"--agents {cut(word)}: write SEAT=NAME; the seats are {', '.join(seats)}")
        agents[seats[seat.upper()]] = name
    return agents or "random"


def run_simulate(arguments: argparse.Namespace) -> int:
    """Play many games, perhaps with each value of an option, and print what happened."""
    game = chosen_game(arguments)
    agents = chosen_agents(game, arguments.agents)
    how = {"games": arguments.games, "agents": agents, "seed": arguments.seed, "workers": arguments.workers}
    if arguments.compare is not None:
        return printed(crashlab.compare(game, *compared(game, arguments.compare), **how))
    return printed(crashlab.simulate(game, **how))


def printed(result: crashlab.Results | crashlab.Comparison | crashlab.Standings) -> int:
    """Print a result; return the status, which says whether it was interrupted."""
    print(result, flush=True)
    return 0 if result.is_whole else interrupt.INTERRUPTED


def compared(game: crashlab.Game, words: str) -> tuple[str, list[Value] | None]:
    """An option, and its values that are to be compared, if some are given."""
    name, found, values = words.partition("=")
    known = {option.name: option for option in game.choices}
    return name, [known[name].read(value) for value in values.split(",")] if found and name in known else None


def run_tournament(arguments: argparse.Namespace) -> int:
    """Let agents play against each other, and print how it went."""
    how = {"games": arguments.games, "seed": arguments.seed, "limit": arguments.limit, "budget": arguments.budget}
    return printed(crashlab.tournament(chosen_game(arguments), arguments.agents, **how))


def run_league(arguments: argparse.Namespace) -> int:
    """Let the agents in a folder play, and print how it stands."""
    if arguments.players is not None:
        arguments.option.append(f"players={arguments.players}")
    if arguments.game is None and arguments.option:
        arguments.game = "autoscooter"
    path = None if arguments.html is None else files.path_to_write(arguments.html)
    rounds = int(arguments.rounds) if re.fullmatch("[0-9]{1,9}", arguments.rounds) else arguments.rounds
    season = crashlab.league(
        arguments.folder,
        None if arguments.game is None else chosen_game(arguments),
        arguments.games,
        rounds,
        arguments.limit,
        arguments.memory,
        arguments.seed,
    )
    print(season, flush=True)
    if path is not None:
        season.save(path)
    if len(season.played) < season.wanted:
        print("Interrupted; run the same command again to go on.")
        return interrupt.INTERRUPTED
    return 0


def run_review(arguments: argparse.Namespace) -> int:
    """Look at a saved match again, and print what its decisions have cost, or write that to a page."""
    from crashlab.analysis.review.review import SECONDS as USUAL

    path = None if arguments.html is None else files.path_to_write(arguments.html)
    if path is not None and path.suffix.lower() != ".html":
        raise crashlab.CrashlabError(f"--html {cut(arguments.html)}: give a name that ends in .html")
    seconds = USUAL if arguments.seconds is None else within("--seconds", arguments.seconds, *SECONDS)
    found = crashlab.review(crashlab.Match.load(arguments.file), seconds=seconds, seed=arguments.seed)
    if path is None:
        print(found)
    else:
        found.save(path)
        print(f"The review is in {path}.")
    return 0


def run_ladder(arguments: argparse.Namespace) -> int:
    """Print the ladder of a game as it was measured."""
    print(crashlab.agents.ladder(crashlab.game(arguments.game).name))
    return 0


def run_grade(arguments: argparse.Namespace) -> int:
    """Grade notebooks: 0 if all exercises are right, 1 if some are not, 2 if a notebook cannot be read."""
    from crashlab.course import grading

    timeout = within("--timeout", grading.TIMEOUT if arguments.timeout is None else arguments.timeout, *grading.SECONDS)
    reports = []
    for path in arguments.notebooks:
        try:
            reports.append(grading.grade(path, timeout))
        except crashlab.CrashlabError as error:
            print(f"crashlab: {error}", file=sys.stderr)
            if arguments.json:
                print(json.dumps(grading.failure(path, str(error))), flush=True)
            continue
        print(json.dumps(reports[-1].to_dict()) if arguments.json else reports[-1], flush=True)
    if len(reports) > 1 and not arguments.json:
        print("", grading.table(reports), sep="\n")
    if len(reports) < len(arguments.notebooks):
        return 2
    return 0 if all(reports) else 1


def run_bench(arguments: argparse.Namespace) -> int:
    """Measure, print a table, and keep it as JSON if asked to."""
    from crashlab.cli.bench import bench, figures_in

    seconds = within("--seconds", arguments.seconds, *SECONDS)
    before = {} if arguments.before is None else figures_in(arguments.before)
    path = None if arguments.json is None else files.path_to_write(arguments.json)
    if not arguments.option:
        most = max(value for value in crashlab.game(arguments.game).choices[0].values if isinstance(value, int))
        arguments.option = [f"players={most}"]
    if arguments.traffic:
        from crashlab.cli.traffic import traffic

        report = traffic(chosen_game(arguments))
    elif arguments.clicks:
        from crashlab.cli.clicks import clicks

        report = clicks(chosen_game(arguments))
    else:
        report = bench(chosen_game(arguments), seconds)
    report = replace(report, before=before)
    print(report, flush=True)
    if path is not None:
        files.write(path, json_file(report.to_dict()))
    return 0


def run_warm(arguments: argparse.Namespace) -> int:
    """Compile what is played and searched with in these games, into the cache."""
    from crashlab.base.workers import cores
    from crashlab.compiled import choose_body, disk_cache

    if not choose_body.can_compile():
        return 1
    names = arguments.games or crashlab.games()
    if len(names) > 1 and cores() > 1:
        disk_cache.own_folder()
        return warm_together([crashlab.game(name).name for name in names], cores(), arguments.nice)
    if arguments.nice and hasattr(os, "nice"):
        os.nice(19)
    for name in names:
        warm_game(crashlab.game(name))
    return 0


def warm_together(names: list[str], most: int, nice: bool) -> int:
    """Compile games in processes of their own, so many at a time; the first exit status that is not 0."""
    waiting = list(names)
    running: list[subprocess.Popen[bytes]] = []
    ended: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # and so they end with this one
    try:
        while waiting or running:
            while waiting and len(running) < most:
                words = [sys.executable, "-m", "crashlab", "warm", waiting.pop(0), *(["--nice"] if nice else [])]
                running.append(subprocess.Popen(words))
            time.sleep(0.05)
            ended += [process.returncode for process in running if process.poll() is not None]
            running = [process for process in running if process.returncode is None]
    finally:
        for process in running:
            process.terminate()
            process.wait()
        signal.signal(signal.SIGTERM, before)
    return next(filter(None, ended), 0)


def warm_game(game: crashlab.Game) -> None:
    """Compile what is played, searched and learnt with in one game."""
    import crashlab.adapters.batch  # the others are there
    from crashlab.compiled import choose_body, disk_cache

    choose_body.compiled(game.rules)  # if it cannot be, the error says why

    begun = time.perf_counter()
    folder = disk_cache.own_folder()
    for purpose in choose_body.warm(game):
        if not choose_body.is_ready(game.rules, purpose):
            raise crashlab.CrashlabError(f"{game.name} cannot be compiled: {choose_body.trouble(game.rules, purpose)}")
    if not choose_body.compiled(game.rules).is_kept:
        raise crashlab.CrashlabError(f"{game.name} is compiled, but it cannot be kept in {folder}")
    print(f"{game.name}: ready after {time.perf_counter() - begun:.1f} s, in {folder}", flush=True)
