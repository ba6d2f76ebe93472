import subprocess
import sys
from pathlib import Path


def test_every_rule_is_proven():
    command = [sys.executable, str(Path(__file__).parent / "rule_coverage.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent.parent)
    assert done.returncode == 0 and "NOT PROVEN" not in done.stdout, done.stdout + done.stderr
