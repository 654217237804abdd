"""The environments for learners: their ids, deals, ends, copies and vectors."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from service.bots.gym import IDS, environment
from service.errors import InputError
from service.games import VARIANTS
from service.games.boards import print_view
from service.games.moves import parse_move
from tests.support.walks import start

STUCK_AT_THE_START = 1417
"""A deal of Binary Star."""
every_game = pytest.mark.parametrize("name", list(VARIANTS))


def play(env, info, actions, seed=1):
    """What some legal actions give; where a game ends, the next one begins."""
    random = np.random.default_rng(seed)
    for _ in range(actions):
        step = env.step(random.choice(np.flatnonzero(info["action_mask"])))
        *_, ended, _, info = step
        yield step
        if ended:
            seen, info = env.reset()
            yield seen, info


def same(one, other):
    return all(data_equivalence(a, b, exact=True) for a, b in zip(one, other, strict=True))


def test_each_game_has_an_id_from_its_title():
    assert set(IDS.values()) >= {"asterism/BinaryStar-v0", "asterism/Astrocyte-v0"}
    for id in IDS.values():
        assert gymnasium.spec(id).max_episode_steps == 1000


def test_an_id_that_names_the_package_needs_no_import():
    env = gymnasium.make("service.bots.gym:asterism/Astrocyte-v0")
    assert env.unwrapped.variant is VARIANTS["astrocyte"]


@every_game
def test_a_numbered_deal_is_the_deal_of_the_service(name):
    env = gymnasium.make(IDS[name])
    _, info = env.reset(options={"deal": 4711})
    assert env.unwrapped.view == start(VARIANTS[name], 4711).view
    assert info["deal"] == 4711


@every_game
def test_a_seed_determines_the_deals_which_are_none_of_the_first_million(name):
    one, other = gymnasium.make(IDS[name]), gymnasium.make(IDS[name])
    deals = [[env.reset(seed=s)[1]["deal"] for s in (7, None, None)] for env in (one, other)]
    assert deals[0] == deals[1]
    assert len(set(deals[0])) == 3
    assert min(deals[0]) > 1_000_000
    assert one.reset(seed=8)[1]["deal"] != deals[0][0]


def test_a_random_deal_is_not_stuck_at_its_start(monkeypatch):
    deals = range(STUCK_AT_THE_START, STUCK_AT_THE_START + 2)
    monkeypatch.setattr(environment, "TRAINING_DEALS", deals)
    env = gymnasium.make("asterism/BinaryStar-v0")
    env.reset(seed=1)
    assert {env.reset()[1]["deal"] for _ in range(20)} == {STUCK_AT_THE_START + 1}


def test_a_numbered_deal_that_is_stuck_at_its_start_ends_with_any_action():
    env = gymnasium.make("asterism/BinaryStar-v0")
    _, info = env.reset(options={"deal": STUCK_AT_THE_START})
    assert not info["action_mask"].any()
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (0, True, False)
    assert info["illegal"] == "rank-not-adjacent"


def test_a_target_that_is_as_good_as_the_listed_one_is_accepted():
    env = gymnasium.make("asterism/Astrocyte-v0")
    _, info = env.reset(options={"deal": 1})
    action = VARIANTS["astrocyte"].action_index[parse_move("t1c3")]
    assert not info["action_mask"][action]
    *_, info = env.step(action)
    assert "illegal" not in info
    assert env.unwrapped.view["c3"].cards


@pytest.mark.parametrize(
    "options",
    [
        {"deal": 0},
        {"deal": 2**64},
        {"deal": 1.5},
        {"deal": None},
        {"deals": 1},
        {"deal": 1, "board": ""},
        {"board": "t1: 2S"},
        {"board": None},
    ],
)
def test_options_that_mean_nothing_are_refused(options):
    env = gymnasium.make("asterism/Astrocyte-v0")
    with pytest.raises(InputError):
        env.reset(options=options)


@pytest.mark.parametrize(
    "arguments",
    [
        {"variant": "klondike"},
        {"reward": "dense"},
        {"discount": 0},
        {"discount": 1.1},
        {"depth": 0},
        {"render_mode": "rgb_array"},
    ],
)
def test_arguments_out_of_range_are_refused(arguments):
    with pytest.raises(InputError):
        environment.CardTable(**({"variant": "astrocyte"} | arguments))


@pytest.mark.parametrize("action", [-1, 36])
def test_an_action_that_is_not_in_the_table_is_refused(action):
    env = gymnasium.make("asterism/BinaryStar-v0")
    env.reset(seed=1)
    with pytest.raises(InputError, match="0 to 35"):
        env.step(action)


@every_game
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_game_plays_on_as_the_original_does(name, copied):
    env = gymnasium.make(IDS[name], reward="shaped").unwrapped
    _, info = env.reset(seed=3)
    *_, (*_, info) = play(env, info, 10)
    twin = copied(env)
    assert same(list(play(env, info, 90)), list(play(twin, info, 90)))
    assert twin.view == env.view


@every_game
def test_a_vector_gives_each_game_a_row(name):
    envs = gymnasium.make_vec(IDS[name], num_envs=3)
    _, infos = envs.reset(seed=5)
    alone = [gymnasium.make(IDS[name]).reset(seed=seed)[1]["deal"] for seed in (5, 6, 7)]
    assert infos["deal"].tolist() == alone
    for _ in range(60):
        actions = np.array([mask.argmax() for mask in infos["action_mask"]])
        seen, _, _, _, infos = envs.step(actions)
    assert seen["ranks"].shape[0] == infos["action_mask"].shape[0] == 3
    envs.close()


@pytest.mark.slow
@every_game
def test_a_vector_of_processes_plays_the_same_games(name):
    vectors = [
        gymnasium.make_vec(IDS[name], 2, "sync"),
        gymnasium.make_vec(IDS[name], 2, "async", vector_kwargs={"context": "spawn"}),
    ]
    told = [envs.reset(seed=5) for envs in vectors]
    for _ in range(100):
        assert same(*told)
        actions = np.array([mask.argmax() for mask in told[0][-1]["action_mask"]])
        told = [envs.step(actions) for envs in vectors]
    for envs in vectors:
        envs.close()


@every_game
def test_a_table_is_shown_as_a_text_board(name, capsys):
    env = gymnasium.make(IDS[name], render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == print_view(env.unwrapped.view)
    env = gymnasium.make(IDS[name], render_mode="human")
    _, info = env.reset(seed=1)
    boards = [print_view(env.unwrapped.view)]
    env.step(info["action_mask"].argmax())
    boards.append(print_view(env.unwrapped.view))
    assert capsys.readouterr().out == "".join(f"{board}\n\n" for board in boards)
