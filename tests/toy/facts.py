from crashlab.parts import Told


class Facts(Told):
    squares: tuple
