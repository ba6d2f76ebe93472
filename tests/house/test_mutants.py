"""Every mutant of the mutation test still applies: its text occurs once in its file."""

import sys

import pytest
from checkout import ROOT, TESTS

sys.path.append(str(TESTS / "tools"))

from mutants import MUTANTS


def test_there_are_forty_over_all_layers():
    assert len(MUTANTS) == 40 and len({mutant.layer for mutant in MUTANTS}) >= 9


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.file}: {mutant.old[:20]}")
def test_it_can_be_put_in(mutant):
    text = (ROOT / "crashlab" / mutant.file).read_text("utf-8")
    assert text.count(mutant.old) == 1 and mutant.old != mutant.new
    assert all((TESTS / folder).is_dir() for folder in mutant.tests.partition(" -k ")[0].split())
