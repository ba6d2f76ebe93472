from crashlab.engine.position import Told


class Facts(Told):
    squares: tuple
