"""Sandboxes that outlive the process, kept by name in a store."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _native
from ._native import ExecResult
from .asynchronous import AsyncSandbox
from .results import Change, LogEntry, Promotion, SandboxInfo
from .sandbox import Sandbox, checked
from .settings import Content, Limits, Mount, described, run

__all__ = ["AsyncSandboxes", "Sandboxes"]


def _origin(
    template: str | None,
    files: Mapping[str, Content] | None,
    imports: Mapping[str, str] | None,
    env: Mapping[str, str] | None,
    cwd: str | None,
    limits: Limits | None,
) -> dict[str, Any] | str:
    if template is not None:
        if any(setting is not None for setting in (files, imports, env, cwd, limits)):
            raise ValueError("a template has its settings already")
        return template
    mounts: tuple[Mount, ...] = ()
    return described(
        files=files,
        imports=imports,
        mounts=mounts,
        env=env,
        clear_env=False,
        cwd=cwd,
        network=(),
        secrets=(),
        commands=None,
        limits=limits,
        seed=None,
        loop=None,
    )


def _info(facts: tuple[str, str, int, int, str | None, int]) -> SandboxInfo:
    name, state, size, files, parent, created = facts
    return SandboxInfo(name, state, size, files, parent, created / 1000)


def _log(rows: list[tuple[str, int, int, int, str | None]]) -> list[LogEntry]:
    return [LogEntry(commit, created / 1000, size, files, label) for commit, created, size, files, label in rows]


def _promotion(found: tuple[list[tuple[str, str]], list[str]]) -> Promotion:
    changes, conflicts = found
    return Promotion([Change(*change) for change in changes], conflicts)


class Sandboxes:
    """A store with its sandboxes: made, used, branched, put to sleep and woken by name.

    >>> kept = Sandboxes()
    >>> _ = kept.create("main")
    >>> _ = kept.exec("main", "echo draft > notes")
    >>> _ = kept.fork("main", "idea")
    >>> _ = kept.exec("idea", "echo more >> notes")
    >>> kept.diff("main", "idea")
    [Change(kind='modified', path='/home/user/notes')]
    >>> kept.promote("idea").conflicts
    []
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None, *, secret: bytes | None = None) -> None:
        """Opens a store: a folder of the host, which several processes may use at once, or this process's memory.

        With a `secret`, of 16 bytes at least, everything in it is encrypted.
        """
        self._native = _native.Sandboxes(None if directory is None else os.fspath(directory), secret)

    def create(
        self,
        name: str,
        *,
        template: str | None = None,
        files: Mapping[str, Content] | None = None,
        imports: Mapping[str, str] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        limits: Limits | None = None,
        title: str | None = None,
        tags: Iterable[str] = (),
    ) -> SandboxInfo:
        """Makes a sandbox, asleep and durable; with a `template` (`NAME`, `NAME@3`) from what was published."""
        settings = _origin(template, files, imports, env, cwd, limits)
        return _info(self._native.create(True, name, settings, title, list(tags)))

    def fork(self, point: str, name: str) -> SandboxInfo:
        """A branch of a sandbox, of a snapshot (`NAME@LABEL`) or of an earlier state (`NAME~2`)."""
        return _info(self._native.fork(True, point, name))

    def open(self, name: str) -> Sandbox:
        """Wakes a sandbox and keeps it awake until `close`, which lets it go to sleep with its changes."""
        return Sandbox._of(self._native.open_sandbox(True, name))

    def exec(
        self,
        name: str,
        script: str | bytes,
        *arguments: str | bytes,
        stdin: Content | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
        check: bool = False,
    ) -> ExecResult:
        """Runs a script in a sandbox, waking it where it sleeps."""
        return checked(self._native.exec(True, name, run(script, arguments, stdin, env, cwd, timeout)), check)

    def info(self, name: str) -> SandboxInfo:
        """Facts about a sandbox."""
        return _info(self._native.info(True, name))

    def list(self) -> list[SandboxInfo]:
        """All sandboxes."""
        return [_info(facts) for facts in self._native.list(True)]

    def publish(self, name: str, template: str) -> int:
        """Keeps the present state as a new version of a template, for `create`; the version's number."""
        return self._native.publish(True, name, template)

    def templates(self) -> builtins.list[str]:
        """The names of all templates."""
        return self._native.templates(True)

    def suspend(self, name: str) -> str:
        """Puts it to sleep, durably; the commit. Scripts in it sleep, too."""
        return self._native.suspend(True, name)

    def delete(self, name: str) -> None:
        """Removes it with its snapshots. Branches stay."""
        self._native.delete(True, name)

    def diff(self, before: str, after: str) -> list[Change]:
        """What differs between two sandboxes, snapshots or earlier states."""
        return [Change(*change) for change in self._native.diff(True, before, after)]

    def promote(self, branch: str) -> Promotion:
        """Brings a branch's changes home: all of them, or none where both sides changed a path."""
        return _promotion(self._native.promote(True, branch))

    def snapshot(self, name: str, label: str) -> None:
        """Keeps the present state as `NAME@LABEL`."""
        self._native.snapshot(True, name, label)

    def restore(self, name: str, point: str) -> str:
        """Goes back to a snapshot or an earlier state, as a new commit."""
        return self._native.restore(True, name, point)

    def log(self, name: str, limit: int = 20) -> list[LogEntry]:
        """Earlier states, the newest first."""
        return _log(self._native.log(True, name, limit))


