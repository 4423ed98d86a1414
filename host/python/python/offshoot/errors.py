"""What the library raises. A script that fails is no error: its status is in the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._native import ExecResult

__all__ = [
    "CapabilityError",
    "ConflictError",
    "CorruptError",
    "ExecError",
    "FencedError",
    "InvalidError",
    "LimitError",
    "NotFoundError",
    "OffshootError",
    "PathEscapeError",
    "PolicyDeniedError",
    "UnavailableError",
]


class OffshootError(Exception):
    """An operation failed.

    `code` is stable and for programs, `operation` says what was tried, `retryable` whether trying again can
    help, `errno` is the name that POSIX has for a failed file operation (`ENOTDIR`), and `output` is what a
    script had written by then, where one ran.
    """

    code: str = "DIED"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        operation: str = "",
        retryable: bool = False,
        errno: str | None = None,
        output: ExecResult | None = None,
    ) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
        self.operation = operation
        self.retryable = retryable
        self.errno = errno
        self.output = output


class NotFoundError(OffshootError):
    """A file, a sandbox or a snapshot is not there."""

    code = "NOT_FOUND"


class ConflictError(OffshootError):
    """Something is there already, or somebody else has the sandbox awake."""

    code = "CONFLICT"


class LimitError(OffshootError):
    """A limit was reached; the message names it, `output` has what was written before."""

    code = "LIMIT"


class PolicyDeniedError(OffshootError):
    """A policy refuses it."""

    code = "POLICY_DENIED"


class PathEscapeError(OffshootError):
    """A path leads out of the sandbox."""

    code = "PATH_ESCAPE"


class UnavailableError(OffshootError):
    """The sandbox is no longer there."""

    code = "SANDBOX_UNAVAILABLE"


class CapabilityError(OffshootError):
    """The backend does not offer it."""

    code = "CAPABILITY"


class CorruptError(OffshootError):
    """Stored bytes are not what they should be, or are of a newer version."""

    code = "CORRUPT"


class FencedError(OffshootError):
    """Somebody else has taken the sandbox over: what this owner did since then is not kept."""

    code = "FENCED"


class InvalidError(OffshootError, ValueError):
    """What was asked for makes no sense."""

    code = "INVALID"


class ExecError(OffshootError):
    """A script that ran with `check=True` ended with another status than 0."""

    code = "EXIT_STATUS"

    def __init__(self, result: ExecResult) -> None:
        last = result.stderr.strip().rpartition("\n")[2]
        super().__init__(f"exit status {result.exit_code}" + (f": {last}" if last else ""), output=result)
        self.result = result


_CLASSES: dict[str, type[OffshootError]] = {
    cls.code: cls
    for cls in (
        NotFoundError,
        ConflictError,
        LimitError,
        PolicyDeniedError,
        PathEscapeError,
        UnavailableError,
        CapabilityError,
        CorruptError,
        FencedError,
        InvalidError,
    )
} | {"TOO_NEW": CorruptError, "NOT_TEXT": InvalidError}


def from_code(
    code: str, operation: str, message: str, retryable: bool, errno: str | None, output: ExecResult | None
) -> OffshootError:
    """The exception for an error of the native half."""
    cls = _CLASSES.get(code, OffshootError)
    return cls(message, code=code, operation=operation, retryable=retryable, errno=errno, output=output)
