"""Other backends by name, and sandboxes on them, for asyncio."""

from __future__ import annotations

import builtins
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _native
from ._native import ExecResult
from .backends import built, capabilities_of, opened, snapshot_of, text_of, wish_of
from .files import AsyncBackendFiles
from .results import Capabilities, Snapshot
from .sandbox import checked, number
from .settings import Content, run

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["AsyncBackend", "AsyncBackendProcess", "AsyncBackendSandbox"]


class AsyncBackend:
    """A backend that makes sandboxes, for asyncio; as `Backend`, with await."""

    def __init__(
        self,
        name: str | os.PathLike[str],
        /,
        *,
        variables: Mapping[str, str] | None = None,
        manifest: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        """Chooses one; see `Backend`."""
        self._native = opened(name, variables, manifest, settings)

    @staticmethod
    def names() -> builtins.list[str]:
        """The names of all backends of this build."""
        return built().Backend.names()

    @property
    def name(self) -> str:
        """Its name; of a component, that of its file."""
        return self._native.name

    @property
    def capabilities(self) -> Capabilities:
        """What a sandbox with the backend's usual settings can and cannot do."""
        return capabilities_of(self._native.capabilities())

    async def create(
        self,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        memory: int | None = None,
        cpus: float | None = None,
        processes: int | None = None,
        network: str | None = None,
        idle_suspend: float | None = None,
        auto_resume: bool = True,
        policies: Iterable[Mapping[str, Any]] = (),
        metadata: Mapping[str, str] | None = None,
        settings: Mapping[str, Any] | None = None,
        snapshot: Snapshot | None = None,
    ) -> AsyncBackendSandbox:
        """Makes a sandbox, or with a `snapshot` one that begins as it; see `Backend.create`."""
        wish = wish_of(
            cwd=cwd,
            env=env,
            memory=memory,
            cpus=cpus,
            processes=processes,
            network=network,
            idle_suspend=idle_suspend,
            auto_resume=auto_resume,
            policies=policies,
            metadata=metadata,
            settings=settings,
            snapshot=snapshot,
        )
        return AsyncBackendSandbox._of(await self._native.create(False, wish))

    async def reconnect(
        self,
        reference: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        idle_suspend: float | None = None,
        auto_resume: bool = True,
        policies: Iterable[Mapping[str, Any]] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> AsyncBackendSandbox:
        """Reaches a sandbox that lives, by its `reference`; see `Backend.reconnect`."""
        wish = wish_of(
            cwd=cwd,
            env=env,
            idle_suspend=idle_suspend,
            auto_resume=auto_resume,
            policies=policies,
            settings=settings,
        )
        return AsyncBackendSandbox._of(await self._native.reconnect(False, reference, wish))

    def __repr__(self) -> str:
        return f"AsyncBackend({self.name!r})"


class AsyncBackendProcess:
    """A script that runs. Iterating gives its standard output, piece by piece."""

    def __init__(self, native: _native.BackendProcess) -> None:
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

    async def signal(self, signal: str | int) -> None:
        """Sends a signal: `INT`, `TERM` or `KILL`. `CapabilityError` for what the backend cannot send."""
        await self._native.signal(False, number(signal))

    async def kill(self) -> None:
        """Ends it with all that it started."""
        await self._native.signal(False, 9)

    async def wait(self) -> int:
        """Waits for its end; the exit status. Read its output first: what nobody reads stops it in time."""
        return await self._native.wait(False)


class AsyncBackendSandbox:
    """A sandbox of some backend, for asyncio; as `BackendSandbox`, with await. Cancelling a task ends what it runs where
    the backend can cancel.
    """

    _native: _native.BackendSandbox

    @classmethod
    def _of(cls, native: _native.BackendSandbox) -> Self:
        sandbox = cls.__new__(cls)
        sandbox._native = native
        return sandbox

    @property
    def backend(self) -> str:
        """The name of its backend."""
        return self._native.backend

    @property
    def capabilities(self) -> Capabilities:
        """What it can and cannot do, with the settings that it has."""
        return capabilities_of(self._native.capabilities())

    @property
    def cwd(self) -> str:
        """The working directory that relative paths start from."""
        return self._native.cwd

    @property
    def files(self) -> AsyncBackendFiles:
        """Its files."""
        return AsyncBackendFiles(self._native)

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
        """Runs a script to its end from fresh shell state; see `BackendSandbox.exec`."""
        asked = run(script, arguments, stdin, env, cwd, timeout)
        return checked(await self._native.exec(False, asked, on_stdout, on_stderr), check)

    async def spawn(
        self,
        script: str | bytes,
        *arguments: str | bytes,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> AsyncBackendProcess:
        """Starts a script and returns at once, with its streams."""
        asked = run(script, arguments, None, env, cwd, timeout)
        return AsyncBackendProcess(await self._native.spawn(False, asked))

    async def fork(self, label: str | None = None) -> Self:
        """An independent copy: neither side sees what the other does from now on."""
        return self._of(await self._native.fork(False, label))

    async def snapshot(self, label: str | None = None) -> Snapshot:
        """Captures it, for `restore` and for `AsyncBackend.create`."""
        return snapshot_of(await self._native.snapshot(False, label))

    async def restore(self, snapshot: Snapshot) -> None:
        """Sets it back to a snapshot, byte for byte."""
        await self._native.restore(False, text_of(snapshot))

    async def delete_snapshot(self, snapshot: Snapshot) -> None:
        """Deletes a snapshot; one that is gone is fine."""
        await self._native.delete_snapshot(False, text_of(snapshot))

    async def suspend(self) -> None:
        """Puts it to sleep, for `resume`."""
        await self._native.suspend(False)

    async def resume(self) -> None:
        """Goes on after `suspend`."""
        await self._native.resume(False)

    async def state(self) -> str:
        """Where in its life it is: `running`, `suspended`, `failed`, `deleted` …"""
        return await self._native.state(False)

    async def reference(self) -> str:
        """How another holder reaches it, by `AsyncBackend.reconnect`. It holds no credential."""
        return await self._native.reference(False)

    async def destroy(self) -> None:
        """Ends it, with what runs; one that was reconnected to is only let go. Branches and snapshots stay."""
        await self._native.destroy(False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.destroy()

    def __repr__(self) -> str:
        return f"AsyncBackendSandbox(backend={self.backend!r}, cwd={self.cwd!r})"
