"""`python -m crashlab` is the `crashlab` command."""

import sys

from crashlab.cli.main import main

sys.exit(main())
