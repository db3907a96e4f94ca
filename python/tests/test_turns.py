"""Threads, forks, signals and tasks that use the same engine: they wait for their turn, and ending one does
not affect the others.

Each program runs in a separate process, since a failure may be a hang.
"""

import os
import subprocess
import sys
import textwrap

import pytest

PROLOGUE = """
import asyncio, os, signal, sys, tempfile, threading, time
import chuhe
from chuhe import AsyncEngine, Engine, EngineError, Limit, Position

signal.signal(signal.SIGINT, signal.default_int_handler)

def ctrl_c_in(seconds):
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

def raises(kind, call):
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError(f"{call} did not raise")
"""

posix = pytest.mark.skipif(os.name != "posix", reason="signals are sent and processes forked as POSIX does")


def run(program, seconds=180, status=0):
    code = PROLOGUE + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=seconds)
    assert done.returncode == status and "panicked" not in done.stderr, done.stdout + done.stderr
    return done.stdout


FORK = """
engine, book, busy = Engine(hash_mb=1, threads=2), chuhe.Book(), Engine(hash_mb=1)
file = os.path.join(tempfile.mkdtemp(), "games.db")
library = chuhe.Library(file, add=True)
engine.analyse(Position(), Limit(depth=3))
stream = busy.analysis(Position())
next(stream)
child = os.fork()
if child:
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    stream.stop()
    assert engine.analyse(Position(), Limit(depth=3)).best and stream.wait().best and len(library) == 0
    sys.exit(status)
"""


@posix
@pytest.mark.parametrize("end", ["engine = busy = Engine(hash_mb=1); engine.analyse(Position(), Limit(depth=3))", "del engine, busy", "sys.exit(0)", "pass"])
def test_a_child_neither_uses_nor_drops_an_engine_of_its_parent(end):
    calls = """
    for used in (engine, busy):
        for call in (lambda: used.analyse(Position(), Limit(depth=1)), lambda: used.play(Position()), lambda: used.evaluate(Position()),
                     lambda: used.review(Position()), lambda: used.analysis(Position()), lambda: used.configure(level=3), lambda: used.options,
                     lambda: used.closed, used.stop, used.new_game, used.close):
            assert "os.fork" in raises(EngineError, call)
        assert "another process" in repr(used)
        assert "os.fork" in raises(EngineError, lambda: asyncio.run(AsyncEngine(used).analyse(Position(), Limit(depth=1))))
    raises(chuhe.BookError, lambda: book.moves(Position()))
    raises(chuhe.LibraryError, lambda: len(library))
    """
    run(FORK + textwrap.dedent(calls) + end)


@posix
def test_multiprocessing_forks_with_an_engine_at_hand():
    run("""
    import multiprocessing
    engine = Engine(hash_mb=1)
    engine.analyse(Position(), Limit(depth=2))

    def best(_):
        global engine
        engine = Engine(hash_mb=1)
        return engine.analyse(Position(), Limit(depth=3)).best

    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert len(set(pool.map(best, range(6)))) == 1
    """)


def test_a_callback_that_uses_its_engine_raises_instead_of_waiting_for_itself():
    run("""
    engine, seen = Engine(hash_mb=1), []

    def on_line(line):
        for call in (lambda: engine.analyse(Position(), Limit(depth=1)), lambda: engine.evaluate(Position()), engine.new_game, engine.close,
                     lambda: engine.configure(level=2), lambda: engine.play(Position()), lambda: engine.review(Position()),
                     lambda: engine.analysis(Position())):
            seen.append(raises(EngineError, call))
        assert engine.options["level"] == 10 and repr(engine).startswith("Engine(")
        engine.stop()

    assert engine.analyse(Position(), on_line=on_line).best and len(seen) >= 8 and not engine.closed
    assert all("callback" in message for message in seen)
    engine.analyse(Position(), Limit(depth=2))
    """)


def test_an_error_of_a_callback_leaves_the_engine_usable():
    run("""
    engine = Engine(hash_mb=1)

    def on_line(line):
        engine.analyse(Position(), Limit(depth=1))

    assert "callback" in raises(EngineError, lambda: engine.analyse(Position(), Limit(depth=9), on_line=on_line))
    assert engine.analyse(Position(), Limit(depth=2)).best
    """)


@posix
@pytest.mark.parametrize("call", [
    "engine.analyse(Position(), Limit(depth=1))", "engine.evaluate(Position())", "engine.new_game()", "engine.configure(level=3)",
    "engine.play(Position())", "engine.review(Position())",
])
def test_ctrl_c_ends_a_call_that_waits_for_another_thread(call):
    run(f"""
    engine = Engine(hash_mb=1)
    stream = engine.analysis(Position())
    next(stream)
    ctrl_c_in(0.3)
    start = time.monotonic()
    raises(KeyboardInterrupt, lambda: {call})
    assert time.monotonic() - start < 30
    assert stream.empty() is not None and stream._thread.is_alive(), "the other search goes on"
    stream.stop()
    assert stream.wait().best and engine.analyse(Position(), Limit(depth=2)).best
    """)


