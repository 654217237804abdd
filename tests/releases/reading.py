"""The release that brings a schema: `python -m tests.releases.reading`."""

from service.cli import main
from service.store import codec
from tests.releases import SCHEMA, read

codec.READERS[SCHEMA] = read

if __name__ == "__main__":
    main()
