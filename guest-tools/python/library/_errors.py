"""Has system errors read as they do on Linux.

WASI numbers errors in its own way, and `errno` has its numbers. What the system raises is recognised by its
number and its text together, and is shown with those of Linux.
"""

import errno
import posix

import _sandbox

_LINUX = {
    "EPERM": (1, "Operation not permitted"),
    "ENOENT": (2, "No such file or directory"),
    "ESRCH": (3, "No such process"),
    "EINTR": (4, "Interrupted system call"),
    "EIO": (5, "Input/output error"),
    "ENXIO": (6, "No such device or address"),
    "E2BIG": (7, "Argument list too long"),
    "ENOEXEC": (8, "Exec format error"),
    "EBADF": (9, "Bad file descriptor"),
    "ECHILD": (10, "No child processes"),
    "EAGAIN": (11, "Resource temporarily unavailable"),
    "ENOMEM": (12, "Cannot allocate memory"),
    "EACCES": (13, "Permission denied"),
    "EBUSY": (16, "Device or resource busy"),
    "EEXIST": (17, "File exists"),
    "EXDEV": (18, "Invalid cross-device link"),
    "ENODEV": (19, "No such device"),
    "ENOTDIR": (20, "Not a directory"),
    "EISDIR": (21, "Is a directory"),
    "EINVAL": (22, "Invalid argument"),
    "EMFILE": (24, "Too many open files"),
    "ENOTTY": (25, "Inappropriate ioctl for device"),
    "EFBIG": (27, "File too large"),
    "ENOSPC": (28, "No space left on device"),
    "ESPIPE": (29, "Illegal seek"),
    "EROFS": (30, "Read-only file system"),
    "EMLINK": (31, "Too many links"),
    "EPIPE": (32, "Broken pipe"),
    "ENAMETOOLONG": (36, "File name too long"),
    "ENOSYS": (38, "Function not implemented"),
    "ENOTEMPTY": (39, "Directory not empty"),
    "ELOOP": (40, "Too many levels of symbolic links"),
    "EOVERFLOW": (75, "Value too large for defined data type"),
    "EILSEQ": (84, "Invalid or incomplete multibyte or wide character"),
    "ENOTSUP": (95, "Operation not supported"),
}
_BY_NUMBER = {getattr(errno, name): shown for name, shown in _LINUX.items() if hasattr(errno, name)}

_raw = OSError.__dict__["strerror"]
_system_text = posix.strerror


def strerror(code):
    shown = _BY_NUMBER.get(code)
    return shown[1] if shown else f"Unknown error {code}"


def _known(error):
    """What Linux has for an error of the system; None for what a program made."""
    text, number = _raw.__get__(error), error.errno
    if not isinstance(text, str) or not isinstance(number, int):
        return None
    text = text.removesuffix(f" (os error {number})")
    shown = _BY_NUMBER.get(number)
    return shown if shown and text in (shown[1], _system_text(number)) else None


def _get(error):
    known = _known(error)
    return known[1] if known else _raw.__get__(error)


def _str(error):
    known = _known(error)
    number, text = known if known else (error.errno, _raw.__get__(error))
    if error.filename is not None:
        shown = f"[Errno {number}] {text}: {error.filename!r}"
        return shown if error.filename2 is None else f"{shown} -> {error.filename2!r}"
    if number is not None and text is not None:
        return f"[Errno {number}] {text}"
    return BaseException.__str__(error)


_sandbox.set_on_type(OSError, "__str__", _str)
_sandbox.set_on_type(OSError, "strerror", property(_get, _raw.__set__))
