"""Counts of the reasons in films, with the false and missing ones by the tagged interpreter."""

import ast
import inspect
import json
import linecache
from collections import defaultdict, deque
from copy import deepcopy
from dataclasses import dataclass

import first_course
from checkout import ROOT
from notebook_cells import DEFINITIONS
from tagged_interpreter import Interpreter, short

from crashlab import record
from crashlab.watch.film_data import GLOBAL
from crashlab.watch.things import ABSENT

LESSONS = "50_gallery", "51_more_of_the_gallery"


@dataclass
class Reason:
    """An event with sources or a test, by the film and by the second interpreter."""

    expected: tuple  # the reads and the test by the second interpreter
    actual: tuple  # the reads and the test by the film
    words: str
    ran: tuple | None = None  # the test that let the statement run, which is told where the value is lost

    @property
    def is_missing(self):
        return not self.actual[0] and self.expected[0] != ()

    @property
    def is_false(self):
        (reads, since), (sources, test) = self.actual, self.expected
        test = self.ran if self.is_missing else test
        is_lost = since is not None and test is not None and since[:2] == test[:2] and not since[2]
        return not self.is_missing and reads != sources or not is_lost and since != test


@dataclass
class Count:
    """The reasons in the film of a function."""

    name: str
    events: int
    reasons: list[Reason]

    @property
    def false(self):
        return [reason.words for reason in self.reasons if reason.is_false]

    @property
    def missing(self):
        return [reason.words for reason in self.reasons if reason.is_missing]


def space_of(text, file, space=None):
    """Run a text and return its names; tracebacks and films find its source under file."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space = {"__name__": "small_program"} if space is None else space
    exec(compile(text, file, "exec"), space)
    return space


def pair_writes(film, writes):
    """Return the write of each event, by its number; equal changes come in the same order."""
    waiting = defaultdict(deque)
    for write in writes:
        waiting[write.line, write.place, write.before, write.after].append(write)
    pairs = {}
    for event, entry in zip(film.events, film._entries, strict=True):
        if event.name == "" or (event.owner, event.key) == (GLOBAL, None):  # global variables were there before
            continue
        place = (event.name, None) if event.key is None else ("[]", entry.thing_key)
        before, after = ("GONE" if value is ABSENT else short(value) for value in (event.before, event.after))
        same = waiting[event.line, place, before, after]
        assert same, f"{event} is no write"
        pairs[event.number] = same.popleft()
    remaining = [write for same in waiting.values() for write in same]
    assert not remaining, remaining[0]
    return pairs


def reasons_of(film, writes):
    """Return the reasons of a film's events together with those by the second interpreter."""
    pairs, reasons = pair_writes(film, writes), []

    def reads(causes):
        return tuple((cause.place, cause.value, brought(cause.event)) for cause in causes)

    def brought(event):
        if event >= 0 and film.events[event].name == "":  # a result comes from the causes of the return
            return max((brought(cause.event) for cause in film.events[event].causes), default=-1)
        return pairs[event].number if event in pairs else -1

    for number, write in pairs.items():
        event = film.events[number]
        since = event.since and (event.since.line, event.since.holds, reads(event.since.causes))
        expected, actual = (write.sources, write.since), (reads(event.causes), since)
        if any((*expected, *actual)):
            words = f"{event.words}   [{event.source}, line {event.line}]: actual {actual}, expected {expected}"
            reasons.append(Reason(expected, actual, words, write.ran))
    return reasons


def count(function, arguments, text, outside):
    """Count the reasons in the film of a function; `text` is the whole program."""
    run = Interpreter(text, is_bounded=False, outside=outside)
    result = run.run(function.__name__, *deepcopy(arguments))
    film = record(function, *deepcopy(arguments))
    is_object = hasattr(film.result, "__dict__")
    assert film.stopped == "" and (is_object or result == film.result), (result, film.result)
    return Count(function.__name__, sum(event.name != "" for event in film.events), reasons_of(film, run.writes))


def course_cases():
    """Return the functions of the first course, each as a program with its helpers."""
    text, cases = inspect.getsource(first_course), {}
    parts = {part.name: part for part in ast.parse(text).body if isinstance(part, ast.FunctionDef | ast.ClassDef)}
    sources = {name: ast.get_source_segment(text, part) for name, part in parts.items()}
    for function, arguments in first_course.CASES:
        needed, new = set(), {name := function.__name__}
        while new:
            needed |= new
            names = [node.id for name in new for node in ast.walk(parts[name]) if isinstance(node, ast.Name)]
            new = parts.keys() & set(names) - needed
        program = "\n\n".join(f"{decorators(parts[name])}{sources[name]}\n" for name in parts if name in needed)
        space = space_of(program, f"<{name} of a first course>", {**vars(first_course), "__name__": name})
        cases[name] = space[name], arguments, program, space
    return cases


def decorators(part):
    """Return the source of a definition's decorators."""
    return "".join(f"@{ast.unparse(decorator)}\n" for decorator in part.decorator_list)


def lesson_cases():
    """Return the functions that the lessons of the gallery watch."""
    cases = {}
    for lesson in LESSONS:
        cells = json.loads((ROOT / "notebooks" / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
        space = {"__name__": lesson}
        for number, cell in enumerate(cells):
            text = "".join(cell["source"])
            if cell["cell_type"] != "code" or text.startswith("%") or "raise NotImplementedError" in text:
                continue
            tree = ast.parse(text)
            calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
            watched = [node for node in calls if ast.unparse(node.func) == "Watch"]
            definitions = [part for part in tree.body if isinstance(part, (*DEFINITIONS, ast.Assign))]
            text = "".join(f"{ast.get_source_segment(text, part)}\n\n" for part in definitions)
            space_of(text, f"<{lesson} {number}>", space)
            for call in watched:
                function, *arguments = (eval(ast.unparse(argument), space) for argument in call.args)
                cases[f"lesson {function.__name__}"] = function, arguments, text, space
    return cases