class AsyncSandboxes:
    """A store with its sandboxes, for asyncio; as `Sandboxes`, with await."""

    def __init__(self, directory: str | os.PathLike[str] | None = None, *, secret: bytes | None = None) -> None:
        """Opens a store; see `Sandboxes`."""
        self._native = _native.Sandboxes(None if directory is None else os.fspath(directory), secret)

    async def create(
        self,
        name: str,
        *,
        template: str | None = None,
        files: Mapping[str, Content] | None = None,
        imports: Mapping[str, str] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        limits: Limits | None = None,
        title: str | None = None,
        tags: Iterable[str] = (),
    ) -> SandboxInfo:
        """Makes a sandbox, asleep and durable; with a `template` (`NAME`, `NAME@3`) from what was published."""
        settings = _origin(template, files, imports, env, cwd, limits)
        return _info(await self._native.create(False, name, settings, title, list(tags)))

    async def fork(self, point: str, name: str) -> SandboxInfo:
        """A branch of a sandbox, of a snapshot (`NAME@LABEL`) or of an earlier state (`NAME~2`)."""
        return _info(await self._native.fork(False, point, name))

    async def open(self, name: str) -> AsyncSandbox:
        """Wakes a sandbox and keeps it awake until `close`."""
        return AsyncSandbox._of(await self._native.open_sandbox(False, name))

    async def exec(
        self,
        name: str,
        script: str | bytes,
        *arguments: str | bytes,
        stdin: Content | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
        check: bool = False,
    ) -> ExecResult:
        """Runs a script in a sandbox, waking it where it sleeps."""
        result = await self._native.exec(False, name, run(script, arguments, stdin, env, cwd, timeout))
        return checked(result, check)

    async def info(self, name: str) -> SandboxInfo:
        """Facts about a sandbox."""
        return _info(await self._native.info(False, name))

    async def list(self) -> list[SandboxInfo]:
        """All sandboxes."""
        return [_info(facts) for facts in await self._native.list(False)]

    async def publish(self, name: str, template: str) -> int:
        """Keeps the present state as a new version of a template, for `create`; the version's number."""
        return await self._native.publish(False, name, template)

    async def templates(self) -> builtins.list[str]:
        """The names of all templates."""
        return await self._native.templates(False)

    async def suspend(self, name: str) -> str:
        """Puts it to sleep, durably; the commit."""
        return await self._native.suspend(False, name)

    async def delete(self, name: str) -> None:
        """Removes it with its snapshots. Branches stay."""
        await self._native.delete(False, name)

    async def diff(self, before: str, after: str) -> list[Change]:
        """What differs between two sandboxes, snapshots or earlier states."""
        return [Change(*change) for change in await self._native.diff(False, before, after)]

    async def promote(self, branch: str) -> Promotion:
        """Brings a branch's changes home: all of them, or none where both sides changed a path."""
        return _promotion(await self._native.promote(False, branch))

    async def snapshot(self, name: str, label: str) -> None:
        """Keeps the present state as `NAME@LABEL`."""
        await self._native.snapshot(False, name, label)

    async def restore(self, name: str, point: str) -> str:
        """Goes back to a snapshot or an earlier state, as a new commit."""
        return await self._native.restore(False, name, point)

    async def log(self, name: str, limit: int = 20) -> list[LogEntry]:
        """Earlier states, the newest first."""
        return _log(await self._native.log(False, name, limit))
