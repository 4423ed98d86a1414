"""Sandboxes for code that nobody has reviewed yet, at the price of a function call."""

from ._native import ExecResult, Invocation
from .asynchronous import AsyncFiles, AsyncProcess, AsyncSandbox, AsyncSession, AsyncTerminal, AsyncWatcher
from .asynchronous_backends import AsyncBackend, AsyncBackendProcess, AsyncBackendSandbox
from .backends import Backend, BackendProcess, BackendSandbox
from .contexts import (
    AsyncCellRun,
    AsyncContext,
    CellError,
    CellEvent,
    CellOutcome,
    CellResult,
    CellRun,
    Context,
)
from .errors import *  # noqa: F403
from .errors import __all__ as _errors
from .files import AsyncBackendFiles, BackendFiles
from .kept import AsyncSandboxes, Sandboxes
from .results import Capabilities, Change, FileEvent, FileInfo, LogEntry, Promotion, SandboxInfo, Snapshot
from .sandbox import Files, Process, Sandbox, Session, Terminal, Watcher
from .settings import Command, Content, Limits, Mount, Secret

__all__ = [
    "AsyncBackend",
    "AsyncBackendFiles",
    "AsyncBackendProcess",
    "AsyncBackendSandbox",
    "AsyncCellRun",
    "AsyncContext",
    "AsyncFiles",
    "AsyncProcess",
    "AsyncSandbox",
    "AsyncSandboxes",
    "AsyncSession",
    "AsyncTerminal",
    "AsyncWatcher",
    "Backend",
    "BackendFiles",
    "BackendProcess",
    "BackendSandbox",
    "Capabilities",
    "CellError",
    "CellEvent",
    "CellOutcome",
    "CellResult",
    "CellRun",
    "Change",
    "Command",
    "Content",
    "Context",
    "ExecResult",
    "FileEvent",
    "FileInfo",
    "Files",
    "Invocation",
    "Limits",
    "LogEntry",
    "Mount",
    "Process",
    "Promotion",
    "Sandbox",
    "SandboxInfo",
    "Sandboxes",
    "Secret",
    "Session",
    "Snapshot",
    "Terminal",
    "Watcher",
    *_errors,
]
