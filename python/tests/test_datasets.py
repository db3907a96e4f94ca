"""Datasets, arrays and networks."""

import dataclasses

import chuhe
import numpy as np
import pytest
from chuhe import Network, Piece, Position


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return chuhe.generate_games(tmp_path_factory.mktemp("games"), 6, nodes=60, threads=2, seed=3)


def test_games_are_iterated_and_can_be_replayed(files):
    games = [game for path in files for game in chuhe.PlayedGames(path)]
    assert len(games) == 6
    for game in games:
        assert game.scores.dtype == np.int16 and game.scores.shape == (len(game.moves),)
        assert game.result in (0.0, 0.5, 1.0) and game.termination
        assert chuhe.Game(game.start, game.moves).move_stack == game.moves


def test_samples_are_the_positions_of_the_games(files):
    samples = chuhe.load_samples(*files, everything=True)
    games = [game for path in files for game in chuhe.PlayedGames(path)]
    assert len(samples) == sum(len(game.moves) for game in games)
    row = 0
    for number, game in enumerate(games):
        position = game.start.copy()
        for move, score in zip(game.moves, game.scores, strict=True):
            assert (samples.boards[row] == chuhe.boards([position])[0]).all()
            assert samples.turns[row] == position.turn and samples.scores[row] == score
            assert list(samples.moves[row]) == [move.from_square, move.to_square]
            assert samples.results[row] == (game.result if position.turn else 1 - game.result)
            assert samples.games[row] == number
            position.push(move)
            row += 1
    fit = chuhe.load_samples(*files)
    assert 0 < len(fit) < len(samples) and fit.plies.min() >= 8
    assert len(samples[samples.turns]) == samples.turns.sum() and len(samples[3]) == 1


def test_every_index_selects_whole_positions(files):
    samples = chuhe.load_samples(*files, everything=True)
    for index, rows in [(3, [3]), (-1, [len(samples) - 1]), (np.int64(3), [3]), (np.array(3), [3]), (slice(2, 5), [2, 3, 4]), ([4, 1], [4, 1])]:
        some = samples[index]
        for field in dataclasses.fields(some):
            array = getattr(some, field.name)
            assert array.shape == (len(rows), *getattr(samples, field.name).shape[1:]), field.name
            assert (array == getattr(samples, field.name)[rows]).all(), field.name
        assert some.planes().shape == (len(rows), 14, 10, 9) and some.features().shape == (len(rows), 2, 32)
    assert len(samples[[]]) == 0
    for wrong in (len(samples), (0, 0), [[0, 1]], None, "3"):
        with pytest.raises(IndexError):
            samples[wrong]


def test_games_are_packed_and_come_out_as_they_went_in(files, tmp_path):
    source = chuhe.PlayedGames(files[0])
    assert source.packed and source.conditions["nodes"] == 60 and source.conditions["seed"] == 3
    games = list(source)
    with chuhe.PlayedGamesWriter(tmp_path / "again.games", source) as writer:
        for game in games:
            writer.write(game)
    assert (tmp_path / "again.games").read_bytes() == files[0].read_bytes(), "the same header and blocks"
    moves = ["h2e2", "h9g7"]
    ours = chuhe.PlayedGame(Position(), moves, [35, -30_000], 0.5, "resigned", 0, played_out=True)
    with chuhe.PlayedGamesWriter(tmp_path / "ours.games", nodes=500, seed=7) as writer:
        writer.write(ours)
    (tmp_path / "scored.pgn").write_text("1. h2e2 {+0.35/8} h9g7 {-0.20/8} 1/2-1/2\n")
    with pytest.raises(ValueError, match="scored.pgn"):
        chuhe.PlayedGamesWriter(tmp_path / "none.games", chuhe.PlayedGames(tmp_path / "scored.pgn"))
    assert not (tmp_path / "none.games").exists()
    written = chuhe.PlayedGames(tmp_path / "ours.games")
    assert (written.conditions["nodes"], written.conditions["seed"]) == (500, 7)
    (game,) = written
    assert [move.uci() for move in game.moves] == moves and list(game.scores) == ours.scores and game.start == Position()
    assert (game.result, game.termination, game.random_plies, game.ending, game.played_out) == (0.5, "resigned", 0, False, True)
    assert len(chuhe.load_samples(tmp_path / "ours.games", everything=True)) == 2


def test_games_that_no_record_can_hold_are_refused(files, tmp_path):
    (game, *_) = chuhe.PlayedGames(files[0])
    path = tmp_path / "games.games"
    wrong = {"moves": ["e0e9"], "scores": [0] * (len(game.moves) + 1), "result": 0.7, "termination": "boredom", "random_plies": 256}
    with pytest.raises(KeyError), chuhe.PlayedGamesWriter(path) as writer:
        for name, value in wrong.items():
            with pytest.raises(ValueError):
                writer.write(dataclasses.replace(game, **{name: value}))
        for kind, score in ((TypeError, "no"), (ValueError, 70_000)):
            with pytest.raises(kind):
                writer.write(dataclasses.replace(game, scores=[score] * len(game.moves)))
        with pytest.raises(ValueError):
            writer.write(dataclasses.replace(game, moves=[], scores=[]))
        raise KeyError
    assert not list(tmp_path.iterdir()), "an unfinished file is removed"
    with chuhe.PlayedGamesWriter(path):
        pass
    with pytest.raises(OSError, match="games.games"):
        chuhe.PlayedGamesWriter(path)
    writer = chuhe.PlayedGamesWriter(tmp_path / "more.games")
    writer.close()
    writer.close()
    with pytest.raises(chuhe.RecordError):
        writer.write(game)


