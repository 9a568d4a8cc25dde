"""The command ``suum``, also as ``python -m suum``: the same program as that of Rust."""

from __future__ import annotations

import signal
import sys

from ._suum import command


def main() -> int:
    """Does what the words of the command line ask for, and gives the exit code."""
    # Python would only note an interrupt, and wait for the command to end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["suum", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
