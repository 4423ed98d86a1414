"""Pydantic AI: a workspace backend over a sandbox of this process."""

from __future__ import annotations

import errno
import posixpath
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_ai.workspaces import (
    CommandResult,
    FileEntry,
    WorkspaceRef,
    WorkspaceTimeoutError,
    WorkspaceUnavailableError,
)
from pydantic_ai.workspaces.protocol import validate_timeout

from ..asynchronous import AsyncSandbox
from ..errors import ConflictError, NotFoundError, OffshootError, UnavailableError
from ..results import FileInfo

__all__ = ["OffshootWorkspace"]

_KIND = "offshoot"
_ALIVE: dict[str, AsyncSandbox] = {}
"""Sandboxes of this process by the id of their ref: whoever holds the ref decides when one ends."""


class OffshootWorkspace:
    """A workspace in a virtual sandbox, made on first use with `settings` (those of `AsyncSandbox`), or attached to
    the one that `ref` names, in this process.

    It is never ended by a run; `destroy` does.
    """

    def __init__(self, *, ref: WorkspaceRef | None = None, **settings: Any) -> None:
        self._ref = ref
        self._settings = settings

    @property
    def ref(self) -> WorkspaceRef | None:
        """The sandbox's identity, once it was made."""
        return self._ref

    def _sandbox(self) -> AsyncSandbox:
        if self._ref is None:
            made = AsyncSandbox(**self._settings)
            self._ref = WorkspaceRef(provider=_KIND, id=uuid.uuid4().hex)
            _ALIVE[self._ref.id] = made
        found = _ALIVE.get(self._ref.id)
        if found is None:
            raise WorkspaceUnavailableError("the sandbox is gone")
        return found

    async def destroy(self) -> None:
        """Ends the sandbox, with what runs in it."""
        if self._ref is not None and (sandbox := _ALIVE.pop(self._ref.id, None)):
            await sandbox.close()

    async def working_dir(self) -> str:
        """The working directory."""
        return self._sandbox().cwd

    async def run(
        self,
        command: str | Sequence[str],
        *,
        shell: bool = False,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> CommandResult:
        """Runs a command to its end."""
        if isinstance(command, str) is not shell:
            raise TypeError("a string needs shell=True, a sequence needs shell=False")
        validate_timeout(timeout)
        sandbox = self._sandbox()
        script, arguments = (command, ()) if isinstance(command, str) else ('"$@"', tuple(command))
        try:
            result = await sandbox.exec(script, *arguments, env=env, timeout=timeout)
        except OffshootError as error:
            raise _plain(error, None) from error
        if self._ref is None or self._ref.id not in _ALIVE:
            raise WorkspaceUnavailableError("the sandbox was ended while the command ran")
        if result.timed_out:
            raise WorkspaceTimeoutError("the command took too long", stdout=result.stdout, stderr=result.stderr)
        return CommandResult(exit_code=result.exit_code, stdout=result.stdout, stderr=result.stderr)

    async def read_bytes(self, path: str) -> bytes:
        """A file's content."""
        sandbox = self._sandbox()
        try:
            if (await sandbox.files.info(path)).kind == "directory":
                raise IsADirectoryError(errno.EISDIR, "is a directory", path)
            return await sandbox.files.read_bytes(path)
        except OffshootError as error:
            raise _plain(error, path) from error

    async def write_bytes(self, path: str, data: bytes) -> None:
        """Writes a file, through links, making parents."""
        try:
            await self._sandbox().files.write(path, data)
        except OffshootError as error:
            raise _plain(error, path, IsADirectoryError) from error

    async def stat(self, path: str) -> FileEntry:
        """Facts about a path."""
        try:
            return _entry(await self._sandbox().files.info(path), path)
        except OffshootError as error:
            raise _plain(error, path) from error

    async def list_dir(self, path: str) -> list[FileEntry]:
        """What is in a directory; links are followed."""
        files = self._sandbox().files
        try:
            entries = []
            for info in await files.list(path):
                inside = posixpath.join(path, info.name)
                if info.kind == "symlink" and await files.exists(inside):
                    info = await files.info(inside)
                entries.append(_entry(info, inside))
            return entries
        except OffshootError as error:
            raise _plain(error, path, NotADirectoryError) from error

    async def make_dir(self, path: str) -> None:
        """Makes a directory with its parents."""
        try:
            await self._sandbox().files.make_dir(path)
        except OffshootError as error:
            raise _plain(error, path, FileExistsError) from error

    async def remove(self, path: str) -> None:
        """Removes a file, a link, or a directory with what is in it."""
        sandbox = self._sandbox()
        target = posixpath.normpath(posixpath.join(sandbox.cwd, path))
        if posixpath.commonpath([target, sandbox.cwd]) == target:
            raise ValueError(f"{path}: the working directory and its parents stay")
        try:
            await sandbox.files.remove(path, recursive=True)
        except OffshootError as error:
            raise _plain(error, path) from error

    async def exists(self, path: str) -> bool:
        """Whether there is something."""
        return await self._sandbox().files.exists(path)

    async def realpath(self, path: str) -> str:
        """The path with its links resolved; what is missing stays as written."""
        result = await self._sandbox().exec('realpath -m -- "$1"', path, check=False)
        if result.exit_code != 0:
            raise OSError(errno.ELOOP, result.stderr, path)
        return result.stdout.removesuffix("\n")


def _entry(info: FileInfo, path: str) -> FileEntry:
    is_dir = info.kind == "directory"
    return FileEntry(name=posixpath.basename(path), path=path, is_dir=is_dir, size=None if is_dir else info.size)


def _plain(error: OffshootError, path: str | None, conflict: type[OSError] = IsADirectoryError) -> Exception:
    """The exception that the protocol names."""
    if isinstance(error, UnavailableError):
        return WorkspaceUnavailableError(str(error))
    if isinstance(error, NotFoundError):
        return FileNotFoundError(errno.ENOENT, str(error), path)
    if isinstance(error, ConflictError):
        return conflict(errno.EISDIR, str(error), path)
    return error
