"""How many reasons a film tells, how many of them are false and how many are missing, by the tagged interpreter."""

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
class Told:
    """An event of a film that has sources or a reason: both as reads, in order, and in words."""

    known: tuple  # the reads that the second interpreter finds, and its test
    told: tuple  # those of the film
    words: str

    @property
    def is_missing(self):
        return not self.told[0] and self.known[0] != ()

    @property
    def is_false(self):
        (reads, since), (known, test) = self.told, self.known
        is_lost = since is not None and test is not None and since[:2] == test[:2] and not since[2]
        return not self.is_missing and reads != known or not is_lost and since != test


@dataclass
class Count:
    """What the film of a function tells."""

    name: str
    events: int
    told: list[Told]

    @property
    def false(self):
        return [each.words for each in self.told if each.is_false]

    @property
    def missing(self):
        return [each.words for each in self.told if each.is_missing]


def space_of(text, file, space=None):
    """What a text defines; tracebacks and films find it as a file."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space = {"__name__": "small_program"} if space is None else space
    exec(compile(text, file, "exec"), space)
    return space


def paired(film, writes):
    """The write of each event: the same changes come in the same order."""
    waiting = defaultdict(deque)
    for write in writes:
        waiting[write.line, write.place, write.before, write.after].append(write)
    found = {}
    for event, entry in zip(film.events, film._entries, strict=True):
        if event.name == "" or (event.owner, event.key) == (GLOBAL, None):  # what is global was there before
            continue
        place = (event.name, None) if event.key is None else ("[]", entry.own)
        before, after = ("GONE" if value is ABSENT else short(value) for value in (event.before, event.after))
        same = waiting[event.line, place, before, after]
        assert same, f"{event} is no write"
        found[event.number] = same.popleft()
    left = [write for same in waiting.values() for write in same]
    assert not left, left[0]
    return found


def told_by(film, writes):
    """What the film tells of each write of a program, and what the second interpreter finds."""
    pairs, found = paired(film, writes), []

    def reads(causes):
        return tuple((cause.place, cause.value, brought(cause.event)) for cause in causes)

    def brought(event):
        if event >= 0 and film.events[event].name == "":  # a call returns what events brought
            return max((brought(cause.event) for cause in film.events[event].causes), default=-1)
        return pairs[event].number if event in pairs else -1

    for number, write in pairs.items():
        event = film.events[number]
        since = event.since and (event.since.line, event.since.holds, reads(event.since.causes))
        known, told = (write.sources, write.since), (reads(event.causes), since)
        if any((*known, *told)):
            words = f"{event.words}   [{event.source}, line {event.line}]: told {told}, known {known}"
            found.append(Told(known, told, words))
    return found


def counted(function, given, text, known):
    """What the film of a function tells; `text` is all of the program."""
    run = Interpreter(text, is_bounded=False, known=known)
    found = run.run(function.__name__, *deepcopy(given))
    film = record(function, *deepcopy(given))
    is_object = hasattr(film.result, "__dict__")
    assert film.stopped == "" and (is_object or found == film.result), (found, film.result)
    return Count(function.__name__, sum(event.name != "" for event in film.events), told_by(film, run.writes))


def own_cases():
    """The functions of our own, each in a file with what it needs."""
    text, found = inspect.getsource(first_course), {}
    parts = {each.name: each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    sources = {name: ast.get_source_segment(text, part) for name, part in parts.items()}
    for function, given in first_course.CASES:
        needed, new = set(), {name := function.__name__}
        while new:
            needed |= new
            names = [node.id for each in new for node in ast.walk(parts[each]) if isinstance(node, ast.Name)]
            new = parts.keys() & set(names) - needed
        made = "\n\n".join(f"{decorators(parts[each])}{sources[each]}\n" for each in parts if each in needed)
        space = space_of(made, f"<{name} of a first course>", {**vars(first_course), "__name__": name})
        found[name] = space[name], given, made, space
    return found


def decorators(part):
    """What stands above a function or a class."""
    return "".join(f"@{ast.unparse(each)}\n" for each in part.decorator_list)


def lesson_cases():
    """The functions that lesson 50 shows."""
    found = {}
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
            kept = [part for part in tree.body if isinstance(part, (*DEFINITIONS, ast.Assign))]
            text = "".join(f"{ast.get_source_segment(text, part)}\n\n" for part in kept)
            space_of(text, f"<{lesson} {number}>", space)
            for call in watched:
                function, *given = (eval(ast.unparse(each), space) for each in call.args)
                found[f"lesson {function.__name__}"] = function, given, text, space
    return found
