"""Interpreters of a sandbox, that keep variables, imports and functions from cell to cell."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "AsyncCellRun",
    "AsyncContext",
    "CellError",
    "CellEvent",
    "CellOutcome",
    "CellResult",
    "CellRun",
    "Context",
]


@dataclass(frozen=True)
class CellResult:
    """A value that a cell shows: that of its last expression, or what it gave to `display`."""

    main: bool
    """It is the value of the last expression."""
    data: dict[str, Any]
    """What it looks like, by MIME types: `text/plain` is its `repr`; binary types such as `image/png` are in Base64."""

    @property
    def text(self) -> str | None:
        """What it looks like as plain text."""
        return self.data.get("text/plain")


@dataclass(frozen=True)
class CellError:
    """The exception that ended a cell. In Bash it is a status that is not 0: the name is `ExitStatus`."""

    name: str
    """`ZeroDivisionError`; `KeyboardInterrupt` where the cell was interrupted."""
    value: str
    """What it says."""
    traceback: str
    """Where it came from, for people."""


@dataclass(frozen=True)
class CellEvent:
    """Something that a cell does; what belongs to the kind is set."""

    kind: str
    """`started`, `stdout`, `stderr`, `result` or `error`."""
    number: int | None = None
    """Which cell of its context has started."""
    data: bytes | None = None
    """What it wrote."""
    result: CellResult | None = None
    error: CellError | None = None


@dataclass(frozen=True)
class CellOutcome:
    """What a cell gave, once it has ended. An exception is a result like any other."""

    number: int
    """Which cell of its context it was, from 1."""
    stdout_bytes: bytes = field(repr=False)
    stderr_bytes: bytes = field(repr=False)
    results: list[CellResult]
    """The values that it showed, in order."""
    error: CellError | None
    """The exception that ended it."""
    timed_out: bool
    """Whether its time-out ended it."""

    @property
    def stdout(self) -> str:
        """Standard output as text; what is not UTF-8 is replaced."""
        return self.stdout_bytes.decode(errors="replace")

    @property
    def stderr(self) -> str:
        """Standard error as text; what is not UTF-8 is replaced."""
        return self.stderr_bytes.decode(errors="replace")

    @property
    def text(self) -> str | None:
        """The value of the last expression as plain text."""
        return next((result.text for result in self.results if result.main), None)

    @property
    def ok(self) -> bool:
        """Whether it ended without an exception."""
        return self.error is None


def _shown(raw: tuple[bool, str]) -> CellResult:
    return CellResult(raw[0], json.loads(raw[1]))


def _event(raw: tuple[str, Any]) -> CellEvent:
    kind, value = raw
    if kind == "started":
        return CellEvent(kind, number=value)
    if kind == "result":
        return CellEvent(kind, result=_shown(value))
    if kind == "error":
        return CellEvent(kind, error=CellError(*value))
    return CellEvent(kind, data=value)


def _outcome(raw: _native._Outcome) -> CellOutcome:
    number, stdout, stderr, results, error, timed_out = raw
    failed = CellError(*error) if error is not None else None
    return CellOutcome(number, stdout, stderr, [_shown(result) for result in results], failed, timed_out)


def _cell(code: str, env: Mapping[str, str] | None, timeout: float | None) -> dict[str, Any]:
    return {"code": code, "env": list((env or {}).items()), "timeout": timeout}


def _listener(
    on_stdout: Callable[[bytes], object] | None,
    on_stderr: Callable[[bytes], object] | None,
    on_result: Callable[[CellResult], object] | None,
) -> Callable[[tuple[str, Any]], None] | None:
    """One function for what a cell does, or none where nobody listens."""
    if on_stdout is None and on_stderr is None and on_result is None:
        return None

    def told(raw: tuple[str, Any]) -> None:
        kind, value = raw
        if kind == "stdout" and on_stdout is not None:
            on_stdout(value)
        elif kind == "stderr" and on_stderr is not None:
            on_stderr(value)
        elif kind == "result" and on_result is not None:
            on_result(_shown(value))

    return told


def beginning(
    language: str, cwd: str | None, env: Mapping[str, str] | None, interruptible: bool
) -> dict[str, Any]:
    """What a context begins with, as the native half reads it."""
    return {
        "language": language,
        "cwd": cwd,
        "env": list((env or {}).items()),
        "interruptible": interruptible,
    }


class CellRun:
    """A cell that runs. Iterating tells what it does as it happens; a slow reader slows it down."""

    def __init__(self, native: _native.CellRun) -> None:
        self._native = native

    def __iter__(self) -> Iterator[CellEvent]:
        while (event := self._native.next(True)) is not None:
            yield _event(event)

    @property
    def timed_out(self) -> bool:
        """Whether its time-out has passed."""
        return self._native.timed_out

    def close(self) -> None:
        """Interrupts the cell where it runs still. Only then does the context take the next one."""
        self._native.close(True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Context:
    """An interpreter that keeps its state from cell to cell. Cells of one context run one after the other.

    It ends where its sandbox is closed or suspended; what is called on it then raises `UnavailableError`. A branch, and the
    sandbox once it wakes, have it under the same id with what it held, unless it is in JavaScript, had a file, a socket or a
    process open, or a cell was running: then its first cell raises `ConflictError`, which names what was open.

    >>> from offshoot import Sandbox
    >>> with Sandbox() as sandbox, sandbox.context("bash") as context:
    ...     _ = context.run("cd /tmp; greet() { echo hello from $PWD; }")
    ...     context.run("greet").stdout
    'hello from /tmp\\n'
    """

    def __init__(self, native: _native.Context) -> None:
        self._native = native

    @property
    def id(self) -> str:
        """Its name, for `Sandbox.find_context`: unguessable, and the same as long as it lives."""
        return self._native.id

    @property
    def language(self) -> str:
        """What its cells are written in: `python`, `javascript` or `bash`."""
        return self._native.language

    @property
    def cwd(self) -> str:
        """The working directory that it began in."""
        return self._native.cwd

    def run(
        self,
        code: str,
        *,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
        on_stdout: Callable[[bytes], object] | None = None,
        on_stderr: Callable[[bytes], object] | None = None,
        on_result: Callable[[CellResult], object] | None = None,
    ) -> CellOutcome:
        """Runs a cell to its end. An exception is a result, and so are an interrupt and a time-out that it followed.

        A cell that does not follow an interrupt within two seconds is ended with all that the context holds, and raises.
        Ctrl-C interrupts the cell.
        """
        listener = _listener(on_stdout, on_stderr, on_result)
        return _outcome(self._native.run(True, _cell(code, env, timeout), listener))

    def start(self, code: str, *, env: Mapping[str, str] | None = None, timeout: float | None = None) -> CellRun:
        """Starts a cell once those before it have ended, and gives what it does as it happens."""
        return CellRun(self._native.start(True, _cell(code, env, timeout)))

    def interrupt(self) -> None:
        """Ends the cell that runs by a `KeyboardInterrupt`, in Bash by SIGINT. What the context holds stays."""
        self._native.interrupt()

    def restart(self) -> None:
        """Begins afresh, without what it held. A cell that runs is ended."""
        self._native.restart(True)

    def close(self) -> None:
        """Ends it, with a cell that runs. Doing it twice is fine."""
        self._native.close(True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncCellRun:
    """A cell that runs; as `CellRun`, with await."""

    def __init__(self, native: _native.CellRun) -> None:
        self._native = native

    async def __aiter__(self) -> AsyncIterator[CellEvent]:
        while (event := await self._native.next(False)) is not None:
            yield _event(event)

    @property
    def timed_out(self) -> bool:
        """Whether its time-out has passed."""
        return self._native.timed_out

    async def close(self) -> None:
        """Interrupts the cell where it runs still. Only then does the context take the next one."""
        await self._native.close(False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncContext:
    """An interpreter that keeps its state from cell to cell; as `Context`, with await.

    Cancelling a task interrupts the cell that it runs.
    """

    def __init__(self, native: _native.Context) -> None:
        self._native = native

    @property
    def id(self) -> str:
        """Its name, for `AsyncSandbox.find_context`: unguessable, and the same as long as it lives."""
        return self._native.id

    @property
    def language(self) -> str:
        """What its cells are written in: `python`, `javascript` or `bash`."""
        return self._native.language

    @property
    def cwd(self) -> str:
        """The working directory that it began in."""
        return self._native.cwd

    async def run(
        self,
        code: str,
        *,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
        on_stdout: Callable[[bytes], object] | None = None,
        on_stderr: Callable[[bytes], object] | None = None,
        on_result: Callable[[CellResult], object] | None = None,
    ) -> CellOutcome:
        """Runs a cell to its end; see `Context.run`. The functions are called on a thread of their own."""
        listener = _listener(on_stdout, on_stderr, on_result)
        return _outcome(await self._native.run(False, _cell(code, env, timeout), listener))

    async def start(
        self, code: str, *, env: Mapping[str, str] | None = None, timeout: float | None = None
    ) -> AsyncCellRun:
        """Starts a cell once those before it have ended, and gives what it does as it happens."""
        return AsyncCellRun(await self._native.start(False, _cell(code, env, timeout)))

    def interrupt(self) -> None:
        """Ends the cell that runs by a `KeyboardInterrupt`, in Bash by SIGINT. What the context holds stays."""
        self._native.interrupt()

    async def restart(self) -> None:
        """Begins afresh, without what it held. A cell that runs is ended."""
        await self._native.restart(False)

    async def close(self) -> None:
        """Ends it, with a cell that runs. Doing it twice is fine."""
        await self._native.close(False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
