"""What operations give."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Capabilities", "Change", "FileEvent", "FileInfo", "LogEntry", "Promotion", "SandboxInfo", "Snapshot"]


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


@dataclass(frozen=True)
class Capabilities:
    """What a backend can and cannot do. What it cannot is refused with `CapabilityError`."""

    exec: bool
    """Commands run."""
    filesystem: bool
    """Files can be read and written."""
    binary_files: bool
    """All 256 byte values survive a round trip through a file."""
    network: str
    """The way out: `none`, `policy` (an allow-list), `provider` (it decides) or `host` (the host's own)."""
    snapshot: bool
    restore: bool
    """A sandbox can be set back to a snapshot, and a new one made from it."""
    fork: bool
    suspend: bool
    resume: bool
    reconnect: bool
    """It has a reference, by which another holder reaches it."""
    persistence: str
    """How long files stay: `none`, `session` (as long as the sandbox) or `durable`."""
    isolation: str
    """What separates it from the host: `none`, `process`, `wasm`, `container`, `vm` or `provider`."""
    separate_stderr: bool
    exec_environment: bool
    """`exec` honours its variables."""
    exec_directory: bool
    """`exec` honours its directory."""
    exec_timeout: bool
    """The backend itself ends a command with all that it started at its time-out."""
    exact_output: bool
    """Output arrives byte for byte."""
    stdin: bool
    streaming: bool
    """Output can be read while the command runs."""
    cancel: bool
    """A call that is given up ends its command."""
    background: bool
    """A process that a command left behind goes on."""
    signals: bool
    """Signals other than SIGKILL."""
    terminal: bool
    ports: bool
    file_policy: bool
    """Rules for files hold for commands too."""
    command_policy: bool
    memory_limit: bool
    cpu_limit: bool
    process_limit: bool
    snapshot_files: bool
    snapshot_settings: bool
    """A snapshot holds variables and the working directory."""
    snapshot_memory: bool
    """A snapshot holds running processes with their memory."""
    timeout_unit_ms: int
    """Time-outs are counted in units of this many milliseconds, rounded up."""


@dataclass(frozen=True)
class Snapshot:
    """A capture of a sandbox. Its `id` means something to its backend alone."""

    backend: str
    id: str
    size: int | None
    """Bytes, where that is known."""
    parent: str | None
    """The snapshot that the sandbox was last restored from or captured in."""
    label: str | None
    created: float
    """Seconds since 1970."""
