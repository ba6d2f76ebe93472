"""As many hexes as can be: who is fast is dear to hit."""


def agent(state, seat):
    return max(state.actions(seat), key=lambda action: str(action).count("F"))
