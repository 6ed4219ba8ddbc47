"""`python -m gitmem` is the command."""

import sys

from gitmem.faces.start import main

if __name__ == "__main__":
    sys.exit(main())
