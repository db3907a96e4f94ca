"""Searches: results, stops, threads, signals, asyncio."""

import pickle
import threading

import chuhe
import numpy as np
import pytest
from chuhe import Engine, Limit, Position, Score

MATE_IN_ONE = "3k5/4P4/9/9/9/9/9/9/9/R3K4 w"


@pytest.fixture(scope="module")
def engine():
    return Engine(hash_mb=4)


def test_a_mate_is_found_and_its_line_can_be_played(engine):
    analysis = engine.analyse(MATE_IN_ONE, Limit(depth=4))
    assert analysis.score.mate == 1 and analysis.score.cp is None and analysis.wdl == chuhe.Wdl(1000, 0, 0)
    position = Position(MATE_IN_ONE, analysis.pv)
    assert not position.legal_moves and analysis.best == analysis.pv[0] and str(analysis.score) == "#+1"


def test_several_lines_come_best_first(engine):
    heard = []
    analysis = engine.analyse(Position(), Limit(depth=5), lines=3, on_line=heard.append)
    assert [line.multipv for line in analysis.lines] == [1, 2, 3]
    assert analysis.lines[0].score >= analysis.lines[1].score >= analysis.lines[2].score
    assert sum([analysis.wdl.win, analysis.wdl.draw, analysis.wdl.loss]) == 1000
    assert {line.depth for line in heard} >= {4, 5} and analysis.depth == 5 and analysis.nodes > 0


def test_only_the_moves_that_were_asked_for_are_searched(engine):
    assert engine.analyse(Position(), Limit(depth=3), root_moves=["兵九进一"]).best == chuhe.Move("a3", "a4")
    with pytest.raises(chuhe.IllegalMoveError):
        engine.analyse(Position(), Limit(depth=3), root_moves=["a0a9"])


def test_a_position_without_moves_has_no_line(engine):
    analysis = engine.analyse(Position("3k5/4P4/9/9/9/9/9/9/9/4K4 b"), Limit(depth=3))
    assert analysis.best is None and analysis.score is None and not analysis.pv
    assert analysis.outcome == chuhe.Outcome("stalemate", chuhe.RED)


def test_levels_play_legal_moves(engine):
    for level in (1, 5, 10):
        result = engine.play(Position(), Limit(nodes=500), level=level)
        assert Position().is_legal(result.move)
    assert engine.options["level"] == 10
    for level in (0, 11, -1):
        with pytest.raises(ValueError):
            engine.play(Position(), level=level)


def test_the_same_seed_plays_the_same():
    games = []
    for _ in range(2):
        engine, position = Engine(hash_mb=1, level=2, seed=7), Position()
        for _ in range(6):
            position.push(engine.play(position).move)
        games.append(position.move_stack)
    assert games[0] == games[1]


def test_a_listener_ends_a_search_without_limits(engine):
    assert engine.analyse(Position(), on_line=lambda line: line.depth < 4).depth >= 4
    assert engine.analyse(Position(), on_line=lambda line: np.bool_(line.depth < 4)).depth >= 4
    assert engine.analyse(Position(), Limit(depth=4), on_line=lambda line: None).depth == 4


def test_what_a_listener_raises_is_raised(engine):
    def listener(_line):
        raise KeyError("on purpose")

    with pytest.raises(KeyError, match="on purpose"):
        engine.analyse(Position(), on_line=listener)
    assert engine.analyse(Position(), Limit(depth=2)).best


def test_python_counts_while_the_engine_searches(engine):
    with engine.analysis(Position()) as search:
        counted = 0
        while counted < 1_000_000:
            counted += 1
        assert next(search).depth, "the search goes on while Python counts"


