import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent


def test_a_rule_that_no_test_proves_is_named_and_fails_the_run():
    few = [str(TESTS / "test_autoscooter_rules.py"), "-k", "hex"]
    command = [sys.executable, "-m", "pytest", "--rules", "-q", "-p", "no:cacheprovider", *few]
    done = subprocess.run(command, capture_output=True, text=True, cwd=TESTS.parent)
    assert done.returncode == 1 and " failed" not in done.stdout, done.stdout + done.stderr
    assert "CG-M1 is NOT PROVEN" in done.stdout and "AS-B1 is NOT PROVEN" not in done.stdout
