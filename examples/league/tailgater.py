"""Always wants one of the high numbers, to move last; it has forgotten what happens when none is left."""


def agent(state, seat):
    late = [action for action in state.actions(seat) if action.parts["number"] > 44]
    return late[0]
