"""Cases of running the service: stores, settings, the command line, generated clients."""

import json
from datetime import UTC, datetime
from urllib.parse import quote

from tests.clients.tools import HERE, python_tools, run
from tests.reports.site import case
from tests.support.servers import StoreServer, valkey_9
from tests.support.walks import FIXTURES

PASSWORD = "p@ss:w/rd?#%1"
FORWARDED = ["203.0.113.7:51234", "198.51.100.9:1", "[2001:db8::1]:443"]
ORIGIN = "https://games.example"
PUBLIC_URLS = ["https://", *(f"{ORIGIN}{rest}" for rest in ("/asterism/", "?x=1", "#a", ":99999"))]


def dump(store):
    """Everything in a store, by key."""
    with store.client() as client:
        return {key: client.dump(key) for key in client.scan_iter()}


def write(player, store):
    """What a move is answered, and whether it changes anything in the store."""
    before = dump(store)
    status = player.play("deal").status
    return f"{status} and {'nothing' if dump(store) == before else 'something'} written"


@case("N7", "the line of a game at ply 3 is evicted, then a move", "500 and nothing written")
def evicted(site):
    with site.serving() as (store, _, api), store.client() as client:
        player = api.new_game("astrocyte", 1)
        player.play("deal", "deal", "deal")
        client.delete(f"ast:{{{player.game['id']}}}:line")
        return write(player, store)


@case(
    "N8",
    "the store's user loses its channels: a move, readyz, doctor",
    "503 and nothing written, 503, exit 1",
)
def no_channels(site):
    with StoreServer(valkey_9(), site.folder()) as store, store.client() as client:
        client.execute_command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all")
        url = f"redis://app:pw@127.0.0.1:{store.port}"
        with site.start(url) as service, site.api(service) as api:
            player = api.new_game("astrocyte", 1)
            client.execute_command("ACL", "SETUSER", "app", "resetchannels")
            told, ready = write(player, store), api.get("/readyz").status
        return f"{told}, {ready}, exit {site.run('doctor', REDIS_URL=url)[0]}"


@case("N38", "a password of reserved signs, encoded in REDIS_URL and not", "started, refused")
def password(site):
    with StoreServer(valkey_9(), site.folder()) as store, store.client() as client:
        client.config_set("requirepass", PASSWORD)
        urls = [
            f"redis://:{word}@127.0.0.1:{store.port}" for word in (quote(PASSWORD, ""), PASSWORD)
        ]
        return ", ".join(map(site.starts, urls))


@case("N5", "five creations from each of three addresses with ports, at five a minute", "15 × 201")
def forwarded(site):
    with site.serving(ASTERISM_PROXIES="1", ASTERISM_LIMITS="creation=5") as (_, _, api):
        game = {"variant": "astrocyte"}
        told = [api.post("/v1/games", game, X_Forwarded_For=a).status for a in FORWARDED * 5]
    return f"{told.count(201)} × 201"


@case("N15", "a public URL without a host, with a path, a query, …", "refused")
def public_url(site):
    told = {url: site.starts(site.store.url, ASTERISM_PUBLIC_URL=url) for url in PUBLIC_URLS}
    started = [url for url in told if told[url] != "refused"]
    return f"started at {', '.join(started)}" if started else "refused"


@case("N34", "the daily deals in a time zone where it is another day", "as in UTC")
def midnight(site):
    days = [f"{datetime.now(UTC).date()}"]
    with site.serving(TZ="<+14>-14" if datetime.now(UTC).hour >= 10 else "<-12>12") as (_, _, api):
        day = api.get("/v1/deals/daily").json["day"]
    days.append(f"{datetime.now(UTC).date()}")
    return "as in UTC" if day in days else day


@case("N12", "text replays with CRLF, blanks at line ends, no newline at the end", "exits 0, 0, 0")
def line_ends(site):
    with site.api() as api:
        player = api.new_game("astrocyte", 1)
        player.play("deal", "deal")
        text = api.get(f"{player.path}/replay", Accept="text/plain").body
    forms = [text.replace(b"\n", b"\r\n"), text.replace(b"\n", b" \t\n"), text.rstrip()]
    return f"exits {', '.join(str(site.run('replay', '-', given=form)[0]) for form in forms)}"


@case("N33", "boards to solve: empty, a fan missing, a face too many", "refused in words")
def no_board(site):
    first, rest = site.run("board", "binary-star", "--deal", "1")[1].split("\n", 1)
    _, card, other, *_ = first.split()
    for text in ("", rest, f"{first.replace(card, other)}\n{rest}"):
        code, said = site.run("solve", "binary-star", "--board", "-", given=text.encode())
        if code != 2 or "Traceback" in said:
            return said
    return "refused in words"


@case("N19", "openapi-python-client writes a client, which plays", "no warning; won, won")
def generated(site):
    folder = site.folder()
    client, contract = str(folder / "asterism_client"), str(site.checkout / "openapi.yaml")
    python = str(python_tools() / "python")
    generate = ["openapi-python-client", "generate", "--meta", "none", "--output-path", client]
    said = run(*generate, "--path", contract, folder=folder)
    if "arning" in said:
        return f"{said.count('WARNING')} warnings"
    program = str(HERE / "play_openapi_python_client.py")
    url, line = f"http://127.0.0.1:{site.service.port}", str(FIXTURES / "astrocyte-won-line.json")
    ended = json.loads(run(python, program, url, line, PYTHONPATH=str(folder)))["ended"]
    return f"no warning; {', '.join(status for _, status, _ in ended)}"
