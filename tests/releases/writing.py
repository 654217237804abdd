"""The release after the one that brings a schema: `python -m tests.releases.writing`."""

from service.cli import main
from service.store import codec
from tests.releases import SCHEMA, read, written

before = codec.encode_game
codec.READERS[SCHEMA] = read
codec.encode_game = lambda game: written(before(game))

if __name__ == "__main__":
    main()
