"""What the store's user may not do is told beforehand; a write that needs it changes nothing."""

from dataclasses import replace

import pytest

from service.errors import StoreUnavailableError
from service.store.diagnostics import diagnose
from service.store.redis import redis_store
from tests.conftest import TTL
from tests.store.test_labels import ATTEMPT, OWNER
from tests.store.test_promise import ID, after, commitment, created, first_move, new_game, spending
from tests.store.test_results import RESULT
from tests.support.servers import StoreServer, redis_7, valkey_9

COMMANDS = [
    *("set", "rpush", "ltrim", "pexpire", "zadd", "zrem", "hset", "hdel", "unlink", "publish"),
    *("get", "llen", "strlen", "evalsha", "script"),
]


@pytest.fixture(
    scope="module",
    params=["Valkey 9", pytest.param("Redis 7", marks=pytest.mark.external)],
)
def guarded(request, tmp_path_factory):
    """A server with a user of its own for the service."""
    binary = {"Valkey 9": valkey_9, "Redis 7": redis_7}[request.param]()
    server = StoreServer(binary, tmp_path_factory.mktemp("guarded"))
    yield server
    server.stop()


@pytest.fixture
def allow(guarded):
    """Lets the service do what is given, and gives the URL for it."""

    def url(*rights):
        with guarded.client() as client:
            client.flushall()
            client.execute_command(
                "ACL", "SETUSER", "app", "reset", "on", ">pw", "~*", "&*", "+@all", *rights
            )
        return f"redis://app:pw@127.0.0.1:{guarded.port}"

    return url


def writes(store):
    """Every kind of write, at a game in mid-play: those that are carried out, by name."""
    game = new_game()
    second = after(game, first_move(game))
    result = RESULT._replace(version=6)
    return {
        "move": lambda: store.save(second),
        "creation": lambda: store.save(created(new_game(game_id="b" * 26), key="k")),
        "fair creation": lambda: store.save(spending(new_game(game_id="c" * 26))),
        "commitment": lambda: store.commit(replace(commitment(), id="d" * 26), "k"),
        "result": lambda: store.result_store.enter(["variant:astrocyte"], result),
        "claim": lambda: store.result_store.claim("astrocyte-1", "ada", ID),
        "label": lambda: store.label_store.claim("ada", OWNER._replace(used=True), OWNER),
        "count": lambda: store.tally_store.count(ATTEMPT._replace(version=6)),
        "deletion": lambda: store.delete(ID),
    }


def set_up(url):
    """A game, a commitment, a result, an owned label and a tally."""
    store = redis_store(url, TTL)
    store.save(created(new_game()))
    store.commit(replace(commitment(), id="c" * 26))
    store.result_store.enter(["variant:astrocyte"], RESULT)
    store.label_store.claim("ada", OWNER, None)
    store.tally_store.count(ATTEMPT)


def dump(server):
    with server.client() as client:
        return {key: (client.dump(key), client.pexpiretime(key)) for key in client.scan_iter()}


@pytest.mark.parametrize("rights", ["resetchannels", *(f"-{command}" for command in COMMANDS)])
def test_a_write_for_which_a_right_is_missing_changes_nothing(guarded, allow, rights):
    url = allow()
    for name, write in writes(redis_store(url, TTL)).items():
        allow()
        set_up(guarded.url)
        with guarded.client() as client:
            client.execute_command("ACL", "SETUSER", "app", rights)
        before = dump(guarded)
        if is_refused(write):
            assert dump(guarded) == before, name
        else:
            assert dump(guarded) != before, name


def is_refused(write):
    try:
        write()
    except StoreUnavailableError:
        return True
    return False


@pytest.mark.parametrize("rights", ["resetchannels", "-publish", "-psubscribe"])
def test_a_missing_right_to_channels_is_told(allow, rights):
    url = allow(rights)
    for check in (redis_store(url, TTL).ping, lambda: diagnose(url)):
        with pytest.raises(StoreUnavailableError, match="does not let the service use its channel"):
            check()


@pytest.mark.parametrize("rights", [*(f"-{command}" for command in COMMANDS[:9]), "resetkeys"])
def test_a_missing_right_to_commands_or_keys_is_told(allow, rights):
    url = allow(rights)
    for check in (redis_store(url, TTL).ping, lambda: diagnose(url)):
        with pytest.raises(StoreUnavailableError, match="let the service run its commands"):
            check()


def test_the_rights_that_the_service_needs_are_enough(guarded, allow):
    """Its own keys and channels, and nothing that is dangerous."""
    url = allow(
        "reset", "on", ">pw", "~ast:*", "&ast:{*}:events", "+@all", "-@dangerous", "-@admin"
    )
    store = redis_store(url, TTL)
    store.ping()
    set_up(url)
    for write in writes(store).values():
        write()
    assert dump(guarded)


def test_only_who_waits_for_replicas_needs_the_right_to(guarded, allow):
    redis_store(allow("-wait"), TTL).ping()
    with pytest.raises(StoreUnavailableError, match="let the service run its commands"):
        redis_store(allow("-wait"), TTL, replicas=1).ping()


def test_a_store_that_is_full_passes_the_check(guarded, allow):
    url = allow()
    with guarded.client() as client:
        client.config_set("maxmemory", 1)
        try:
            redis_store(url, TTL).ping()
            with pytest.raises(StoreUnavailableError, match="is full"):
                redis_store(url, TTL).save(created(new_game()))
        finally:
            client.config_set("maxmemory", 0)
