"""A child process with pipes that carry lines of text; it is killed when its owner ends."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import ctypes
import functools
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence

from ..errors import EngineError

LOG = logging.getLogger("chuhe.engine")
# Maximum length of a line, in bytes; UCCI allows 1024.
LONGEST_LINE = 1 << 20

# Child processes that have not ended, and the ID of their parent: after a fork, the list in the child refers
# to processes of the parent.
_running: set[int] = set()
_owner = os.getpid()


def _kill(pid: int) -> None:
    """Kills a program and its child processes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)


@atexit.register
def _kill_all() -> None:
    if os.getpid() == _owner:
        for pid in list(_running):
            _kill(pid)


def _end_with_parent() -> Callable[[], object] | None:
    """Returns a function for the new process that makes Linux kill it when Python is killed, since some
    engines continue without input; `None` on other systems."""
    if sys.platform != "linux":
        return None
    set_parent_death_signal = 1
    return functools.partial(ctypes.PyDLL(None).prctl, set_parent_death_signal, signal.SIGKILL.value)


class Process:
    """A running program. `on_line` receives its lines, `on_end` its exit status, both in the loop."""

    def __init__(self, process: asyncio.subprocess.Process, on_line: Callable[[str], None], on_end: Callable[[int], None]) -> None:
        self._process, self._on_line, self._on_end = process, on_line, on_end
        self._tasks = [asyncio.create_task(self._read(process.stdout, on_line)), asyncio.create_task(self._read(process.stderr, self._note))]
        self._end = asyncio.create_task(self._watch())

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        on_line: Callable[[str], None],
        on_end: Callable[[int], None],
        *,
        cwd: str | os.PathLike[str] | None,
        env: Mapping[str, str] | None,
    ) -> Process:
        """Starts a program in its own session, so that Ctrl-C in the terminal reaches only Python. Raises
        `OSError`."""
        global _owner
        if os.getpid() != _owner:
            _owner = os.getpid()
            _running.clear()
        pipe = asyncio.subprocess.PIPE
        starting = asyncio.create_task(
            asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env,
                start_new_session=os.name == "posix", preexec_fn=_end_with_parent(),
            )
        )
        try:
            process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            # The program may have started in the meantime.
            with contextlib.suppress(OSError):
                process = await starting
                _kill(process.pid)
                await process.wait()
            raise
        _running.add(process.pid)
        return cls(process, on_line, on_end)

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, line: str) -> None:
        """Sends a line without checking that the program reads it."""
        LOG.debug("%d << %s", self.pid, line)
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(line.encode() + b"\n")

    def kill(self) -> None:
        """Kills the program and its child processes."""
        if not self._end.done():
            _kill(self.pid)

    async def end(self, patience: float) -> int:
        """Closes the program's input, waits for its end, and kills it after `patience` seconds. Returns its
        exit status."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait([self._end], timeout=patience)
        finally:
            self.kill()
        return await asyncio.shield(self._end)

    async def _watch(self) -> int:
        try:
            return await self._wait()
        except asyncio.CancelledError:
            # `asyncio.run` cancels all tasks at its end; without the readers, no response can arrive.
            if self._process.returncode is None:
                _kill(self.pid)
            _running.discard(self.pid)
            self._on_end(-signal.SIGKILL)
            raise

    async def _wait(self) -> int:
        """Waits until the program and the readers have ended, reports the end and returns the exit status."""
        # asyncio also waits for the pipes, which may be held open by a child process in the program's group.
        waiting = asyncio.create_task(self._process.wait())
        while self._process.returncode is None and not waiting.done():
            await asyncio.wait([waiting], timeout=0.1)
        _kill(self.pid)
        await asyncio.wait([waiting], timeout=1)
        waiting.cancel()
        status = self._process.returncode
        status = -signal.SIGKILL if status is None else status
        _running.discard(self.pid)
        await asyncio.wait(self._tasks, timeout=1)
        for task in self._tasks:
            task.cancel()
        LOG.debug("%d ended with status %d", self.pid, status)
        self._on_end(status)
        return status

    def _note(self, line: str) -> None:
        LOG.debug("%d !! %s", self.pid, line)

    async def _read(self, stream: asyncio.StreamReader | None, on_line: Callable[[str], None]) -> None:
        assert stream is not None
        rest = b""
        while chunk := await stream.read(1 << 16):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                text = line.decode(errors="replace").strip()
                LOG.debug("%d >> %s", self.pid, text)
                on_line(text)
            if len(rest) > LONGEST_LINE:
                LOG.error("%d writes a line of more than %d bytes", self.pid, LONGEST_LINE)
                self.kill()
                return


def command_of(command: str | os.PathLike[str] | Sequence[str]) -> list[str]:
    """Returns a command as a list, given a path or a program with arguments. Raises `EngineError` if it is
    empty."""
    words = [os.fspath(command)] if isinstance(command, (str, os.PathLike)) else [os.fspath(word) for word in command]
    if not words or not words[0]:
        raise EngineError("the command of the engine is empty")
    return words
