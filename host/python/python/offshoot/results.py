"""What operations give."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Change", "FileEvent", "FileInfo", "LogEntry", "Promotion", "SandboxInfo"]


@dataclass(frozen=True)
class FileInfo:
    """Facts about a path."""

    name: str
    kind: str
    """`file`, `directory`, `symlink` or `other`."""
    size: int
    """Bytes."""
    mode: int | None
    """Permission bits."""
    modified: float | None
    """Seconds since 1970."""


@dataclass(frozen=True)
class Change:
    """A path that differs."""

    kind: str
    """`added`, `removed` or `modified`."""
    path: str


@dataclass(frozen=True)
class FileEvent:
    """Something that happened to a path."""

    kind: str
    """`added`, `written`, `attributes` (mode or owner), `moved` (it is `added` under another name) or `removed`."""
    path: str


@dataclass(frozen=True)
class Promotion:
    """What bringing a branch home came to: with conflicts, nothing happened."""

    changes: list[Change]
    conflicts: list[str]


@dataclass(frozen=True)
class SandboxInfo:
    """Facts about a sandbox that is kept."""

    name: str
    state: str
    size: int
    """Bytes in files."""
    files: int
    """Files and directories."""
    parent: str | None
    created: float
    """Seconds since 1970."""


@dataclass(frozen=True)
class LogEntry:
    """An earlier state."""

    commit: str
    created: float
    """Seconds since 1970."""
    size: int
    files: int
    label: str | None
