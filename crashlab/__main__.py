"""`python -m crashlab` is the `crashlab` command."""

import sys

from crashlab.cli import main

sys.exit(main())
