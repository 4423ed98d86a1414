"""Sandboxes of this process, for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING

from . import _native
from ._native import ExecResult
from .contexts import AsyncContext, beginning
from .files import AsyncBackendFiles
from .results import Change, FileEvent
from .sandbox import checked, number
from .settings import Command, Content, Limits, Mount, Secret, described, run

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["AsyncFiles", "AsyncProcess", "AsyncSandbox", "AsyncSession", "AsyncTerminal", "AsyncWatcher"]


class AsyncFiles(AsyncBackendFiles):
    """The files of a virtual sandbox; as `Files`, with await."""

    _native: _native.Sandbox

    async def write_many(self, files: Mapping[str, Content]) -> None:
        """Writes several files: all, or none of them."""
        await self._native.write_many(False, list(files.items()))

    async def copy(self, source: str, target: str, *, recursive: bool = False) -> None:
        """Copies a file, or with `recursive` a directory."""
        await self._native.copy(False, source, target, recursive)

    async def export_tar(self, path: str = ".") -> bytes:
        """A directory as a tar archive."""
        return await self._native.export_tar(False, path)

    async def import_tar(self, archive: Content, path: str = ".") -> None:
        """Unpacks a tar archive into a directory: all of it, or nothing."""
        await self._native.import_tar(False, path, archive)

    async def watch(self, path: str = ".", *, recursive: bool = False, exclude: Iterable[str] = ()) -> AsyncWatcher:
        """Watches a directory, with `recursive` all below it, without what the globs of `exclude` match."""
        return AsyncWatcher(await self._native.watch(False, path, recursive, list(exclude)))


class AsyncProcess:
    """A script that runs. Iterating gives its standard output, piece by piece."""

    def __init__(self, native: _native.Process) -> None:
        self._native = native

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (piece := await self._native.read_stdout(False)) is not None:
            yield piece

    async def stderr(self) -> AsyncIterator[bytes]:
        """Standard error, piece by piece."""
        while (piece := await self._native.read_stderr(False)) is not None:
            yield piece

    async def write(self, data: Content) -> None:
        """Writes to standard input; waits while the script does not read."""
        await self._native.write(False, data)

    async def close_stdin(self) -> None:
        """Ends standard input."""
        await self._native.close_stdin(False)

    def signal(self, signal: str | int) -> None:
        """Sends a signal, which a trap may take."""
        self._native.signal(number(signal))

    async def kill(self) -> None:
        """Ends it with all that it started."""
        await self._native.kill(False)

    async def wait(self) -> int:
        """Waits for its end; the exit status. Output that nobody has read by then is dropped."""
        return await self._native.wait(False)


class AsyncTerminal:
    """A shell that is typed to: it prompts, and keeps its state and its jobs from line to line.

    Both outputs come in one stream, prompts included. It does not echo: that is the part of whoever shows it.
    """

    def __init__(self, native: _native.Terminal) -> None:
        self._native = native

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (piece := await self._native.read(False)) is not None:
            yield piece

    async def turn(self) -> bytes | None:
        """What is written until something inside waits for a line; nothing where the shell ended."""
        return await self._native.turn(False)

    async def write(self, data: Content) -> None:
        """Types: a line with its end. Fine while somebody else reads."""
        await self._native.write(False, data)

    async def end_input(self) -> None:
        """Ctrl-D at the start of a line: at the prompt the shell ends."""
        await self._native.end_input(False)

    async def interrupt(self) -> None:
        """Ctrl-C: ends what runs in the foreground, and the line that is typed."""
        await self._native.interrupt(False)

    async def wait(self) -> int:
        """Closes the input and waits for the end; the exit status."""
        return await self._native.wait(False)


class AsyncWatcher:
    """Tells what changes below a directory from the moment it was made; iterating waits for the next changes."""

    def __init__(self, native: _native.Watcher) -> None:
        self._native = native

    async def __aiter__(self) -> AsyncIterator[list[FileEvent]]:
        while True:
            yield await self.next()

    async def next(self) -> list[FileEvent]:
        """Waits until something happened, and tells it in the order of paths."""
        return [FileEvent(*event) for event in await self._native.next(False)]

    async def look(self) -> list[FileEvent]:
        """What happened since the last look; empty where nothing did."""
        return [FileEvent(*event) for event in await self._native.look(False)]


class AsyncSession:
    """Shell state that lives from one execution to the next; as `Session`, with await."""

    def __init__(self, native: _native.Session) -> None:
        self._native = native

    async def exec(
        self,
        script: str | bytes,
        *arguments: str | bytes,
        stdin: Content | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
        check: bool = False,
    ) -> ExecResult:
        """Runs a script in the session's state; see `AsyncSandbox.exec`."""
        result = await self._native.exec(False, run(script, arguments, stdin, env, None, timeout))
        return checked(result, check)

    async def fork(self) -> AsyncSession:
        """The same state in a branch of the sandbox."""
        return AsyncSession(await self._native.fork(False))

    async def export(self) -> bytes:
        """The state as bytes, for `load_session`, here or elsewhere."""
        return await self._native.export(False)

    @property
    def sandbox(self) -> AsyncSandbox:
        """The sandbox that it runs in; of a fork, the branch."""
        return AsyncSandbox._of(self._native.sandbox())


