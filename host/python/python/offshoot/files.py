"""The files of a sandbox, whatever it runs on."""

from __future__ import annotations

from . import _native
from .errors import InvalidError
from .results import FileInfo
from .settings import Content

__all__ = ["AsyncBackendFiles", "BackendFiles"]


class BackendFiles:
    """The files of a sandbox. Relative paths start at its working directory."""

    def __init__(self, native: _native.BackendSandbox | _native.Sandbox) -> None:
        self._native = native

    def read(self, path: str) -> str:
        """A file as text; `InvalidError` where it is not UTF-8."""
        try:
            return self.read_bytes(path).decode()
        except UnicodeDecodeError as error:
            raise InvalidError(f"{path}: not UTF-8", code="NOT_TEXT", operation="read") from error

    def read_bytes(self, path: str) -> bytes:
        """A file, byte for byte."""
        return self._native.read(True, path)

    def write(self, path: str, content: Content) -> None:
        """Writes a file in one step, making parents; readers see the old or the new one."""
        self._native.write(True, path, content)

    def list(self, path: str = ".") -> list[FileInfo]:
        """What is in a directory, sorted by name."""
        return [FileInfo(*facts) for facts in self._native.list(True, path)]

    def info(self, path: str) -> FileInfo:
        """Facts about a path; links are followed."""
        return FileInfo(*self._native.info(True, path))

    def exists(self, path: str) -> bool:
        """Whether there is something."""
        return self._native.exists(True, path)

    def make_dir(self, path: str, *, parents: bool = True) -> None:
        """Makes a directory; with `parents` one that exists is fine."""
        self._native.make_dir(True, path, parents)

    def remove(self, path: str, *, recursive: bool = False, missing_ok: bool = False) -> None:
        """Removes a file, or with `recursive` a directory with all in it."""
        self._native.remove(True, path, recursive, missing_ok)

    def rename(self, source: str, target: str) -> None:
        """Renames in one step, over what is there."""
        self._native.rename(True, source, target)


class AsyncBackendFiles:
    """The files of a sandbox; as `BackendFiles`, with await."""

    def __init__(self, native: _native.BackendSandbox | _native.Sandbox) -> None:
        self._native = native

    async def read(self, path: str) -> str:
        """A file as text; `InvalidError` where it is not UTF-8."""
        try:
            return (await self.read_bytes(path)).decode()
        except UnicodeDecodeError as error:
            raise InvalidError(f"{path}: not UTF-8", code="NOT_TEXT", operation="read") from error

    async def read_bytes(self, path: str) -> bytes:
        """A file, byte for byte."""
        return await self._native.read(False, path)

    async def write(self, path: str, content: Content) -> None:
        """Writes a file in one step, making parents; readers see the old or the new one."""
        await self._native.write(False, path, content)

    async def list(self, path: str = ".") -> list[FileInfo]:
        """What is in a directory, sorted by name."""
        return [FileInfo(*facts) for facts in await self._native.list(False, path)]

    async def info(self, path: str) -> FileInfo:
        """Facts about a path; links are followed."""
        return FileInfo(*await self._native.info(False, path))

    async def exists(self, path: str) -> bool:
        """Whether there is something."""
        return await self._native.exists(False, path)

    async def make_dir(self, path: str, *, parents: bool = True) -> None:
        """Makes a directory; with `parents` one that exists is fine."""
        await self._native.make_dir(False, path, parents)

    async def remove(self, path: str, *, recursive: bool = False, missing_ok: bool = False) -> None:
        """Removes a file, or with `recursive` a directory with all in it."""
        await self._native.remove(False, path, recursive, missing_ok)

    async def rename(self, source: str, target: str) -> None:
        """Renames in one step, over what is there."""
        await self._native.rename(False, source, target)
