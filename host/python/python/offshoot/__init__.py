"""Sandboxes for code that nobody has reviewed yet, at the price of a function call."""

from ._native import ExecResult, Invocation
from .asynchronous import AsyncFiles, AsyncProcess, AsyncSandbox, AsyncSession
from .errors import *  # noqa: F403
from .errors import __all__ as _errors
from .kept import AsyncSandboxes, Sandboxes
from .results import Change, FileInfo, LogEntry, Promotion, SandboxInfo
from .sandbox import Files, Process, Sandbox, Session
from .settings import Command, Content, Limits, Mount, Secret

__all__ = [
    "AsyncFiles",
    "AsyncProcess",
    "AsyncSandbox",
    "AsyncSandboxes",
    "AsyncSession",
    "Change",
    "Command",
    "Content",
    "ExecResult",
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
    *_errors,
]