def test_four_threads_analyse_with_four_engines():
    found = {}

    def analyse(number):
        found[number] = Engine(hash_mb=1).analyse(Position(), Limit(depth=6))

    threads = [threading.Thread(target=analyse, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({(str(analysis.pv), analysis.nodes) for analysis in found.values()}) == 1 and len(found) == 4


def test_one_engine_serves_several_threads(engine):
    results = []
    threads = [threading.Thread(target=lambda: results.append(engine.analyse(Position(), Limit(depth=3)).best)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6 and all(results)


def test_limits_end_searches_and_wrong_ones_are_refused(engine):
    assert engine.analyse(Position(), Limit(nodes=1000)).nodes < 100_000
    assert engine.analyse(Position(), Limit(time=0.05)).best
    assert engine.analyse(Position(), Limit(red_clock=0.5, red_inc=0.1)).best
    for wrong in ({"time": -1}, {"time": float("nan")}, {"time": 1e30}, {"depth": 0}, {"depth": -1}, {"nodes": 0}, {"nodes": 1 << 64}, {"mate": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Limit(**wrong)
    for wrong in ({"depth": "four"}, {"depth": 2.5}, {"time": "1"}):
        with pytest.raises(TypeError):
            Limit(**wrong)
    for call in (engine.analyse, engine.analysis, engine.play):
        with pytest.raises(TypeError, match="a Limit is expected, not int"):
            call(Position(), 3)


@pytest.mark.parametrize("limit", [None, Limit(), Limit(mate=3), Limit(black_clock=1.0), Limit(red_inc=1.0)])
def test_a_search_that_would_never_end_is_refused(engine, limit):
    with pytest.raises(ValueError, match="a limit is required"):
        engine.analyse(Position(), limit)
    if limit:
        with pytest.raises(ValueError, match="a limit is required"):
            engine.play(Position(), limit)


def test_a_closed_engine_stops_and_refuses():
    with Engine(hash_mb=1) as engine:
        stream = engine.analysis(Position())
        next(stream)
    assert engine.closed and stream.wait().best
    for call in (lambda: engine.analyse(Position(), Limit(depth=1)), lambda: engine.analysis(Position()), engine.new_game):
        with pytest.raises(chuhe.EngineError, match="closed"):
            call()
    engine.close()


def test_a_stream_ends_with_its_limit_and_raises_what_the_search_raises(engine):
    stream = engine.analysis(Position(), Limit(depth=5), lines=2)
    depths = [line.depth for line in stream]
    assert depths == sorted(depths) and depths[-1] == 5 and list(stream) == []
    assert stream.lines[0].pv == stream.wait().lines[0].pv and stream.last.multipv == 2
    with pytest.raises(ValueError):
        engine.analysis(Position(), lines=0)
    with pytest.raises(chuhe.IllegalMoveError):
        engine.analysis(Position(), root_moves=["a0a9"])
    before = threading.active_count()
    del stream
    dropped = engine.analysis(Position())
    next(dropped)
    del dropped
    assert threading.active_count() == before, "a stream that is dropped ends its search"


def test_options_are_checked_and_kept():
    engine = Engine(hash_mb=2, rules="chinese")
    engine.configure(threads=2, level=3)
    options = engine.options
    assert (options["hash_mb"], options["threads"], options["level"], options["rules"].name) == (2, 2, 3, "chinese")
    for wrong in ({"hash_mb": 0}, {"threads": 257}, {"level": 0}, {"rules": "go"}, {"hash_mb": -1}, {"threads": 10**40}, {"level": 300}, {"seed": -1}):
        for call in (engine.configure, Engine):
            with pytest.raises(ValueError, match=str(*wrong.values())):
                call(**wrong)
    with pytest.raises(TypeError):
        engine.configure(level=2.5)
    assert engine.options == options and repr(engine).startswith("Engine(hash_mb=2")


def test_scores_are_ordered():
    assert Score(-29_998) < Score(-300) < Score(0) < Score(300) < Score(24_990) < Score(29_990) < Score(29_999)
    assert [Score(value).kind for value in (300, 21_900, 24_990, 29_990)] == ["cp", "table", "rule", "mate"]
    assert -Score(5) == Score(-5) and Score(0).expectation() == 0.5
    with pytest.raises(ValueError):
        Score(40_000)


def test_scores_are_turned_to_a_side():
    score = Score(35, chuhe.BLACK)
    assert score.red() == Score(-35) and score.red().turn == chuhe.RED and score.pov(chuhe.BLACK) == score.black() == score
    assert (-score).turn == chuhe.RED and abs(Score(-3)) == +Score(3) and not score.is_mate()
    assert eval(repr(score)).turn == chuhe.BLACK and pickle.loads(pickle.dumps(score)).turn == chuhe.BLACK
    for moves in (-499, -3, -1, 0, 1, 2, 499):
        mate = Score.from_mate(moves)
        assert mate.is_mate() and mate.mate == moves and mate.score() is None
        assert mate.score(mate_score=1000) == (1000 - moves if moves > 0 else -1000 - moves)
    assert [Score.from_mate(moves).score(mate_score=-(2**31)) for moves in (3, -3)] == [-(2**31), 2**31 - 1]
    assert Score.from_cp(-20_000).cp == -20_000 == Score.from_cp(-20_000).score()
    for wrong in (lambda: Score.from_cp(20_001), lambda: Score.from_mate(500), Score(1).red):
        with pytest.raises(ValueError):
            wrong()


def test_a_review_blames_a_blunder():
    game = chuhe.Game(moves=["h2e2", "h9g7", "e2e6", "a9a8"])
    review = Engine(hash_mb=4).review(game, nodes=2000)
    assert len(review.moves) == 4 and len(review.points) == 5 and review.moves[0].book
    blamed = [move for move in review.moves if move.judgement]
    assert blamed and all(move.reason and move.loss > 0 for move in blamed)
    assert review.text("zh") != review.text() and review.html().startswith("<!DOCTYPE html>")


def test_static_scores_agree_one_by_one_and_in_a_batch(engine):
    position = Position()
    fens = []
    for number in range(40):
        fens.append(position.fen())
        moves = position.legal_moves
        position.push(moves[number * 7 % len(moves)])
        if not position.legal_moves:
            break
    network = chuhe.Network.embedded()
    scores = network.evaluate(fens)
    assert scores.dtype == np.int32 and scores.shape == (len(fens),)
    assert [Score(int(score)) for score in scores] == [engine.evaluate(fen) for fen in fens]
    assert Engine(hash_mb=1, handcrafted=True).evaluate(fens[7]) != Score(int(scores[7]))
