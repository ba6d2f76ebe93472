"""Lines of play in a search workspace, compared with plain tables; in Autoscooter decisions are never made alone."""

import pytest

import crashlab
from crashlab import CHANCE, Random
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import lines_of_play
from crashlab.compiled.search_workspace import SearchWorkspace
from crashlab.engine import next_decision
from crashlab.engine.game import Game
from crashlab.engine.table import FIELD, MOVING, ROLE, apply_pairs, copy_moving, write_pairs

TOY = Game("toy", "toy", {})


def lines_of(game, number, seed=1):
    """Yield (table, actor, action code, table after it) for random decisions of a single actor."""
    state, rng = game.start(seed), Random(seed)
    for _ in range(number):
        if state.over:
            state = game.start(seed := seed + 1)
        actors = next_decision.deciding(game.rules, state.table)
        choosing = [actor for actor in actors if actor in state.actors]
        if len(choosing) == 1:
            code = rng.choice(state.actions(choosing[0]).codes)
            after = state.table.copy()
            next_decision.decide(game.rules, after, {choosing[0]: code}, None)
            next_decision.settle(game.rules, after, None)
            yield state.table, choosing[0], code, after
        state = state.sample(rng).after


def bits_of(game, table):
    """Return the actors with a choice, as bits."""
    state = crashlab.State(game, table)
    if state.over or state.actors == (CHANCE,):
        return CHANCE if not state.over else 0
    return sum(1 << seat for seat in state.actors)


@pytest.mark.parametrize(
    ("game", "make"),
    [
        (TOY, choose_backend.interpreted),
        (TOY, choose_backend.compiled),
        *(
            (crashlab.game(name, players=2), choose_backend.interpreted)
            for name in crashlab.games()
            if name != "autoscooter"
        ),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_an_action_is_played_as_elsewhere_and_the_key_tells_the_whole_table(game, make):
    backend, start = make(game.rules), game.start(1).table
    workspace = SearchWorkspace(backend, start)
    play, note_fields = backend.bind(lines_of_play.play), backend.bind(lines_of_play.note_fields)
    met = 0
    for table, actor, code, after in lines_of(game, 300):
        lines = workspace.lines._replace(work=backend.tables([start, start, table, start]))
        fields, work = lines.fields, lines.work
        for field in table.since(start):  # as if a search had met all of them
            fields[FIELD * field[0] + ROLE] = MOVING
        assert play(work[2], actor, code, lines.out, lines.trace) == bits_of(game, after)
        note_fields(lines)
        tables = [start.copy(), start.copy(), backend.table(work, 2), after.copy()]
        assert tables[2] == after
        key = [0] * len(lines.key)
        length = write_pairs(tables, 2, 0, fields, key, 0)
        apply_pairs(tables, 1, fields, key, 0, length)
        assert tables[1] == after
        copy_moving(tables, 3, 0, fields)
        assert tables[3] == start
        met += 1
    assert met > 50
