import os
import subprocess
import sys

import pytest
from checkout import TESTS


@pytest.mark.slow
def test_a_rule_that_no_test_proves_is_named_and_fails_the_run():
    few = [str(TESTS / "games/autoscooter/test_autoscooter_rules.py"), "-k", "hex"]
    command = [sys.executable, "-m", "pytest", "--rules", "-q", "-p", "no:cacheprovider", *few]
    whole = {name: value for name, value in os.environ.items() if name != "CRASHLAB_FIFTH"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=TESTS.parent, env=whole)
    assert done.returncode == 1 and " failed" not in done.stdout, done.stdout + done.stderr
    assert "CG-M1 is NOT PROVEN" in done.stdout and "AS-B1 is NOT PROVEN" not in done.stdout
