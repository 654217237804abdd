"""Each game is an environment for learners, by its rules and with what a player sees."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from hypothesis import given, settings
from hypothesis import strategies as st

from service.bots.gym import IDS
from service.games.boards import print_position
from service.games.cards import RANK, SUIT, SUITS
from tests.support.walks import start, twins

few = settings(max_examples=15)


def table(game, **options):
    return gymnasium.make(IDS[game.name], **options).unwrapped


def from_board(env, position):
    return env.reset(options={"board": print_position(position)})


def wandering(env, steps, seed=1):
    """The environment after each of some legal actions, and what they gave."""
    random = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    for _ in range(steps):
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        *step, info = env.step(action)
        yield action, step, info
        if step[2]:
            return


def test_the_environment_is_as_gymnasium_wants_it(game):
    check_env(table(game))


@few
@given(data=st.data())
def test_a_learner_cannot_tell_hidden_cards_before_one_is_turned(game, data):
    one, other = data.draw(twins(game))
    env, its_twin = (table(game, reward="shaped", discount=0.9) for _ in "ab")
    seen = from_board(env, one)
    assert data_equivalence(seen, from_board(its_twin, other), exact=True)
    for _ in range(30):
        legal = np.flatnonzero(seen[-1]["action_mask"])
        if not legal.size:
            break
        action = legal[data.draw(st.integers(0, len(legal) - 1))]
        hidden = env.view.hidden
        seen, of_its_twin = env.step(action), its_twin.step(action)
        if env.view.hidden < hidden:
            assert its_twin.view.hidden == env.view.hidden
            break
        assert data_equivalence(seen, of_its_twin, exact=True)


def test_an_observation_tells_every_face_up_card_and_the_number_of_the_others(game):
    env = table(game)
    for _, (seen, *_), _ in wandering(env, 60):
        for place, pile in enumerate(env.view.piles):
            up = len(pile.cards)
            cards = [(RANK[card], SUITS.index(SUIT[card]) + 1) for card in reversed(pile.cards)]
            told = zip(seen["ranks"][place], seen["suits"][place], strict=True)
            assert list(told) == cards + [(0, 0)] * (len(seen["ranks"][place]) - up)
            assert (seen["face_up"][place], seen["face_down"][place]) == (up, pile.hidden)
        assert seen in env.observation_space


def test_a_shallow_observation_tells_the_top_cards(game):
    deep, shallow = table(game), table(game, depth=3)
    pairs = zip(wandering(deep, 40), wandering(shallow, 40), strict=True)
    for (_, (all_cards, *_), _), (_, (top_cards, *_), _) in pairs:
        assert (top_cards["ranks"] == all_cards["ranks"][:, :3]).all()
        assert (top_cards["face_up"] == all_cards["face_up"]).all()


def test_the_mask_marks_the_legal_moves_and_they_are_played(game):
    env = table(game)
    position = start(game, env.reset(seed=1)[1]["deal"])
    for action, (_, _, ended, _), info in wandering(env, 60):
        position = position.after(game.actions[action])
        assert env.view == position.view
        assert ended == (position.view.won or position.view.stuck)
        legal = sorted(map(game.action_index.get, position.legal_moves()))
        assert np.flatnonzero(info["action_mask"]).tolist() == legal
        assert np.flatnonzero(env.action_masks()).tolist() == legal
        assert "illegal" not in info


def test_an_illegal_action_changes_nothing_and_tells_the_rule(game):
    env = table(game)
    for _, (before, *_), info in wandering(env, 30):
        refusals = [env.view.why_not(move) for move in game.actions]
        for action in [place for place, refusal in enumerate(refusals) if refusal][:5]:
            seen, reward, ended, _, after = env.step(action)
            assert after.pop("illegal") == refusals[action].rule
            assert data_equivalence((seen, after), (before, info), exact=True)
            assert (reward, ended) == (0, env.view.stuck)


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_a_win_is_worth_one_and_shaping_adds_nothing_to_it(won, discount):
    plain = table(won.variant)
    shaped = table(won.variant, reward="shaped", discount=discount)
    _, info = from_board(plain, won.walk.positions[0])
    from_board(shaped, won.walk.positions[0])
    at_first, total = info["progress"], 0.0
    for ply, move in enumerate(won.line):
        action = won.variant.action_index[move]
        _, reward, ended, _, info = plain.step(action)
        last = ply == len(won.line) - 1
        assert (reward, ended, info["is_success"]) == (last, last, last)
        total += discount**ply * shaped.step(action)[1]
    assert info["progress"] == 1
    assert total == pytest.approx(discount ** (len(won.line) - 1) - at_first)
