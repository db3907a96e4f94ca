#!/usr/bin/env python3
"""Trains a small network on self-play games of the engine, and writes a `.net` file that the engine loads.

    python3 python/examples/train.py small.net                     # generates its own games first
    python3 python/examples/train.py small.net runs/*.games        # uses games of `chuhe datagen`

The network is the smallest one that the engine supports, with 32 hidden units per side, and requires only
numpy. The same arrays can be passed to PyTorch: `torch.from_numpy(samples.features())`.
"""

import argparse
import tempfile

import chuhe
import numpy as np

HIDDEN, INPUTS = 32, 689
# Centipawns for an output of 1: the logistic function converts outputs to expected points.
SCALE = 400
# Weight of the game result in the target; the rest is the weight of the search score.
RESULT = 0.2


class Model:
    """Inputs of the side to move and of the opponent → hidden units, clipped to 0–1 and squared → one
    output."""

    def __init__(self, seed):
        random = np.random.default_rng(seed)
        self.weights = [
            random.uniform(-0.1, 0.1, (INPUTS, HIDDEN)),
            np.full(HIDDEN, 0.25),
            random.uniform(-0.1, 0.1, 2 * HIDDEN),
            np.zeros(1),
        ]
        self.means = [np.zeros_like(weights) for weights in self.weights]
        self.squares = [np.zeros_like(weights) for weights in self.weights]
        self.steps = 0

    def forward(self, features):
        """Returns the expected points of the side to move, and the values needed for the gradient. `features`
        is (B, 2, 32), padded with −1."""
        inputs, bias, output, output_bias = self.weights
        rows, sides, slots = np.nonzero(features >= 0)
        on = np.zeros((len(features), 2, INPUTS))
        on[rows, sides, features[rows, sides, slots]] = 1
        units = np.clip(on @ inputs + bias, 0, 1)
        squared = (units**2).reshape(-1, 2 * HIDDEN)
        return 1 / (1 + np.exp(-(squared @ output + output_bias))), (on, units, squared)

    def learn(self, features, targets, rate):
        """Performs one step of Adam on the squared error; returns the error."""
        points, (on, units, squared) = self.forward(features)
        error = points - targets
        by_output = 2 * error * points * (1 - points) / len(targets)
        by_squared = np.outer(by_output, self.weights[2]).reshape(units.shape)
        # The gradient is zero where the activation is clipped.
        by_units = by_squared * 2 * units * ((units > 0) & (units < 1))
        gradients = [
            on.reshape(-1, INPUTS).T @ by_units.reshape(-1, HIDDEN),
            by_units.sum(axis=(0, 1)),
            squared.T @ by_output,
            by_output.sum(keepdims=True),
        ]
        self.steps += 1
        for weights, gradient, mean, square in zip(self.weights, gradients, self.means, self.squares):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self.steps) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
            weights -= rate * step
            np.clip(weights, -1.98, 1.98, out=weights)
        return np.mean(error**2)

    def network(self):
        """Returns the network quantised to the integers used by the engine."""
        inputs, bias, output, output_bias = (weights.astype(np.float32) for weights in self.weights)
        return chuhe.Network.from_weights(inputs, bias, output[None], output_bias, scale=SCALE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", help="the file to write")
    parser.add_argument("data", nargs="*", help="`.games` files; without any, games are played")
    parser.add_argument("--games", type=int, default=200, help="how many games to play")
    parser.add_argument("--nodes", type=int, default=200, help="nodes for each of their moves")
    parser.add_argument("--epochs", type=int, default=10)
    chosen = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        paths = chosen.data or chuhe.generate_games(folder, chosen.games, nodes=chosen.nodes, threads=2)
        samples = chuhe.load_samples(*paths)
    features = samples.features()
    targets = (1 - RESULT) / (1 + np.exp(-np.clip(samples.scores, -4000, 4000) / SCALE)) + RESULT * samples.results
    # Positions of one game are similar, so whole games are held out.
    held_out = samples.games % 10 == 0
    training, testing = np.nonzero(~held_out)[0], np.nonzero(held_out)[0]
    print(f"{len(training)} positions to learn from, {len(testing)} held out")

    model, chance = Model(seed=1), np.random.default_rng(1)
    for epoch in range(1, chosen.epochs + 1):
        rate = 0.01 * (1 - (epoch - 1) / chosen.epochs)
        chance.shuffle(training)
        batches = np.array_split(training, max(1, len(training) // 256))
        learned = np.mean([model.learn(features[batch], targets[batch], rate) for batch in batches])
        tested = np.mean((model.forward(features[testing])[0] - targets[testing]) ** 2)
        print(f"epoch {epoch}: squared error {learned:.4f}, held out {tested:.4f}", flush=True)
    network = model.network()
    network.save(chosen.net)
    analysis = chuhe.Engine(hash_mb=4, network=chuhe.Network.load(chosen.net)).analyse(chuhe.Position(), chuhe.Limit(depth=6))
    print(f"{chosen.net}: {network!r}; it plays {chuhe.Position().write(analysis.best)}")


if __name__ == "__main__":
    main()
