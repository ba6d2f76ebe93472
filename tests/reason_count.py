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
from tagged_interpreter import Interpreter, Write, short

from crashlab import record
from crashlab.watch.things import ABSENT

LESSONS = "50_gallery", "51_more_of_the_gallery"


@dataclass
class Told:
    """An event of a film that has sources or a reason: its write, that of the reason, and both in words."""

    write: Write
    cause: Write | None
    words: str

    @property
    def is_missing(self):
        return self.cause is None

    @property
    def is_false(self):
        return self.cause is not None and self.cause.number not in self.write.sources


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
        if event.name == "":
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
    """The events that have sources or a reason."""
    pairs, found = paired(film, writes), []
    for number, write in pairs.items():
        event = film.events[number]
        cause = event.cause
        while cause >= 0 and film.events[cause].name == "":  # a call returns what has come from somewhere
            cause = film.events[cause].cause
        if write.sources or cause >= 0:
            told = film.events[event.cause].words if cause >= 0 else "nothing"
            words = f"{event.words}   [{event.source}, line {event.line}] because {told}"
            found.append(Told(write, pairs.get(cause), words))
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
