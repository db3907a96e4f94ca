"""Games and the referee."""

import chuhe
import pytest
from chuhe import Game, Rules

CHECKS = "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w"
ROUND = ["e1d1", "d9e9", "d1e1", "e9d9"]


def test_perpetual_check_loses_under_each_rule_set_that_forbids_it():
    game = Game(CHECKS, ROUND * 2)
    assert game.occurrences() == 3 and len(game) == 8
    outcome = game.outcome()
    assert outcome == chuhe.Outcome("perpetual_check", chuhe.BLACK, chuhe.RED)
    assert game.result() == outcome.result() == "0-1" and game.is_game_over()
    results = {name: game.result(name) for name in ["asian", "chinese", "league", "computer", "simple", "draw"]}
    assert results == {**dict.fromkeys(["asian", "chinese", "computer", "simple"], "0-1"), "league": "*", "draw": "1/2-1/2"}
    assert game.result(Rules("league", folds=3)) == "0-1"


def test_a_ruling_tells_what_every_move_does():
    ruling = Game(CHECKS, ROUND * 2).ruling()
    assert str(ruling) == "Red's rook gives check with every move, but Black does not. Black wins"
    assert ruling.say("zh") == "红车长将，黑方没有长将，黑方胜"
    assert ruling.ended_at == 8 and ruling.rules == Rules("asian")
    assert [ply.deeds[0].kind for ply in ruling.cycle[:2]] == ["check", "idle"]
    assert ruling.cycle[0].piece == chuhe.Piece.from_symbol("R") and ruling.cycle[0].move == chuhe.Move("e1", "d1")


def test_a_chase_names_chaser_and_victim():
    games = chuhe.sample_cycles(200, seed=3)
    rulings = [game.ruling() for game in games]
    chases = [ruling for ruling in rulings if ruling.outcome.termination == "perpetual_chase"]
    assert len(rulings) == 200 and chases
    for ruling in chases:
        deeds = [deed for ply in ruling.cycle for deed in ply.deeds if deed.kind == "chase"]
        assert deeds and all(deed.attack.victim.color != deed.attack.chaser.color for deed in deeds)


def test_the_offender_is_warned():
    game = Game(CHECKS, [*ROUND, *ROUND[:2]])
    (warning,) = [warning for warning in game.warnings() if warning.move == chuhe.Move("d1", "e1")]
    assert warning.loses and warning.returns_left == 1 and "check" in str(warning.ruling)


def test_mate_ends_a_game_and_a_position_becomes_a_game():
    position = chuhe.Position("3k5/4P4/9/9/9/9/9/9/9/R3K4 w", ["a0a9"])
    game = Game(position)
    assert game.move_stack == position.move_stack and game.start.fen() == "3k5/4P4/9/9/9/9/9/9/9/R3K4 w - - 0 1"
    assert game.outcome() == chuhe.Outcome("mate", chuhe.RED)
    assert game.pop() == chuhe.Move("a0", "a9") and game.outcome() is None and game.result() == "*"
    with pytest.raises(IndexError):
        game.pop()


def test_openings_have_names():
    game = Game(moves=["炮二平五", "马8进7", "马二进三", "车9平8", "车一平二", "马2进3"])
    assert game.opening().code == "C00"
    assert game.write_moves("wxf")[0] == "C2=5"
    assert Game().opening() is None


def test_a_repetition_counts_whole_history_in_an_analysis():
    game = Game(CHECKS, [*ROUND, *ROUND[:3]])
    analysis = chuhe.Engine(hash_mb=1).analyse(game, chuhe.Limit(depth=4))
    assert analysis.score.kind == "rule" and analysis.score > chuhe.Score(0)


@pytest.mark.parametrize("rules", ["go", 3, None])
def test_unknown_rules_are_refused(rules):
    with pytest.raises((ValueError, TypeError)):
        Game().outcome(rules)
