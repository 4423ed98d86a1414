"""Sandboxes for code that nobody has reviewed yet, at the price of a function call."""

from ._native import ExecResult, Invocation
from .asynchronous import AsyncFiles, AsyncProcess, AsyncSandbox, AsyncSession, AsyncTerminal, AsyncWatcher
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
from .kept import AsyncSandboxes, Sandboxes
from .results import Change, FileEvent, FileInfo, LogEntry, Promotion, SandboxInfo
from .sandbox import Files, Process, Sandbox, Session, Terminal, Watcher
from .settings import Command, Content, Limits, Mount, Secret

__all__ = [
    "AsyncCellRun",
    "AsyncContext",
    "AsyncFiles",
    "AsyncProcess",
    "AsyncSandbox",
    "AsyncSandboxes",
    "AsyncSession",
    "AsyncTerminal",
    "AsyncWatcher",
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
    "Terminal",
    "Watcher",
    *_errors,
]
