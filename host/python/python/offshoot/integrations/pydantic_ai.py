"""Pydantic AI: a workspace backend, `Workspace(OffshootBackend())`.

An environment is a sandbox of this process, or one that is kept in a store, where a later process attaches to it by
its ref.
"""

from __future__ import annotations

import asyncio
import math
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Union

from pydantic_ai.workspaces import (
    CommandResult,
    FileEntry,
    WorkspaceOutputLimitError,
    WorkspaceRef,
    WorkspaceTimeoutError,
    WorkspaceUnavailableError,
)

from ..asynchronous import AsyncSandbox
from ..errors import LimitError, NotFoundError, OffshootError, UnavailableError
from ..kept import AsyncSandboxes
from ..results import FileInfo
from .oserror import as_os_error

__all__ = ["OffshootBackend"]

PROVIDER = "offshoot"

# What refs of this process lead to.
_environments: dict[str, AsyncSandbox] = {}


class OffshootBackend:
    """A virtual sandbox as a workspace.

    Without a `ref`, the first operation makes a sandbox with `settings`, those of `AsyncSandbox`; with one, it attaches
    to what the ref names. With `sandboxes`, environments are kept in that store under the id of their ref.
    """

    def __init__(
        self, ref: Union[WorkspaceRef, None] = None, *, sandboxes: Union[AsyncSandboxes, None] = None, **settings: Any
    ) -> None:
        if ref is not None and ref.provider != PROVIDER:
            raise ValueError(f"{ref.provider}: this backend attaches to workspaces of {PROVIDER!r}")
        self._ref = ref
        self._kept = sandboxes
        self._settings = settings
        self._sandbox: Union[AsyncSandbox, None] = None
        self._lock = asyncio.Lock()

    @property
    def ref(self) -> Union[WorkspaceRef, None]:
        """What names the environment; nothing before the first operation of a new one."""
        return self._ref

    async def destroy(self) -> None:
        """Ends the environment with all that is in it. For whoever holds the ref; a backend never does it by itself."""
        sandbox = await self._environment()
        if self._ref is not None:
            _environments.pop(self._ref.id, None)
        await sandbox.close()
        if self._kept is not None and self._ref is not None:
            await self._kept.delete(self._ref.id)

    async def _environment(self) -> AsyncSandbox:
        async with self._lock:
            if self._ref is None:
                name = uuid.uuid4().hex
                if self._kept is not None:
                    await self._kept.create(name, **self._settings)
                else:
                    _environments[name] = AsyncSandbox(**self._settings)
                self._ref = WorkspaceRef(provider=PROVIDER, id=name)
            if self._kept is None:
                found = _environments.get(self._ref.id)
                if found is None:
                    raise WorkspaceUnavailableError(f"{self._ref.id}: there is no such sandbox in this process")
                return found
            if self._sandbox is None:
                try:
                    self._sandbox = await self._kept.open(self._ref.id)
                except NotFoundError as error:
                    raise WorkspaceUnavailableError(str(error)) from error
            return self._sandbox

    async def working_dir(self) -> str:
        """Where commands start."""
        return (await self._environment()).cwd

    async def run(
        self,
        command: Union[str, Sequence[str]],
        *,
        shell: bool = False,
        env: Union[Mapping[str, str], None] = None,
        timeout: Union[float, None] = None,
    ) -> CommandResult:
        """Runs a command to its end; see the protocol."""
        if isinstance(command, str) != shell:
            raise TypeError("a text needs shell=True, a sequence of arguments shell=False")
        if timeout is not None and not (math.isfinite(timeout) and timeout > 0):
            raise ValueError("timeout must be a positive number of seconds, or None")
        script, arguments = (command, ()) if isinstance(command, str) else ('"$@"', tuple(command))
        sandbox = await self._environment()
        try:
            result = await sandbox.exec(script, *arguments, env=env, timeout=timeout)
        except LimitError as error:
            written = error.output
            raise WorkspaceOutputLimitError(
                str(error),
                limit=len(written.stdout_bytes) if written else 0,
                stdout=written.stdout if written else "",
                stderr=written.stderr if written else "",
            ) from error
        except UnavailableError as error:
            raise WorkspaceUnavailableError(str(error)) from error
        if result.timed_out:
            raise WorkspaceTimeoutError(
                f"the command took longer than {timeout} s", stdout=result.stdout, stderr=result.stderr
            )
        return CommandResult(exit_code=result.exit_code, stdout=result.stdout, stderr=result.stderr)

    async def read_bytes(self, path: str) -> bytes:
        """A file's bytes."""
        sandbox = await self._environment()
        try:
            return await sandbox.files.read_bytes(path)
        except OffshootError as error:
            raise _plain(error, path) from error

    async def write_bytes(self, path: str, data: bytes) -> None:
        """Writes a file, with missing parents."""
        sandbox = await self._environment()
        try:
            await sandbox.files.write(path, data)
        except OffshootError as error:
            raise _plain(error, path) from error

    async def stat(self, path: str) -> FileEntry:
        """Facts about a path; links are followed."""
        sandbox = await self._environment()
        try:
            return _entry(path, await sandbox.files.info(path))
        except OffshootError as error:
            raise _plain(error, path) from error

    async def list_dir(self, path: str) -> Sequence[FileEntry]:
        """What is in a directory."""
        sandbox = await self._environment()
        try:
            found = await sandbox.files.list(path)
        except OffshootError as error:
            raise _plain(error, path) from error
        entries = []
        for info in found:
            at = f"{path.rstrip('/')}/{info.name}"
            if info.kind == "symlink":
                try:
                    info = await sandbox.files.info(at)
                except OffshootError:
                    pass  # It leads nowhere: the link itself is what there is.
            entries.append(_entry(at, info))
        return entries

    async def make_dir(self, path: str) -> None:
        """Makes a directory, with missing parents."""
        sandbox = await self._environment()
        try:
            await sandbox.files.make_dir(path)
        except OffshootError as error:
            raise _plain(error, path) from error

    async def remove(self, path: str) -> None:
        """Removes a file, or a directory with all in it."""
        sandbox = await self._environment()
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if sandbox.cwd.split("/")[1 : len(parts) + 1] == parts:
            raise ValueError(f"{path}: the working directory is in it")
        try:
            await sandbox.files.remove(path, recursive=True)
        except OffshootError as error:
            raise _plain(error, path) from error

    async def exists(self, path: str) -> bool:
        """Whether there is something."""
        return await (await self._environment()).files.exists(path)


def _entry(path: str, info: FileInfo) -> FileEntry:
    size = info.size if info.kind == "file" else None
    return FileEntry(name=path.rstrip("/").rpartition("/")[2], path=path, is_dir=info.kind == "directory", size=size)


def _plain(error: OffshootError, path: str) -> Exception:
    if isinstance(error, UnavailableError):
        return WorkspaceUnavailableError(str(error))
    return as_os_error(error, path)
