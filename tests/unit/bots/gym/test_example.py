"""The learner to start with learns, and the same each time."""

import gymnasium
import numpy as np
import pytest

from service.bots.gym import IDS
from service.bots.gym.example import Learner
from service.bots.gym.features import MoveFeatures
from service.games import VARIANTS


def trained(name, rounds):
    learner = Learner(name, seed=1)
    *_, (weights, _) = learner.train(rounds)
    return learner, weights


def test_equal_seeds_learn_equal_weights():
    assert (trained("binary-star", 1)[1] == trained("binary-star", 1)[1]).all()


@pytest.mark.parametrize("game", list(VARIANTS.values()), ids=list(VARIANTS))
def test_each_legal_move_has_its_features(game):
    env, features = gymnasium.make(IDS[game.name]), MoveFeatures(game)
    seen, info = env.reset(seed=1)
    legal = np.flatnonzero(info["action_mask"])
    assert features(seen, legal).shape == (len(legal), features.count)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rounds"), [("binary-star", 40), ("astrocyte", 10)])
def test_the_trained_policy_gets_further_than_random_play_on_deals_it_has_not_seen(name, rounds):
    learner, weights = trained(name, rounds)
    ends = np.array(
        [
            [learner.play(its, deal).progress[-1] for its in (learner.untrained, weights)]
            for deal in range(1, 61)
        ]
    )
    at_random, learned = ends.mean(axis=0)
    assert learned > 1.3 * at_random
    assert (ends[:, 1] > ends[:, 0]).sum() > 1.5 * (ends[:, 1] < ends[:, 0]).sum()
