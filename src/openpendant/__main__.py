"""`python -m openpendant` is the `openpendant` command."""

import sys

from .cli import main

sys.exit(main())
