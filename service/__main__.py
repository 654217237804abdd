"""`python -m service` is the `asterism` command."""

from service.cli import main

main()
