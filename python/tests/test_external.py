"""External engines: answers, faults, cancellations, and complete cleanup of processes."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import chuhe
import pytest
from chuhe import Game, Limit, Position
from chuhe.engine import EngineError, EngineTerminatedError, SimpleEngine, popen_ucci, popen_uci
from chuhe.engine.dialect import Dialect, Reader, go_ucci, go_uci, position_command, read_option

HERE = Path(__file__).parent
PROTOCOLS = ["uci", "uci-variant", "ucci"]
posix = pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX does")


def command(protocol="uci", *faults):
    return [sys.executable, str(HERE / "scripted_engine.py"), protocol, *faults]


def start(protocol="uci", *faults, **options):
    popen = SimpleEngine.popen_ucci if protocol == "ucci" else SimpleEngine.popen_uci
    return popen(command(protocol, *faults), **{"timeout": 30, **options})


def alive(pid):
    if os.name != "posix":
        return str(pid) in subprocess.run(["tasklist", "/FI", f"PID eq {pid}", "/NH"], capture_output=True, text=True).stdout
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z" if Path("/proc/self").exists() else True


def ends(pid, seconds=30.0):
    deadline = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


@pytest.fixture(params=PROTOCOLS)
def engine(request):
    with start(request.param) as engine:
        pid = engine.pid
        yield engine
    assert ends(pid) and engine.returncode == 0


def test_an_engine_says_who_it_is_and_what_it_offers(engine):
    assert engine.id == {"name": "Scripted Engine 1", "author": "nobody"} and "Scripted" in repr(engine)
    engine.ping()
    engine.new_game()
    if engine.dialect is Dialect.UCI:
        style = engine.options["Style"]
        assert (style.type, style.default, style.var) == ("combo", "Solid", ("Solid", "Wild One"))
        assert (engine.options["Hash"].min, engine.options["Hash"].max) == (1, 64)
        engine.configure({"hash": 32, "Style": "wild one", "Clear Hash": None, "Book": "a b.bin"})
        for wrong in ({"Hash": 65}, {"Hash": "big"}, {"Style": "Odd"}, {"Nothing": 1}, {"MultiPV": 2}, {"Ponder": True}, {"Book": "a\nquit"}):
            with pytest.raises(EngineError):
                engine.configure(wrong)


def test_games_are_played_with_legal_moves_only(engine):
    game = Game()
    while not game.is_game_over() and len(game) < 80:
        result = engine.play(game, Limit(depth=2))
        assert result.score == chuhe.Score(39) and result.score.turn == game.turn and not result.resigned
        game.push(result.move)
    assert len(game) > 20


def test_an_analysis_has_lines_and_counts(engine):
    heard = []
    analysis = engine.analyse(Position(moves=["h2e2"]), Limit(depth=3), on_line=heard.append)
    assert analysis.depth == 3 and analysis.nodes == 3000 and len(heard) >= 3 and analysis.lines[0].seldepth == 5 and analysis.best
    assert Position(moves=["h2e2"]).is_legal(analysis.pv[0]) and analysis.outcome is None and analysis.wdl is None
    mated = engine.analyse("3k5/4P4/9/9/9/9/9/9/9/4K4 b", Limit(depth=1))
    assert mated.best is None and mated.outcome.termination == "stalemate"
    only = engine.analyse(Position(), Limit(depth=2), root_moves=["兵九进一", "c3c4"])
    assert only.best in (chuhe.Move("a3", "a4"), chuhe.Move("c3", "c4"))
    with pytest.raises(chuhe.IllegalMoveError):
        engine.analyse(Position(), Limit(depth=2), root_moves=["a0a9"])
    if engine.dialect is Dialect.UCCI:
        with pytest.raises(EngineError, match="several lines"):
            engine.analyse(Position(), Limit(depth=2), lines=2)
    else:
        assert [line.multipv for line in engine.analyse(Position(), Limit(depth=3), lines=3).lines] == [1, 2, 3]
        assert len(engine.analyse(Position(), Limit(depth=3)).lines) == 1
    with pytest.raises(ValueError, match="a limit is required"):
        engine.analyse(Position())


def test_limits_end_searches(engine):
    for limit in (Limit(nodes=3000), Limit(time=0.05), Limit(time=0.1, depth=10**6), Limit(depth=2, nodes=10**9), Limit(nodes=2000, depth=10**6)):
        begin = time.monotonic()
        assert engine.analyse(Position(), limit).best and time.monotonic() - begin < 60, limit


def test_a_stream_is_read_and_stopped(engine):
    with engine.analysis(Position()) as stream:
        for line in stream:
            if line.depth >= 3:
                break
    assert stream.wait().best and stream.last.depth == 3
    assert [line.depth for line in engine.analysis(Position(), Limit(depth=4))] == [1, 2, 3, 4]
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    assert engine.analyse(Position(), stop=stop).best
    assert engine.analyse(Position(), on_line=lambda line: line.depth < 3).depth == 3


def test_a_callback_may_raise_but_not_use_the_engine(engine):
    def raising(_line):
        raise KeyError("on purpose")

    with pytest.raises(KeyError, match="on purpose"):
        engine.analyse(Position(), on_line=raising)
    with pytest.raises(EngineError, match="callback"):
        engine.analyse(Position(), on_line=lambda line: engine.ping())
    assert engine.analyse(Position(), Limit(depth=1)).best


def test_threads_take_turns(engine):
    stream, results = engine.analysis(Position()), []
    next(stream)
    threads = [threading.Thread(target=lambda: results.append(engine.play(Position(), Limit(depth=2)).move)) for _ in range(4)]
    for thread in threads:
        thread.start()
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    with pytest.raises(EngineError, match="busy"):
        engine.analyse(Position(), Limit(depth=1), stop=stop)
    assert not results
    stream.stop()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and stream.wait().best


@pytest.mark.parametrize(("faults", "error"), [(["mute"], "does not answer 'uci'"), (["child", "mute"], "does not answer")])
def test_an_engine_that_does_not_start_is_killed(faults, error):
    before = children()
    with pytest.raises(EngineError, match=error):
        start("uci", *faults, timeout=2)
    assert children() == before


def children():
    listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True).stdout if os.name == "posix" else ""
    return [line for line in listed.splitlines() if "scripted_engine" in line or "time.sleep(1000)" in line]


def test_a_program_that_is_none_raises():
    with pytest.raises(FileNotFoundError):
        SimpleEngine.popen_uci("/no/such/engine")
    with pytest.raises(EngineTerminatedError, match="exit status 0"):
        SimpleEngine.popen_uci([sys.executable, "-c", ""])
    for empty in ("", []):
        with pytest.raises(EngineError, match="empty"):
            SimpleEngine.popen_uci(empty)


@pytest.mark.parametrize("faults", [["slow-start"], ["garbage"], ["flood"], ["late"], ["stale"], ["stderr"]], ids=lambda faults: faults[0])
def test_odd_engines_are_understood(faults):
    with start("uci", *faults) as engine:
        for _ in range(2):
            with engine.analysis(Position()) as stream:
                next(stream)
            assert stream.wait().best
            result = engine.analyse(Position(moves=["h2e2"]), Limit(depth=2))
            assert result.depth == 2 and all(abs(line.score.value) <= 30_000 for line in result.lines)


def test_an_illegal_answer_raises_and_the_engine_stays():
    with start("uci", "illegal") as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match="a0a9"):
                engine.play(Position(), Limit(depth=1))
        engine.ping()


@pytest.mark.parametrize(("fault", "status"), [("crash", 3), ("crash-late", 4)])
def test_a_crash_is_named(fault, status):
    with start("uci", fault) as engine:
        for call in (lambda: engine.analyse(Position(), Limit(depth=5)), engine.ping, lambda: engine.pid):
            with pytest.raises(EngineTerminatedError, match=f"exit status {status}"):
                call()
    assert engine.returncode == status


def test_an_engine_that_hangs_is_killed_after_its_time():
    with start("uci", "deaf", timeout=30) as engine:
        engine._engine.timeout = 1
        pid, begin = engine.pid, time.monotonic()
        with pytest.raises(EngineError, match="stop"):
            engine.analyse(Position(), Limit(time=0.1))
        assert time.monotonic() - begin < 60 and ends(pid)
        with pytest.raises(EngineTerminatedError):
            engine.ping()
    with start("uci", "long-line") as engine:
        with pytest.raises(EngineTerminatedError):
            engine.analyse(Position(), Limit(depth=5))


@posix
def test_a_stopped_process_is_killed():
    with start("uci", timeout=30) as engine:
        engine._engine.timeout = 1
        pid = engine.pid
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(EngineError, match="does not answer"):
            engine.analyse(Position(), Limit(depth=1))
        assert ends(pid)


@posix
def test_a_killed_engine_raises_in_the_search():
    with start("uci") as engine:
        threading.Timer(0.2, os.kill, (engine.pid, signal.SIGKILL)).start()
        with pytest.raises(EngineTerminatedError, match="signal 9"):
            engine.analyse(Position(), Limit(depth=10**6))


@posix
@pytest.mark.parametrize("faults", [[], ["ignores-quit"], ["child"], ["deaf"]], ids=str)
def test_quit_leaves_no_process(faults):
    before = children()
    engine = start("uci", *faults)
    if "deaf" in faults:
        with pytest.raises(EngineError):
            engine.analyse(Position(), stop=SetAtOnce())
    engine.quit()
    engine.quit()
    assert children() == before
    with pytest.raises(EngineTerminatedError):
        engine.ping()


class SetAtOnce:
    def is_set(self):
        return True


def test_an_engine_that_is_forgotten_is_killed():
    engine = start("uci")
    pid = engine.pid
    del engine
    assert ends(pid)


PROLOGUE = f"""
import asyncio, os, signal, sys, threading, time
import chuhe
from chuhe import Limit, Position
from chuhe.engine import EngineError, SimpleEngine, popen_uci

