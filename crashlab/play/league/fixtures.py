"""The games of a league: scheduled and stored ones."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from crashlab.base.clock import TimeIsUp
from crashlab.base.records import COUNT, WHOLE, misfit
from crashlab.engine.chance import Random
from crashlab.play.league.guest import Guest, Trouble
from crashlab.play.league.pairings import Pairing
from crashlab.play.match import Match
from crashlab.play.process_agent import Failed
from crashlab.play.tournament import PlayedGame, TournamentGame

TROUBLE = {"name": str, "words": str, "seat?": str, "position?": str, "trace?": str, "said?": str}
SHAPE = {
    "pair": [str],
    "number": COUNT,
    "files": {str: str},
    "seats": [str],
    "scores": [WHOLE],
    "winners": [COUNT],
    "forfeits": {str: str},
    "troubles": [TROUBLE],
    "said": {str: str},
    "course?": str,
    "match": dict,
}


def derived(seed: int, *purpose: object) -> int:
    """Derive 128 bits for a purpose from a seed (by HMAC); they reveal nothing about the seed or other purposes."""
    return int.from_bytes(hmac.digest(str(seed).encode(), repr(purpose).encode(), "sha256")[:16], "big")


@dataclass(frozen=True)
class Kept:
    """A stored game of a league."""

    pair: Pairing
    number: int  # the number of the game among those of its pair, from 0
    fingerprints: Mapping[str, str]  # hashes of the agents' files
    played: PlayedGame
    match: Mapping[str, Any]  # the result of `Match.to_dict`
    troubles: tuple[Trouble, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)  # output of the agents by seat

    def to_dict(self) -> dict[str, Any]:
        """Return the game as JSON."""
        return {
            "pair": self.pair,
            "number": self.number,
            "files": dict(self.fingerprints),
            "seats": self.played.seats,
            "scores": self.played.scores,
            "winners": self.played.winners,
            "forfeits": {str(seat): why for seat, why in self.played.forfeits.items()},
            "troubles": [asdict(trouble) for trouble in self.troubles],
            "said": dict(self.said),
            "course": self.played.course,
            "match": dict(self.match),
        }

    @classmethod
    def of(cls, data: Any, count: int) -> Kept:
        """Parse a game with `count` seats from the result of `to_dict`; raise ValueError for damaged data."""
        if reason := misfit(data, SHAPE):
            raise ValueError(reason)
        seats, pair, forfeits = data["seats"], data["pair"], {int(seat): why for seat, why in data["forfeits"].items()}
        if len(pair) != 2 or {*seats} != {*pair} or not len(seats) == len(data["scores"]) == count:
            raise ValueError(f"each of the {count} seats needs one of the two agents and a score")
        if not {*data["winners"], *forfeits} <= {*range(count)}:
            raise ValueError(f"it names a seat that is not one of the {count}")
        result = tuple(data["scores"]), tuple(data["winners"]), forfeits
        game = PlayedGame(data["number"], tuple(seats), *result, data.get("course", ""))
        names = {name.rstrip("?") for name in TROUBLE}  # other names are ignored, as everywhere in a stored game
        details = [{name: trouble[name] for name in names & {*trouble}} for trouble in data["troubles"]]
        troubles = tuple(Trouble(**detail) for detail in details)
        return cls((pair[0], pair[1]), data["number"], data["files"], game, data["match"], troubles, data["said"])

    def words(self, seats: Callable[[object], str]) -> str:
        """Describe the result of the game."""
        names = " ".join(f"{seats(seat)} {name}" for seat, name in enumerate(self.played.seats))
        return f"{names}: {', '.join(map(str, self.played.scores))}, {self.outcome}"

    @property
    def outcome(self) -> str:
        """The winner, a draw or forfeits, in words."""
        if guilty := {self.played.seats[seat] for seat in self.played.forfeits}:
            return "both forfeit" if len(guilty) == 2 else f"{guilty.pop()} forfeits"
        winners = [name for name in self.pair if self.played.points(name) == 1]
        return f"{winners[0]} wins" if winners else "a draw"


@dataclass(frozen=True)
class Fixture:
    """A scheduled game; can be sent to another machine."""

    job: TournamentGame
    pair: Pairing
    fingerprints: Mapping[str, str]

    def match(self) -> Match:
        """Return the match before its first decision.

        All pairs have the same starts, but each guest's seed is unique to the game.
        """
        seed, number = self.job.seed, self.job.number
        luck, sides = derived(seed, "game", number // 2), sorted(self.fingerprints.items())
        return self.job.seeded(Random(luck).luck, luck, lambda seat: derived(seed, "guest", sides, number, seat))

    def play(self, guests: list[Guest] | None = None) -> Kept:
        """Play the game and return it; `guests` is filled with the playing guests, so that they can be stopped."""
        match = self.match()
        playing = {seat: guest for seat, guest in match.agents.items() if isinstance(guest, Guest)}
        if guests is not None:
            guests[:] = playing.values()
        try:
            for guest in playing.values():
                guest.begin()
            for guest in playing.values():
                with suppress(Failed, TimeIsUp):  # the error is raised again at the guest's first decision
                    guest.get_ready()
            match.run()
        finally:
            for guest in playing.values():
                guest.close()
        troubles = [playing[seat].trouble or playing[seat].troubled(why) for seat, why in match.forfeits.items()]
        output = {match.game.seat_name(seat): guest.said for seat, guest in playing.items() if guest.said}
        game = self.job.played(match)
        return Kept(self.pair, self.job.number, self.fingerprints, game, match.to_dict(), tuple(troubles), output)
