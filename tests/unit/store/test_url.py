"""REDIS_URL: the forms that are accepted, and the messages for all others."""

import pytest

from service.errors import SettingsError
from service.store.url import StoreAddress, read_url

HERE = (("127.0.0.1", 7000),)
ADA = {"username": "ada", "password": "secret"}
SECRET = {"username": None, "password": "secret"}


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://db", StoreAddress("server", (("db", 6379),), {"db": 0})),
        ("redis://127.0.0.1:7000/3", StoreAddress("server", HERE, {"db": 3})),
        ("redis://127.0.0.1:7000/", StoreAddress("server", HERE, {"db": 0})),
        ("redis://[::1]:7000", StoreAddress("server", (("::1", 7000),), {"db": 0})),
        (
            "redis://ada:s%2Fe%40c@127.0.0.1:7000",
            StoreAddress("server", HERE, {**ADA, "password": "s/e@c", "db": 0}),
        ),
        ("redis://:secret@127.0.0.1:7000", StoreAddress("server", HERE, {**SECRET, "db": 0})),
        ("unix:///run/store.sock", StoreAddress("server", (("/run/store.sock", 0),), {"db": 0})),
        (
            "unix://:secret@/run/a%20b.sock?db=2",
            StoreAddress("server", (("/run/a b.sock", 0),), {**SECRET, "db": 2}),
        ),
        (
            "redis+cluster://ada:secret@a:7000,b,[::1]:7002",
            StoreAddress("cluster", (("a", 7000), ("b", 6379), ("::1", 7002)), ADA),
        ),
        (
            "redis+sentinel://a,b:7001/games",
            StoreAddress("sentinel", (("a", 26379), ("b", 7001)), {"db": 0}, "games"),
        ),
        (
            "redis+sentinel://:secret@a/games/5?sentinel_username=eve&sentinel_password=%26",
            StoreAddress(
                "sentinel",
                (("a", 26379),),
                {**SECRET, "db": 5},
                "games",
                {"username": "eve", "password": "&"},
            ),
        ),
    ],
)
def test_a_valid_url_is_read(url, address):
    assert read_url(url) == address


@pytest.mark.parametrize("scheme", ["rediss", "rediss+cluster", "rediss+sentinel"])
def test_rediss_encrypts_all_connections(scheme, tmp_path):
    (tmp_path / "ca.pem").touch()
    query = f"ssl_ca_certs={tmp_path}/ca.pem&ssl_check_hostname=false"
    name = "/games" if "sentinel" in scheme else ""
    address = read_url(f"{scheme}://db{name}?{query}")
    tls = {
        "ssl": True,
        "ssl_ca_certs": f"{tmp_path}/ca.pem",
        "ssl_cert_reqs": "required",
        "ssl_check_hostname": False,
    }
    assert address.options.items() >= tls.items()
    if name:
        assert address.sentinel_options == tls


FAULTY = {
    "must begin with redis://": [
        "",
        "db:6379",
        "http://db",
        "redis+sentinels://db/x",
        "REDIS://db",
    ],
    "needs a host": [
        *("redis://", "redis://:6379", "redis://d b", "redis://::1", "redis://a..b"),
        *(f"redis://{'a' * 64}", "redis://db:http", "redis+cluster://a,"),
    ],
    "a port outside 1 … 65535": ["redis://db:0", "redis://db:65536", "redis://db:6379000000000000"],
    "names several servers": ["redis://a,b"],
    "the number of a database": [
        *("redis://db/games", "redis://db/-1", "redis://db/٣"),
        *("unix:///run/store.sock?db=x", "redis+sentinel://a/games/x"),
    ],
    "a user without a password": ["redis://ada@db"],
    "takes nothing behind the ?": ["redis://db?socket_timeout=1", "redis://db?ssl_cert_reqs=none"],
    "takes ssl_ca_certs, ": ["rediss://db?ssl=true"],
    "required or none for ssl_cert_reqs": ["rediss://db?ssl_cert_reqs=maybe"],
    "true or false for ssl_check_hostname": ["rediss://db?ssl_check_hostname=1"],
    "no file with ssl_ca_certs": ["rediss://db?ssl_ca_certs=/no/such/file"],
    "something twice": ["rediss://db?ssl_cert_reqs=none&ssl_cert_reqs=none"],
    "the path of a socket": ["unix://", "unix://run/store.sock"],
    "a cluster has but one": ["redis+cluster://a/0"],
    "the name of the service": ["redis+sentinel://a", "redis+sentinel://a/"],
    "takes sentinel_password, sentinel_username": ["redis+sentinel://a/games?sentinel=1"],
    "has a #": ["redis://db#1"],
}
"""By what is said of them: URLs that are refused."""


@pytest.mark.parametrize(
    ("url", "reason"), [(url, reason) for reason, urls in FAULTY.items() for url in urls]
)
def test_a_faulty_url_is_refused_with_the_reason(url, reason):
    with pytest.raises(SettingsError) as error:
        read_url(url)
    assert str(error.value).startswith("REDIS_URL ")
    assert reason in str(error.value)


@pytest.mark.parametrize(
    "url", ["redis://ada:hun/ter2@db", "redis://ada:hun#ter2@db", "redis://hunter2@db"]
)
def test_a_message_quotes_no_password(url):
    with pytest.raises(SettingsError) as error:
        read_url(url)
    assert "hun" not in str(error.value)
    assert "ter2" not in str(error.value)


def test_the_repr_of_an_address_has_no_password():
    assert "hunter2" not in repr(read_url("redis://ada:hunter2@db"))