signal.signal(signal.SIGINT, signal.default_int_handler)
COMMAND = {command("uci")!r}
BUSY = {command("uci", "deaf", "ignores-quit")!r}

def ctrl_c_in(seconds):
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
"""


def run(program, seconds=120, status=0):
    """Runs a program that prints the process ID of its engine; that process must have ended afterwards."""
    code = PROLOGUE + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=seconds)
    assert done.returncode == status, done.stdout + done.stderr
    assert ends(int(done.stdout.split()[0])), "a process is left behind"
    return done.stderr


@posix
@pytest.mark.parametrize("end", ["pass", "sys.exit(0)", "raise KeyError", "os.kill(os.getpid(), signal.SIGKILL)", "os._exit(0)"])
@pytest.mark.parametrize("search", ["", "stream = engine.analysis(Position()); next(stream)"], ids=["idle", "searching"])
def test_no_process_outlives_its_program(end, search):
    run(f"engine = SimpleEngine.popen_uci(COMMAND)\nprint(engine.pid, flush=True)\n{search}\n{end}", status=1 if "raise" in end else -9 if "KILL" in end else 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_an_engine_that_reads_nothing_ends_with_a_program_that_is_killed():
    run("""
    engine = SimpleEngine.popen_uci(BUSY)
    print(engine.pid, flush=True)
    stream = engine.analysis(Position())
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGKILL)
    """, status=-9)


@pytest.mark.parametrize("popen", [popen_uci, popen_ucci])
def test_a_loop_ends_at_once_although_a_task_searches(popen):
    async def main():
        engine = await popen(command("ucci" if popen is popen_ucci else "uci"), timeout=300)
        searching = asyncio.Event()
        tasks.append(asyncio.create_task(engine.analyse(Position(), Limit(depth=1000), on_line=lambda line: searching.set())))
        await searching.wait()
        return engine

    tasks, start = [], time.monotonic()
    engine = asyncio.run(main())
    assert tasks[0].cancelled() and time.monotonic() - start < 200 and ends(engine._process.pid) and engine.returncode == -signal.SIGKILL


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_stream_that_is_dropped_stops_its_search(protocol):
    async def main():
        async with await (popen_ucci if protocol == "ucci" else popen_uci)(command(protocol), timeout=30) as engine:
            async for line in engine.analysis(Position()):
                break
            return await asyncio.wait_for(engine.play(Position(), Limit(depth=2)), 60)

    assert asyncio.run(main()).move


@posix
def test_no_process_outlives_a_loop_that_ends_without_quit():
    run("""
    async def main():
        engine = await popen_uci(COMMAND)
        print(engine.pid, flush=True)
        stream = engine.analysis(Position())
        await anext(stream)

    asyncio.run(main())
    """)


@posix
def test_ctrl_c_ends_a_search_and_the_engine_goes_on():
    errors = run("""
    with SimpleEngine.popen_uci(COMMAND) as engine:
        print(engine.pid, flush=True)
        for call in (lambda: engine.analyse(Position(), Limit(depth=10**6)), lambda: list(engine.analysis(Position())),
                     lambda: engine.play(Position(), Limit(time=100))):
            ctrl_c_in(0.3)
            try:
                call()
                raise AssertionError
            except KeyboardInterrupt:
                pass
        assert engine.analyse(Position(), Limit(depth=2)).best
    """)
    assert not errors


@posix
def test_ctrl_c_ends_a_program_of_asyncio():
    run("""
    async def main():
        async with await popen_uci(COMMAND) as engine:
            print(engine.pid, flush=True)
            ctrl_c_in(0.3)
            await engine.analyse(Position(), Limit(depth=10**6))

    try:
        asyncio.run(main())
        raise AssertionError
    except KeyboardInterrupt:
        pass
    """)


@posix
def test_a_fork_leaves_the_engine_to_its_parent():
    run("""
    with SimpleEngine.popen_uci(COMMAND) as engine:
        print(engine.pid, flush=True)
        child = os.fork()
        if child == 0:
            try:
                engine.ping()
            except EngineError as error:
                assert "os.fork" in str(error)
                engine.quit()
                with SimpleEngine.popen_uci(COMMAND) as own:
                    assert own.play(Position(), Limit(depth=1)).move
                sys.exit(7)
            sys.exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert engine.play(Position(), Limit(depth=1)).move
    """)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_tasks_share_an_engine_and_a_cancelled_one_stops_only_its_own_search(protocol):
    async def main():
        popen = popen_ucci if protocol == "ucci" else popen_uci
        async with await popen(command(protocol)) as engine:
            running = asyncio.create_task(engine.analyse(Position(), Limit(time=1.5)))
            await asyncio.sleep(0.2)
            waiting = [asyncio.create_task(engine.analyse(Position(), Limit(depth=10**6))) for _ in range(3)]
            await asyncio.sleep(0.1)
            for task in waiting:
                task.cancel()
            assert all(isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*waiting, return_exceptions=True))
            assert not running.done() and (await running).time >= 1.4
            for delay in (0, 0.001, 0.01, 0.05, 0.2):
                search = asyncio.create_task(engine.analyse(Position(), Limit(depth=10**6)))
                await asyncio.sleep(delay)
                search.cancel()
                search.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await search
                assert (await engine.play(Position(), Limit(depth=2))).move
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.analyse(Position(), Limit(depth=10**6)), 0.2)
            async with engine.analysis(Position()) as stream:
                async for line in stream:
                    if line.depth > 3:
                        break
            assert (await stream.wait()).best
            pid = engine.pid
        assert ends(pid)

    asyncio.run(main())


def test_a_start_that_is_cancelled_leaves_no_process():
    before = children()

    async def main():
        for delay in (0, 0.01, 0.1, 0.5):
            task = asyncio.create_task(popen_uci(command("uci", "mute")))
            await asyncio.sleep(delay)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert children() == before


def test_options_of_both_protocols_are_read():
    assert read_option("option name Hash type spin default 16 min 1 max 64").max == 64
    assert read_option("option hashsize type spin min 16 max 1024 default 16").default == "16"
    assert read_option("option name Clear Hash type button").name == "Clear Hash"
    assert read_option("option idle type combo var none var small default none").var == ("none", "small")
    assert read_option("option name Book type string default <empty>").default == "<empty>"
    for other in ("option", "option name", "id name x", "option name type spin", ""):
        assert read_option(other) is None


def test_commands_are_those_of_the_protocol():
    game = Game(moves=["h2e2", "h9g7", "e2e6"])
    assert position_command(Dialect.UCI, game).endswith("w - - 0 1 moves h2e2 h9g7 e2e6")
    assert position_command(Dialect.UCI_VARIANT, game).endswith("moves h3e3 h10g8 e3e7")
    assert position_command(Dialect.UCCI, game) == f"position fen {game.fen()}"
    game.push("a9a8")
    assert position_command(Dialect.UCCI, game).endswith(" moves a9a8")
    clocks = Limit(red_clock=1.5, black_clock=2, red_inc=0.02, remaining_moves=None)
    assert go_uci(Dialect.UCI, clocks, None) == "go wtime 1500 btime 2000 winc 20"
    assert go_uci(Dialect.UCI, Limit(red_clock=0, red_inc=0), None) == "go wtime 1 winc 0"
    assert go_uci(Dialect.UCI, Limit(red_inc=0.02, remaining_moves=4), None) == "go winc 20 movestogo 4 infinite"
    assert go_ucci(Limit(red_clock=60, red_inc=0.3), True, False) == "go time 60 increment 0"
    assert go_uci(Dialect.UCI_VARIANT, Limit(depth=3, time=0.0001), [chuhe.Move("h2", "e2")]) == "go movetime 1 depth 3 searchmoves h3e3"
    assert go_uci(Dialect.UCI, Limit(), None) == "go infinite" == go_ucci(Limit(), True, True)
    assert go_ucci(clocks, True, True) == "go time 1500 increment 20 opptime 2000 oppincrement 0"
    assert go_ucci(Limit(black_clock=60, remaining_moves=4), False, False) == "go time 60 movestogo 4"
    assert go_ucci(Limit(time=1.5), True, True) == "go time 1500 movestogo 1" and go_ucci(Limit(depth=7), True, True) == "go depth 7"


def test_lines_of_engines_are_read():
    reader = Reader(Dialect.UCI, Game(moves=["h2e2"]))
    line = reader.line("info depth 9 seldepth 14 multipv 2 score cp -31 lowerbound wdl 10 800 190 nodes 5000 nps 900 hashfull 12 tbhits 0 time 55 pv h9g7 h0g2 a0a9")
    assert (line.depth, line.seldepth, line.multipv, line.bound, line.nodes, line.hashfull, line.time) == (9, 14, 2, "lower", 5000, 12, 0.055)
    assert line.score == chuhe.Score(-31) and line.score.red() == chuhe.Score(31) and line.wdl == chuhe.Wdl(10, 800, 190)
    assert [move.uci() for move in line.pv] == ["h9g7", "h0g2"], "the line ends before the first illegal move"
    assert reader.line("info score mate -4 depth 3 pv h9g7").score.mate == -4 and reader.line("info depth 2 score 57 pv h9g7").score.cp == 57
    for other in ("info string score cp 3 pv h9g7", "info depth 3", "info depth 3 score cp 5", "info depth 3 score cp 5 pv a0a1", "info currmove h9g7 currmovenumber 1"):
        assert reader.line(other) is None
    assert reader.answer("bestmove h9g7 ponder h0g2 draw").draw_offered and reader.answer("bestmove h9g7 ponder h0g2").ponder.uci() == "h0g2"
    assert reader.answer("bestmove h9g7 ponder a0a9").ponder is None
    for resignation in ("nobestmove", "bestmove (none)", "bestmove", "bestmove 0000", "bestmove h9g7 resign"):
        assert reader.answer(resignation).resigned
    for illegal in ("bestmove h2e2", "bestmove what"):
        with pytest.raises(EngineError):
            reader.answer(illegal)
    assert Reader(Dialect.UCI_VARIANT, Game()).answer("bestmove b1c3 ponder h10g8").move.uci() == "b0c2"


def test_the_lines_of_both_sides_are_logged(caplog):
    with caplog.at_level(logging.DEBUG, "chuhe.engine"), start("uci") as engine:
        engine.ping()
    texts = [record.getMessage() for record in caplog.records]
    assert any("<< isready" in text for text in texts) and any(">> readyok" in text for text in texts)