@posix
def test_ctrl_c_ends_searches_and_a_perft_that_would_take_years():
    run("""
    engine = Engine(hash_mb=1)
    for call in (lambda: engine.analyse(Position(), Limit(time=1000)), lambda: list(engine.analysis(Position())), lambda: Position().perft(12),
                 lambda: engine.review(chuhe.Game(moves=["h2e2"] ), nodes=10**12)):
        ctrl_c_in(0.3)
        raises(KeyboardInterrupt, call)
    assert engine.analyse(Position(), Limit(depth=2)).best
    """)


def test_ctrl_c_in_the_first_call_that_returns_an_array_is_raised():
    run("""
    import _thread, itertools

    def interrupted():
        # The second iterator interrupts the program before it ends, and no Python code runs after it.
        positions = itertools.chain([chuhe.STARTING_FEN], iter(_thread.interrupt_main, None))
        chuhe.boards(positions)

    raises(KeyboardInterrupt, interrupted)
    """)


def test_a_stop_ends_its_own_search_and_no_other():
    run("""
    engine, stop = Engine(hash_mb=1), threading.Event()
    stream = engine.analysis(Position())
    next(stream)
    threading.Timer(0.2, stop.set).start()
    assert "busy" in raises(EngineError, lambda: engine.analyse(Position(), Limit(depth=1), stop=stop))
    assert stream._thread.is_alive()
    stream.stop()
    stream.wait()
    assert engine.analyse(Position(), stop=stop).best, "a stop that is set ends a search at once"
    raises(AttributeError, lambda: engine.analyse(Position(), stop=3))
    """)


def test_tasks_run_meanwhile_and_a_cancelled_one_ends_its_search():
    run("""
    async def main():
        async with AsyncEngine(Engine(hash_mb=1)) as engine:
            search = asyncio.create_task(engine.analyse(Position(), Limit(time=1000)))
            for _ in range(5):
                await asyncio.sleep(0.01)
            assert not search.done()
            search.cancel()
            try:
                await search
                raise AssertionError
            except asyncio.CancelledError:
                pass
            assert (await engine.analyse(Position(), Limit(depth=3))).depth == 3
        raises(EngineError, lambda: engine.engine.analyse(Position(), Limit(depth=1)))

    asyncio.run(main())
    """)


@pytest.mark.parametrize("shared", [True, False], ids=["one AsyncEngine", "two of one Engine"])
def test_a_cancelled_task_that_waits_leaves_the_running_search_alone(shared):
    run(f"""
    async def main():
        engine = Engine(hash_mb=1)
        first = AsyncEngine(engine)
        second = first if {shared} else AsyncEngine(engine)
        running = asyncio.create_task(first.analyse(Position(), Limit(time=5)))
        await asyncio.sleep(0.1)
        waiting = [asyncio.create_task(second.analyse(Position(), Limit(depth=30))) for _ in range(4)]
        await asyncio.sleep(0.1)
        for task in waiting:
            task.cancel()
        assert all(isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*waiting, return_exceptions=True))
        assert not running.done()
        assert (await running).time >= 4.9
        assert (await second.analyse(Position(), Limit(depth=3))).best

    asyncio.run(main())
    """)


def test_streams_of_tasks_are_read_and_stopped():
    run("""
    async def main():
        engine = AsyncEngine(Engine(hash_mb=1))
        async with engine.analysis(Position(), lines=2) as stream:
            async for line in stream:
                if line.depth >= 5:
                    break
        assert (await stream.wait()).best and [line.multipv for line in stream.lines] == [1, 2]
        assert [line.depth async for line in engine.analysis(Position(), Limit(depth=4))][-1] == 4
        async for line in engine.analysis(Position()):
            break
        assert (await asyncio.wait_for(engine.play(Position(), Limit(depth=2)), 60)).move, "a stream that is dropped stops its search"
        try:
            await engine.analyse(Position())
            raise AssertionError
        except ValueError:
            pass

    asyncio.run(main())
    """)


@pytest.mark.parametrize("end", ["pass", "sys.exit(0)", "raise KeyError"])
def test_a_program_ends_while_searches_run(end):
    program = f"""
    engine, other, third = (Engine(hash_mb=1) for _ in range(3))
    stream = engine.analysis(Position())
    next(stream)
    threading.Thread(target=lambda: other.analyse(Position(), Limit(time=1000)), daemon=True).start()
    threading.Thread(target=lambda: other.analyse(Position(), Limit(time=1000)), daemon=True).start()
    threading.Thread(target=lambda: third.analyse(Position(), Limit(time=1000), on_line=print), daemon=True).start()
    time.sleep(0.3)
    {end}
    """
    for _ in range(5):
        run(program, status=1 if end.startswith("raise") else 0)


@pytest.mark.parametrize("call", [
    "engine.analyse(Position(), Limit(time=1000), on_line=busy)", "engine.analyse(Position(), Limit(time=1000), stop=Stop())",
    "chuhe.boards(busy() or Position() for _ in range(10**9))",
])
def test_a_program_ends_while_python_code_runs_below_rust(call):
    """Python before 3.14 unwinds the stack of a thread that then needs the GIL, and Rust aborts on this."""
    run(f"""
    def busy(line=None):
        for _ in range(10**6):
            pass

    class Stop:
        def is_set(self):
            busy()

    engine = Engine(hash_mb=1)
    threading.Thread(target=lambda: {call}, daemon=True).start()
    time.sleep(0.3)
    """)
