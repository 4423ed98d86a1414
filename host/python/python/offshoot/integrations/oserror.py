"""The exceptions that Python's own file functions raise, for frameworks whose contract names them."""

from __future__ import annotations

import errno
import os

from ..errors import OffshootError

__all__ = ["as_os_error"]


def as_os_error(error: OffshootError, path: str) -> Exception:
    """The `FileNotFoundError`, `NotADirectoryError` … that the error stands for; itself where it is none of a file."""
    number = getattr(errno, error.errno or "", None)
    if number is None:
        return error
    return OSError(number, os.strerror(number), path)
