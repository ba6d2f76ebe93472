from functools import cached_property


class Facts:
    def __init__(self, table):
        self._table = table

    @cached_property
    def squares(self):
        """Where both are."""
        return tuple(self._table.square)
