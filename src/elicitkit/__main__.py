"""``python -m elicitkit`` is the ``elicitkit`` command."""

import sys

from elicitkit.cli import main

if __name__ == "__main__":
    sys.exit(main())
