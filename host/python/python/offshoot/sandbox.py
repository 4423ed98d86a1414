"""Sandboxes of this process, synchronous."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING

from . import _native
from ._native import ExecResult
from .contexts import Context, beginning
from .errors import ExecError
from .files import BackendFiles
from .results import Change, FileEvent
from .settings import Command, Content, Limits, Mount, Secret, described, run

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Files", "Process", "Sandbox", "Session", "Terminal", "Watcher", "number"]

_SIGNALS = {"HUP": 1, "INT": 2, "QUIT": 3, "KILL": 9, "USR1": 10, "USR2": 12, "TERM": 15, "CONT": 18, "STOP": 19}


def number(signal: str | int) -> int:
    """The number of a signal, by name (`TERM`, `SIGTERM`) or number."""
    if isinstance(signal, int):
        return signal
    try:
        return _SIGNALS[signal.upper().removeprefix("SIG")]
    except KeyError:
        raise ValueError(f"{signal}: there is no such signal") from None


def checked(result: ExecResult, check: bool) -> ExecResult:
    """The result, or an exception where it must have ended well and did not."""
    if check and result.exit_code != 0:
        raise ExecError(result)
    return result


class Files(BackendFiles):
    """The files of a virtual sandbox. Relative paths start at its working directory."""

    _native: _native.Sandbox

    def write_many(self, files: Mapping[str, Content]) -> None:
        """Writes several files: all, or none of them."""
        self._native.write_many(True, list(files.items()))

    def copy(self, source: str, target: str, *, recursive: bool = False) -> None:
        """Copies a file, or with `recursive` a directory."""
        self._native.copy(True, source, target, recursive)

    def export_tar(self, path: str = ".") -> bytes:
        """A directory as a tar archive."""
        return self._native.export_tar(True, path)

    def import_tar(self, archive: Content, path: str = ".") -> None:
        """Unpacks a tar archive into a directory: all of it, or nothing."""
        self._native.import_tar(True, path, archive)

    def watch(self, path: str = ".", *, recursive: bool = False, exclude: Iterable[str] = ()) -> Watcher:
        """Watches a directory, with `recursive` all below it, without what the globs of `exclude` match."""
        return Watcher(self._native.watch(True, path, recursive, list(exclude)))


class Process:
    """A script that runs. Iterating gives its standard output, piece by piece."""

    def __init__(self, native: _native.Process) -> None:
        self._native = native

    def __iter__(self) -> Iterator[bytes]:
        while (piece := self._native.read_stdout(True)) is not None:
            yield piece

    def stderr(self) -> Iterator[bytes]:
        """Standard error, piece by piece."""
        while (piece := self._native.read_stderr(True)) is not None:
            yield piece

    def write(self, data: Content) -> None:
        """Writes to standard input; waits while the script does not read."""
        self._native.write(True, data)

    def close_stdin(self) -> None:
        """Ends standard input."""
        self._native.close_stdin(True)

    def signal(self, signal: str | int) -> None:
        """Sends a signal, which a trap may take."""
        self._native.signal(number(signal))

    def kill(self) -> None:
        """Ends it with all that it started."""
        self._native.kill(True)

    def wait(self) -> int:
        """Waits for its end; the exit status. Output that nobody has read by then is dropped."""
        return self._native.wait(True)


class Terminal:
    """A shell that is typed to: it prompts, and keeps its state and its jobs from line to line.

    Both outputs come in one stream, prompts included. It does not echo: that is the part of whoever shows it.
    """

    def __init__(self, native: _native.Terminal) -> None:
        self._native = native

    def __iter__(self) -> Iterator[bytes]:
        while (piece := self._native.read(True)) is not None:
            yield piece

    def turn(self) -> bytes | None:
        """What is written until something inside waits for a line; nothing where the shell ended."""
        return self._native.turn(True)

    def write(self, data: Content) -> None:
        """Types: a line with its end. Fine while somebody else reads."""
        self._native.write(True, data)

    def end_input(self) -> None:
        """Ctrl-D at the start of a line: at the prompt the shell ends."""
        self._native.end_input(True)

    def interrupt(self) -> None:
        """Ctrl-C: ends what runs in the foreground, and the line that is typed."""
        self._native.interrupt(True)

    def wait(self) -> int:
        """Closes the input and waits for the end; the exit status."""
        return self._native.wait(True)


class Watcher:
    """Tells what changes below a directory from the moment it was made; iterating waits for the next changes."""

    def __init__(self, native: _native.Watcher) -> None:
        self._native = native

    def __iter__(self) -> Iterator[list[FileEvent]]:
        while True:
            yield self.next()

    def next(self) -> list[FileEvent]:
        """Waits until something happened, and tells it in the order of paths."""
        return [FileEvent(*event) for event in self._native.next(True)]

    def look(self) -> list[FileEvent]:
        """What happened since the last look; empty where nothing did."""
        return [FileEvent(*event) for event in self._native.look(True)]


class Session:
    """Shell state that lives from one execution to the next: directory, variables, functions, options."""

    def __init__(self, native: _native.Session) -> None:
        self._native = native

    def exec(
        self,
        script: str | bytes,
        *arguments: str | bytes,
        stdin: Content | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
        check: bool = False,
    ) -> ExecResult:
        """Runs a script in the session's state; see `Sandbox.exec`."""
        return checked(self._native.exec(True, run(script, arguments, stdin, env, None, timeout)), check)

    def fork(self) -> Session:
        """The same state in a branch of the sandbox."""
        return Session(self._native.fork(True))

    def export(self) -> bytes:
        """The state as bytes, for `Sandbox.load_session`, here or elsewhere."""
        return self._native.export(True)

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox that it runs in; of a fork, the branch."""
        return Sandbox._of(self._native.sandbox())


class Sandbox:
    """A virtual sandbox: a bash-compatible shell and the usual Unix commands over files in memory.

    >>> with Sandbox(files={"/home/user/words": "pear\\nfig\\n"}) as sandbox:
    ...     sandbox.exec("sort words | head -n 1").stdout
    'fig\\n'
    """

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
        """Makes one.

        `files` are written at once, `imports` copies folders of the host, `mounts` shows them. `network` lists what
        `curl`, `wget` and `git` may reach, as `METHODS ORIGIN`. `commands` are functions that run as commands, on
        threads of their own and outside the isolation. With a `seed`, times and random numbers repeat.
        """
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
                loop=None,
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
    def files(self) -> Files:
        """Its files."""
        return Files(self._native)

    def exec(
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
        """Runs a script to its end from fresh shell state; files stay. `arguments` are `$1`, `$2` …

        A status other than 0 is a result; with `check` it raises `ExecError`. A time-out is status 124 with the output so
        far. Ctrl-C ends the script.
        """
        asked = run(script, arguments, stdin, env, cwd, timeout)
        return checked(self._native.exec(True, asked, on_stdout, on_stderr), check)

    def spawn(
        self,
        script: str | bytes,
        *arguments: str | bytes,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> Process:
        """Starts a script and returns at once, with its streams."""
        return Process(self._native.spawn(run(script, arguments, None, env, cwd, timeout)))

    def terminal(
        self,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> Terminal:
        """Starts an interactive shell, for whoever shows it to a person."""
        return Terminal(self._native.terminal(run("", (), None, env, cwd, timeout)))

    def session(self) -> Session:
        """Shell state that lives from one execution to the next."""
        return Session(self._native.session())

    def load_session(self, state: bytes) -> Session:
        """A session that goes on with what `Session.export` gave."""
        return Session(_native.Session.load(self._native, state))

    def context(
        self,
        language: str = "python",
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        interruptible: bool = True,
    ) -> Context:
        """Starts an interpreter that keeps its state from cell to cell: `python`, `javascript` or `bash`.

        Without `interruptible`, an interrupt or a time-out ends it with all that it holds, instead of raising an exception
        in it.
        """
        return Context(self._native.context(True, beginning(language, cwd, env, interruptible)))

    @staticmethod
    def warm() -> None:
        """Loads the shell and all commands now, on all cores, instead of each when it is first run.

        A package that was built without `embed` compiles them on the first run on a machine, which takes seconds, and keeps
        that for later processes: call it while an image is built. `UnavailableError` where that fails.
        """
        _native.Sandbox.warm(True)

    def contexts(self) -> list[Context]:
        """The contexts that are there: closed ones, and those that nobody holds any more, are not."""
        return [Context(native) for native in self._native.contexts()]

    def find_context(self, id: str) -> Context:
        """The context of this id; `NotFoundError` for one that was closed or is another sandbox's."""
        return Context(self._native.find_context(id))

    def fork(self) -> Self:
        """An independent copy in constant time, whatever its size."""
        return self._of(self._native.fork())

    def fork_many(self, count: int) -> list[Self]:
        """As many independent copies as asked for."""
        return [self._of(native) for native in self._native.fork_many(count)]

    def diff(self, after: Sandbox) -> list[Change]:
        """What differs in a branch of this one."""
        return [Change(*change) for change in self._native.diff(after._native)]

    def close(self) -> None:
        """Ends it, with what runs. Branches are not affected."""
        self._native.close(True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
