"""Searches: answers, stops, threads, signals, asyncio."""

import asyncio
import os
import signal
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
        with pytest.raises((ValueError, OverflowError)):
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


def test_what_a_listener_raises_is_raised(engine):
    def listener(_line):
        raise KeyError("on purpose")

    with pytest.raises(KeyError, match="on purpose"):
        engine.analyse(Position(), on_line=listener)
    assert engine.analyse(Position(), Limit(depth=2)).best


def test_python_counts_while_the_engine_searches(engine):
    search = threading.Thread(target=engine.analyse, args=(Position(),))
    search.start()
    counted = 0
    while counted < 1_000_000:
        counted += 1
    assert search.is_alive(), "the search goes on while Python counts"
    while search.is_alive():
        engine.stop()
        search.join(0.01)


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


@pytest.fixture
def ctrl_c():
    """Ctrl-C in a moment, even if the tests were started where signals are ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX does")
def test_ctrl_c_ends_a_search_without_limits(engine, ctrl_c):
    with pytest.raises(KeyboardInterrupt):
        engine.analyse(Position())
    assert engine.analyse(Position(), Limit(depth=2)).best


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked as POSIX does")
def test_a_forked_process_is_told_to_make_its_own_engine(engine):
    child = os.fork()
    if child == 0:
        try:
            engine.analyse(Position(), Limit(depth=2))
        except chuhe.EngineError:
            os._exit(7 if Engine(hash_mb=1).analyse(Position(), Limit(depth=2)).best else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX does")
def test_ctrl_c_ends_a_perft_that_would_take_years(ctrl_c):
    with pytest.raises(KeyboardInterrupt):
        Position().perft(12)


def test_asyncio_runs_other_tasks_meanwhile_and_cancels():
    async def main():
        engine = chuhe.AsyncEngine(Engine(hash_mb=1))
        search = asyncio.create_task(engine.analyse(Position()))
        ticks = 0
        while ticks < 5:
            await asyncio.sleep(0.01)
            ticks += 1
        assert not search.done()
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        return await engine.analyse(Position(), Limit(depth=3))

    assert asyncio.run(main()).depth == 3


def test_limits_end_searches_and_wrong_ones_are_refused(engine):
    assert engine.analyse(Position(), Limit(nodes=1000)).nodes < 100_000
    assert engine.analyse(Position(), Limit(time=0.05)).best
    assert engine.analyse(Position(), Limit(red_clock=0.5, red_inc=0.1)).best
    for limit in (Limit(time=-1), Limit(time=float("nan"))):
        with pytest.raises(ValueError):
            engine.analyse(Position(), limit)
    for limit in (Limit(depth="four"), Limit(depth=-1), 3):
        with pytest.raises((TypeError, OverflowError, AttributeError)):
            engine.analyse(Position(), limit)


def test_options_are_checked_and_kept():
    engine = Engine(hash_mb=2, rules="chinese")
    engine.configure(threads=2, level=3)
    options = engine.options
    assert (options["hash_mb"], options["threads"], options["level"], options["rules"].name) == (2, 2, 3, "chinese")
    for wrong in ({"hash_mb": 0}, {"threads": 10_000}, {"level": 0}, {"rules": "go"}):
        with pytest.raises(ValueError):
            engine.configure(**wrong)
    assert engine.options == options and repr(engine).startswith("Engine(hash_mb=2")


def test_scores_are_ordered():
    assert Score(-29_998) < Score(-300) < Score(0) < Score(300) < Score(24_990) < Score(29_990) < Score(29_999)
    assert [Score(value).kind for value in (300, 21_900, 24_990, 29_990)] == ["cp", "table", "rule", "mate"]
    assert -Score(5) == Score(-5) and Score(0).expectation() == 0.5
    with pytest.raises(ValueError):
        Score(40_000)


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
