"""What a sandbox is told when it is made."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Union

from ._native import Invocation

__all__ = ["Command", "Content", "Limits", "Mount", "Secret"]

Content = Union[str, bytes, bytearray, memoryview]
"""What goes into a file or a standard input: text (as UTF-8) or bytes."""

Command = Callable[[Invocation], Union[int, str, bytes, None, Awaitable[Union[int, str, bytes, None]]]]
"""A command that is a function: it returns a status, or what it prints. A coroutine function is fine."""


@dataclass(frozen=True)
class Limits:
    """What a sandbox may use. What is not set has the library's default; times have none."""

    memory: int | None = None
    """Bytes of memory of one process; 256 MiB, and 4 GiB at most."""
    total_memory: int | None = None
    """Bytes of memory of all processes, and of contexts that wait; 1 GiB."""
    time: float | None = None
    """Seconds that one execution may take."""
    cpu_time: float | None = None
    """Seconds of processor time of one execution."""
    processes: int | None = None
    """Processes alive at once; 64."""
    open_files: int | None = None
    """Descriptors of one process; 256."""
    output: int | None = None
    """Bytes that one execution may write; 1 GiB."""
    disk: int | None = None
    """Bytes in files."""
    inodes: int | None = None
    """Files and directories."""
    file_size: int | None = None
    """Bytes of one file."""


@dataclass(frozen=True)
class Mount:
    """A folder of the host: `ro` to read, `cow` to write to without the host seeing it."""

    host: str | os.PathLike[str]
    path: str
    mode: str = "ro"


@dataclass(frozen=True)
class Secret:
    """A header that the host adds to requests to an origin; the sandbox never sees its value."""

    origin: str
    header: str
    value: str

    def __repr__(self) -> str:
        return f"Secret(origin={self.origin!r}, header={self.header!r}, value='…')"


def _called(function: Command, loop: asyncio.AbstractEventLoop | None) -> Callable[[Invocation], Any]:
    """A function that the native half calls on a thread of its own."""

    def call(invocation: Invocation) -> Any:
        value = function(invocation)
        if not inspect.isawaitable(value):
            return value

        async def awaited() -> Any:
            return await value

        if loop is None or loop.is_closed():
            return asyncio.run(awaited())
        return asyncio.run_coroutine_threadsafe(awaited(), loop).result()

    return call


def described(
    *,
    files: Mapping[str, Content] | None,
    imports: Mapping[str, str] | None,
    mounts: Iterable[Mount],
    env: Mapping[str, str] | None,
    clear_env: bool,
    cwd: str | None,
    network: Iterable[str],
    secrets: Iterable[Secret],
    commands: Mapping[str, Command] | None,
    limits: Limits | None,
    seed: int | None,
    loop: asyncio.AbstractEventLoop | None,
) -> dict[str, Any]:
    """Settings as the native half reads them."""
    return {
        "files": list((files or {}).items()),
        "imports": [(os.fspath(host), path) for host, path in (imports or {}).items()],
        "mounts": [(os.fspath(mount.host), mount.path, mount.mode) for mount in mounts],
        "env": list((env or {}).items()),
        "clear_env": clear_env,
        "cwd": cwd,
        "network": list(network),
        "secrets": [(secret.origin, secret.header, secret.value) for secret in secrets],
        "commands": [(name, _called(function, loop)) for name, function in (commands or {}).items()],
        "limits": {name: value for name, value in asdict(limits or Limits()).items() if value is not None},
        "seed": seed,
    }


def run(
    script: str | bytes,
    arguments: Iterable[str | bytes],
    stdin: Content | None,
    env: Mapping[str, str] | None,
    cwd: str | None,
    timeout: float | None,
) -> dict[str, Any]:
    """One execution as the native half reads it."""
    return {
        "script": script,
        "arguments": list(arguments),
        "stdin": stdin,
        "env": list((env or {}).items()),
        "cwd": cwd,
        "timeout": timeout,
    }
