"""Evaluating states by features, each weighted by its correlation with final scores.

After each simulation one of its states, drawn at random, is a sample: its features together with
the final scores. The weight of a feature, for a player, is its coefficient of correlation with the
player's score, in terms of its standard deviation; 0 unless that is significant. A state is worth
the weighted sum of how far its features are from their means, squeezed into 0 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from semisplit.core.features import Feature
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.lanes import lowest_bit
from semisplit.search.engine.toolkit.record import Array, i4, integers_at
from semisplit.search.features.policies.record import LinearRecord, PolicyRecord, after
from semisplit.search.features.policies.reference import Candidate, Simulated

EVERY = 16
"""Samples after which weights are computed anew."""
_SIGNIFICANT = 9.0
"""The square of how many standard errors a correlation must be away from none."""
_LOW = 0xFFFFFFFF


class ReferenceLinear:
    """What such a policy is."""

    def __init__(self, features: Sequence[Feature], players: int):
        self._features = features
        self._samples: list[tuple[list[int], list[float]]] = []
        self._weights = [[0.0] * len(features) for _ in range(players)]
        self._means = [0.0] * len(features)

    def values(self, player: int, candidates: list[Candidate]) -> list[float]:
        """Weighted sums."""
        found = []
        for one in candidates:
            numbers = self._read(one.after)
            terms = zip(self._weights[player - 1], numbers, self._means)
            value = sum(weight * (number - mean) for weight, number, mean in terms)
            found.append(0.5 + 0.5 * value / (1 + abs(value)))
        return found

    def _read(self, state: bytes) -> list[int]:
        """The features of a state."""
        bits = np.unpackbits(np.frombuffer(state, np.uint8), bitorder="little").tolist()
        return [
            sum(value for bit, value in feature.bits if bits[bit])
            if feature.place is None
            else int.from_bytes(state[4 * feature.place :][:4], "little", signed=True)
            for feature in self._features
        ]

    def reach(self, state: bytes) -> None:
        """One of them will be the sample."""

    def learn(self, simulated: Simulated) -> None:
        """Take a sample."""
        numbers = self._read(simulated.witness)
        self._samples.append((numbers, simulated.scores))
        if len(self._samples) % EVERY == 0:
            rows = np.array([numbers for numbers, _ in self._samples], float)
            self._means = rows.mean(0).tolist()
            for player, weights in enumerate(self._weights):
                scores = np.array([scores[player] for _, scores in self._samples])
                weights[:] = [_weight(column, scores) for column in rows.T]


def _weight(numbers: np.ndarray, scores: np.ndarray) -> float:
    deviations = numbers.std(), scores.std()
    if min(deviations) < 1e-6:
        return 0.0
    correlation = ((numbers * scores).mean() - numbers.mean() * scores.mean()) / math.prod(
        deviations
    )
    is_significant = len(numbers) * correlation**2 >= _SIGNIFICANT
    return float(correlation / deviations[0]) if is_significant else 0.0


def fill_linear(
    record: LinearRecord, features: Sequence[Feature], players: int, state_bytes: int
) -> Arrays:
    """Prepare the record for the features of a game; the caller keeps the arrays."""
    arrays, words = Arrays(record), state_bytes // 4
    terms = [
        [(-1 - feature.place, 1)] if feature.place is not None else list(feature.bits)
        for feature in features
    ]
    record.count = len(features)
    arrays.put("firsts", np.cumsum([0, *map(len, terms)]).astype("i4"))
    pairs = np.array([pair for row in terms for pair in row], "i4").reshape(-1, 2)
    arrays.put("bits", pairs[:, 0].copy())
    arrays.put("values", pairs[:, 1].copy())
    for name in ("numbers", "sums", "squares"):
        arrays.allocate(name, len(features))
    for name in ("score_sums", "score_squares", "offsets"):
        arrays.allocate(name, players)
    arrays.allocate("products", players * len(features))
    arrays.allocate("bit_weights", players * 8 * state_bytes)
    arrays.allocate("place_weights", players * words)
    mask = np.zeros(8 * state_bytes, bool)
    mask[pairs[pairs[:, 0] >= 0, 0]] = True
    arrays.put("mask", np.packbits(mask, bitorder="little").view("<i4").astype("i4"))
    places = sorted({-1 - bit for bit in pairs[pairs[:, 0] < 0, 0].tolist()})
    record.place_count = len(places)
    arrays.put("places", np.array(places, "i4"))
    return arrays


@kernel
def find_values(p: PolicyRecord, linear: LinearRecord, player: int) -> None:
    """Find the values of candidates."""
    words = p.rules[0].state_bytes >> 2
    first_bit, first_place = (player - 1) * words * 32, (player - 1) * words
    for i in range(p.count):
        state, value = integers_at(after(p, i)), linear.offsets[player - 1]
        for word in range(words):
            bits = state[word] & linear.mask[word] & _LOW
            while bits != 0:
                value += linear.bit_weights[first_bit + 32 * word + lowest_bit(bits)]
                bits &= bits - 1
        for j in range(linear.place_count):
            place = linear.places[j]
            value += linear.place_weights[first_place + place] * state[place]
        p.values[i] = 0.5 + 0.5 * value / (1.0 + abs(value))


@kernel
def take_sample(p: PolicyRecord, linear: LinearRecord) -> None:
    """Learn from the witness of a simulation."""
    players, scores, count = p.rules[0].players, p.worker[0].scores, linear.count
    state = integers_at(p.sampled_state)
    for feature in range(count):
        number = _feature(linear, state, feature)
        linear.numbers[feature] = number
        linear.sums[feature] += number
        linear.squares[feature] += number * number
    for player in range(players):
        score = scores[player]
        linear.score_sums[player] += score
        linear.score_squares[player] += score * score
        for feature in range(count):
            linear.products[player * count + feature] += linear.numbers[feature] * score
    linear.samples += 1
    if linear.samples % EVERY == 0:
        for player in range(players):
            _find_weights(linear, player, p.rules[0].state_bytes >> 2)


@kernel
def _feature(linear: LinearRecord, state: Array[i4], feature: int) -> float:
    """The number of a feature in a state."""
    number = 0
    for term in range(linear.firsts[feature], linear.firsts[feature + 1]):
        bit, value = linear.bits[term], linear.values[term]
        if bit < 0:
            number += value * state[-1 - bit]
        else:
            number += value * ((state[bit >> 5] >> (bit & 31)) & 1)
    return float(number)


@kernel
def _find_weights(linear: LinearRecord, player: int, words: int) -> None:
    """Compute the weights of all bits and places of a state, for a player from 0."""
    first_bit, first_place = player * words * 32, player * words
    for i in range(words * 32):
        linear.bit_weights[first_bit + i] = 0.0
    for i in range(words):
        linear.place_weights[first_place + i] = 0.0
    offset = 0.0
    for feature in range(linear.count):
        weight = _feature_weight(linear, player, feature)
        if weight != 0.0:
            offset -= weight * linear.sums[feature] / linear.samples
            for term in range(linear.firsts[feature], linear.firsts[feature + 1]):
                bit, value = linear.bits[term], linear.values[term]
                if bit < 0:
                    linear.place_weights[first_place - 1 - bit] += weight * value
                else:
                    linear.bit_weights[first_bit + bit] += weight * value
    linear.offsets[player] = offset


@kernel
def _feature_weight(linear: LinearRecord, player: int, feature: int) -> float:
    n = linear.samples
    mean, score = linear.sums[feature] / n, linear.score_sums[player] / n
    variance = linear.squares[feature] / n - mean * mean
    score_variance = linear.score_squares[player] / n - score * score
    if variance < 1e-12 or score_variance < 1e-12:
        return 0.0
    covariance = linear.products[player * linear.count + feature] / n - mean * score
    if n * covariance * covariance < _SIGNIFICANT * variance * score_variance:
        return 0.0
    return covariance / (variance * math.sqrt(score_variance))