class AsyncSandbox:
    """A virtual sandbox for asyncio; as `Sandbox`, with await. Cancelling a task ends what it runs."""

    _native: _native.Sandbox

    def __init__(
        self,
        *,
        files: Mapping[str, Content] | None = None,
        imports: Mapping[str, str] | None = None,
        mounts: Iterable[Mount] = (),
        env: Mapping[str, str] | None = None,
        clear_env: bool = False,
        cwd: str | None = None,
        network: Iterable[str] = (),
        secrets: Iterable[Secret] = (),
        commands: Mapping[str, Command] | None = None,
        limits: Limits | None = None,
        seed: int | None = None,
    ) -> None:
        """Makes one; see `Sandbox`. Coroutines among `commands` run in the loop that runs now."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        self._native = _native.Sandbox(
            described(
                files=files,
                imports=imports,
                mounts=mounts,
                env=env,
                clear_env=clear_env,
                cwd=cwd,
                network=network,
                secrets=secrets,
                commands=commands,
                limits=limits,
                seed=seed,
                loop=loop,
            )
        )

    @classmethod
    def _of(cls, native: _native.Sandbox) -> Self:
        sandbox = cls.__new__(cls)
        sandbox._native = native
        return sandbox

    @property
    def cwd(self) -> str:
        """The working directory that relative paths start from."""
        return self._native.cwd

    @property
    def files(self) -> AsyncFiles:
        """Its files."""
        return AsyncFiles(self._native)

    async def exec(
        self,
        script: str | bytes,
        *arguments: str | bytes,
        stdin: Content | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
        check: bool = False,
        on_stdout: Callable[[bytes], object] | None = None,
        on_stderr: Callable[[bytes], object] | None = None,
    ) -> ExecResult:
        """Runs a script to its end from fresh shell state; see `Sandbox.exec`."""
        asked = run(script, arguments, stdin, env, cwd, timeout)
        return checked(await self._native.exec(False, asked, on_stdout, on_stderr), check)

    def spawn(
        self,
        script: str | bytes,
        *arguments: str | bytes,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> AsyncProcess:
        """Starts a script and returns at once, with its streams."""
        return AsyncProcess(self._native.spawn(run(script, arguments, None, env, cwd, timeout)))

    def terminal(
        self,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> AsyncTerminal:
        """Starts an interactive shell, for whoever shows it to a person."""
        return AsyncTerminal(self._native.terminal(run("", (), None, env, cwd, timeout)))

    def session(self) -> AsyncSession:
        """Shell state that lives from one execution to the next."""
        return AsyncSession(self._native.session())

    def load_session(self, state: bytes) -> AsyncSession:
        """A session that goes on with what `export` gave."""
        return AsyncSession(_native.Session.load(self._native, state))

    async def context(
        self,
        language: str = "python",
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        interruptible: bool = True,
    ) -> AsyncContext:
        """Starts an interpreter that keeps its state from cell to cell: `python`, `javascript` or `bash`.

        Without `interruptible`, an interrupt or a time-out ends it with all that it holds, instead of raising an exception
        in it.
        """
        return AsyncContext(await self._native.context(False, beginning(language, cwd, env, interruptible)))

    @staticmethod
    async def warm() -> None:
        """Loads the shell and all commands now, on all cores, instead of each when it is first run.

        A package that was built without `embed` compiles them on the first run on a machine, which takes seconds, and keeps
        that for later processes: call it while an image is built. `UnavailableError` where that fails.
        """
        await _native.Sandbox.warm(False)

    def contexts(self) -> list[AsyncContext]:
        """The contexts that are there: closed ones, and those that nobody holds any more, are not."""
        return [AsyncContext(native) for native in self._native.contexts()]

    def find_context(self, id: str) -> AsyncContext:
        """The context of this id; `NotFoundError` for one that was closed or is another sandbox's."""
        return AsyncContext(self._native.find_context(id))

    def fork(self) -> Self:
        """An independent copy in constant time, whatever its size."""
        return self._of(self._native.fork())

    def fork_many(self, count: int) -> list[Self]:
        """As many independent copies as asked for."""
        return [self._of(native) for native in self._native.fork_many(count)]

    def diff(self, after: AsyncSandbox) -> list[Change]:
        """What differs in a branch of this one."""
        return [Change(*change) for change in self._native.diff(after._native)]

    async def close(self) -> None:
        """Ends it, with what runs. Branches are not affected."""
        await self._native.close(False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
