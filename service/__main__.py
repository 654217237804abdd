"""The `asterism` command, also as `python -m service`."""

import sys


def run() -> None:
    """Runs the command line; Ctrl-C ends it quietly also while it is loading."""
    try:
        from service.cli import main  # noqa: PLC0415 - see above
    except KeyboardInterrupt:
        sys.exit(130)
    main()


if __name__ == "__main__":
    run()