def test_planes_show_each_piece_where_it_is():
    position = Position(moves=["h2e2"])
    planes = chuhe.planes(chuhe.boards([position, Position()]))
    assert planes.shape == (2, 14, 10, 9) and planes.dtype == np.uint8 and planes[0].sum() == 32
    for square, piece in position.piece_map().items():
        assert planes[0, piece.index, chuhe.square_rank(square), chuhe.square_file(square)] == 1
    assert planes[0, Piece.from_symbol("C").index, 2, 4] == 1


def test_features_are_those_of_the_network():
    positions = [Position(), Position(moves=["h2e2"]), Position("3k5/4P4/9/9/9/9/9/9/9/R3K4 w")]
    turns = np.array([position.turn for position in positions])
    rows = chuhe.features(chuhe.boards(positions), turns)
    assert rows.shape == (3, 2, 32) and rows.dtype == np.int16 and rows.max() < 689
    assert ((rows[2] >= 0).sum(axis=1) == 4).all(), "four pieces, and the rest is filled up"
    small = network_of(np.random.default_rng(1))
    assert (small.features(positions) == rows).all()
    # Black has neither rooks nor horses nor cannons in the third position, and Red only rooks.
    buckets = chuhe.features(chuhe.boards(positions), turns, attack_buckets=True) // 689
    assert [set(side[side >= 0]) for side in buckets.reshape(6, 32)] == [{0}, {0}, {0}, {0}, {1}, {3}]


def network_of(random, hidden=32):
    return Network.from_weights(
        random.uniform(-0.1, 0.1, (689, hidden)).astype(np.float32),
        np.full(hidden, 0.25, np.float32),
        random.uniform(-0.5, 0.5, (1, 2 * hidden)).astype(np.float32),
        np.zeros(1, np.float32),
        scale=400,
    )


def test_a_network_of_arrays_scores_by_its_definition_and_plays(tmp_path):
    random = np.random.default_rng(5)
    weights = random.uniform(-0.1, 0.1, (689, 32)).astype(np.float32)
    bias, output = np.full(32, 0.25, np.float32), random.uniform(-0.5, 0.5, (1, 64)).astype(np.float32)
    network = Network.from_weights(weights, bias, output, np.zeros(1, np.float32), scale=400)
    position = Position(moves=["h2e2", "h9g7", "e2e6"])
    both = [bias + weights[row[row >= 0]].sum(axis=0) for row in network.features([position])[0]]
    expected = 400 * float(np.clip(np.concatenate(both), 0, 1) ** 2 @ output[0])
    assert abs(network.evaluate([position])[0] - expected) < 10
    network.save(tmp_path / "small.net")
    loaded = Network.load(tmp_path / "small.net")
    assert loaded == network and loaded.name == network.name != Network.embedded().name
    engine = chuhe.Engine(hash_mb=1, network=loaded)
    assert engine.evaluate(position).value == network.evaluate([position])[0]
    assert engine.analyse(position, chuhe.Limit(depth=4)).best


def test_what_is_no_network_is_refused(tmp_path):
    with pytest.raises(OSError):
        Network.load(tmp_path / "none.net")
    (tmp_path / "bad.net").write_bytes(b"CHUHENET")
    with pytest.raises(chuhe.NetworkError):
        Network.load(tmp_path / "bad.net")
    for hidden in (33, 0):
        zeros = [np.zeros(shape, np.float32) for shape in ((689, hidden), hidden, (1, 2 * hidden), 1)]
        with pytest.raises(chuhe.NetworkError, match=f"{hidden} hidden units"):
            Network.from_weights(*zeros, scale=400)
    good = [np.zeros((689, 32), np.float32), np.zeros(32, np.float32), np.zeros((1, 64), np.float32), np.zeros(1, np.float32)]
    for place, array in [(0, np.full((689, 32), np.nan, np.float32)), (1, np.zeros(64, np.float32)), (0, np.full((689, 32), 9e9, np.float32))]:
        with pytest.raises(chuhe.NetworkError):
            Network.from_weights(*good[:place], array, *good[place + 1 :], scale=400)
    for wrong in ({"scale": float("nan")}, {"scale": 0.4}, {"scale": 400, "king_buckets": [-1] * 6}):
        with pytest.raises(ValueError):
            Network.from_weights(*good, **wrong)


def test_boards_that_are_no_positions_are_refused():
    turns = np.array([True])
    for board in (np.full((1, 90), 14, np.uint8), np.full((1, 90), 99, np.uint8), np.zeros((1, 89), np.uint8)):
        with pytest.raises(ValueError):
            chuhe.features(board, turns)
