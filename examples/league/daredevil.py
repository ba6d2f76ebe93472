"""Drive as many hexes as possible: hitting a fast car pays well."""


def agent(state, seat):
    return max(state.actions(seat), key=lambda action: str(action).count("F"))
