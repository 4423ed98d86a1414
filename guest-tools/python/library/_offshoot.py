"""Completes `posix` and `os` with what the sandbox has and WASI cannot express. Imported before the program."""

import posix

import _sandbox
import _signal
import _thread
import time
from _errors import strerror


def _bytes(path):
    path = posix.fspath(path)
    return path if isinstance(path, bytes) else path.encode("utf-8", "surrogateescape")


def _refuse_folder(dir_fd):
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")


_stat, _lstat = posix.stat, posix.lstat


def _result(found):
    *fields, accessed, modified, changed, blocks = found
    times = accessed, modified, changed
    whole = [time // 10**9 for time in times]
    return posix.stat_result((*fields, *whole, *(time / 1e9 for time in times), *times, 4096, blocks))


def stat(path, *, dir_fd=None, follow_symlinks=True):
    if isinstance(path, int):
        return _stat(path)
    if dir_fd is not None:
        return _stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
    return _result(_sandbox.stat(_bytes(path), bool(follow_symlinks)))


def lstat(path, *, dir_fd=None):
    return stat(path, dir_fd=dir_fd, follow_symlinks=False)


def _entry_stat(self, *, follow_symlinks=True):
    return stat(self.path, follow_symlinks=follow_symlinks)


_sandbox.set_on_type(posix.DirEntry, "stat", _entry_stat)


def access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    _refuse_folder(dir_fd)
    return _sandbox.access(_bytes(path), mode)


def symlink(src, dst, target_is_directory=False, *, dir_fd=None):
    _refuse_folder(dir_fd)
    _sandbox.symlink(_bytes(src), _bytes(dst))


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    _refuse_folder(dir_fd)
    _sandbox.set_mode(_bytes(path), mode & 0o7777)


def chown(path, uid, gid, *, dir_fd=None, follow_symlinks=True):
    _refuse_folder(dir_fd)
    _sandbox.set_owner(_bytes(path), uid, gid, bool(follow_symlinks))


def lchown(path, uid, gid):
    chown(path, uid, gid, follow_symlinks=False)


def mkfifo(path, mode=0o666, *, dir_fd=None):
    _refuse_folder(dir_fd)
    _sandbox.make_fifo(_bytes(path), mode)


def umask(mask):
    return _sandbox.umask(mask & 0o777)


def getpid():
    return _sandbox.identify()[0]


def getppid():
    return _sandbox.identify()[1]


def getuid():
    return _sandbox.identify()[2]


def getgid():
    return _sandbox.identify()[3]


def geteuid():
    return getuid()


def getegid():
    return getgid()


def getgroups():
    return [getgid()]


def getlogin():
    return _sandbox.identify()[4]


def uname():
    import io
    from collections import namedtuple

    fields = "sysname nodename release version machine"
    kind = namedtuple("uname_result", fields, module="posix")
    def text(path, default):
        try:
            with io.open(path) as file:
                return file.read().strip()
        except OSError:
            return default

    release = text("/proc/sys/kernel/osrelease", "6.1.0")
    version = text("/proc/sys/kernel/version", "#1 SMP")
    return kind("Linux", _sandbox.identify()[6], release, version, "wasm32")


def statvfs(path):
    from collections import namedtuple

    fields = "f_bsize f_frsize f_blocks f_bfree f_bavail f_files f_ffree f_favail f_flag f_namemax"
    kind = namedtuple("statvfs_result", fields, module="os")
    total, free, inodes, unused = _sandbox.space(_bytes(path))
    size = 4096
    return kind(size, size, total // size, free // size, free // size, inodes, unused, unused, 0, 255)


_open, _mkdir = posix.open, posix.mkdir


def open(path, flags, mode=0o777, *, dir_fd=None):
    if dir_fd is not None:
        return _open(path, flags, mode, dir_fd=dir_fd)
    new = flags & posix.O_CREAT and not _sandbox.exists(_bytes(path))
    descriptor = _open(path, flags, mode)
    if new and mode & 0o777 != 0o666:
        _sandbox.set_mode(_bytes(path), mode & 0o7777 & ~_sandbox.umask(-1))
    return descriptor


def mkdir(path, mode=0o777, *, dir_fd=None):
    if dir_fd is not None:
        return _mkdir(path, mode, dir_fd=dir_fd)
    _mkdir(path, mode)
    if mode & 0o777 != 0o777:
        _sandbox.set_mode(_bytes(path), mode & 0o7777 & ~_sandbox.umask(-1))


def execve(path, argv, env):
    """Runs the program and ends with its status: this process stays its parent."""
    words = [_bytes(word) for word in argv]
    variables = [_bytes(name) + b"=" + _bytes(value) for name, value in env.items()]
    process = _sandbox.spawn(_bytes(path), words, variables, None, [0, 1, 2])
    code = _sandbox.wait(process)
    _sandbox.leave(code if code >= 0 else 128 - code)


def execv(path, argv):
    import os

    execve(path, argv, os.environb)


def _exit(status):
    _sandbox.leave(status & 0xFF)


_handlers = {}


def _signal_handler(signalnum, handler):
    """Keeps a handler, which is called for what the program sends to itself; others end it."""
    before = _signal_state(signalnum)
    _handlers[int(signalnum)] = handler
    return before


def _signal_state(signalnum):
    return _handlers.get(int(signalnum), _signal.SIG_DFL)


_signal.signal, _signal.getsignal = _signal_handler, _signal_state


def kill(pid, signal):
    handler = _handlers.get(int(signal))
    if pid == getpid() and callable(handler):
        handler(int(signal), None)
        return
    if pid == getpid() and handler == _signal.SIG_IGN:
        return
    if pid <= 0:
        raise NotImplementedError("there are no process groups")
    _sandbox.kill(pid, int(signal))


WNOHANG = 1


def waitpid(pid, options):
    code = _sandbox.try_wait(pid) if options & WNOHANG else _sandbox.wait(pid)
    if code is None:
        return 0, 0
    return pid, code << 8 if code >= 0 else -code


def WIFEXITED(status):
    return status & 0x7F == 0


def WEXITSTATUS(status):
    return status >> 8 & 0xFF


def WIFSIGNALED(status):
    return status & 0x7F != 0


def WTERMSIG(status):
    return status & 0x7F


def WIFSTOPPED(status):
    return False


def WSTOPSIG(status):
    return 0


def waitstatus_to_exitcode(status):
    return WEXITSTATUS(status) if WIFEXITED(status) else -WTERMSIG(status)


def _variables():
    import os

    return [name + b"=" + value for name, value in os.environb.items()]


def system(command):
    arguments = [b"sh", b"-c", _bytes(command)]
    process = _sandbox.spawn(b"/bin/sh", arguments, _variables(), None, [0, 1, 2])
    return waitpid(process, 0)[1]


def _start(*arguments, **named):
    raise RuntimeError("can't start new thread")


_thread.start_new_thread = _thread.start_joinable_thread = _thread.start_new = _start

for _number, _name in enumerate(
    "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN "
    "TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS".split(),
    1,
):
    setattr(_signal, "SIG" + _name, _number)

# The sandbox's clock has no zone.
for _name, _value in {"tzname": ("UTC", "UTC"), "timezone": 0, "altzone": 0, "daylight": 0}.items():
    if not hasattr(time, _name):
        setattr(time, _name, _value)

_strftime = time.strftime


def strftime(format, t=None):
    if "%Z" in format or "%z" in format:
        parts = format.split("%%")
        format = "%%".join(part.replace("%Z", "UTC").replace("%z", "+0000") for part in parts)
    return _strftime(format) if t is None else _strftime(format, t)


time.strftime = strftime

_added = {
    name: value
    for name, value in globals().items()
    if (not name.startswith("_") or name == "_exit") and name not in ("posix", "time", "strftime")
}
for _name, _value in _added.items():
    if hasattr(_value, "__module__"):
        _value.__module__ = "posix"
    setattr(posix, _name, _value)

import os

for _name, _value in _added.items():
    setattr(os, _name, _value)


def popen(cmd, mode="r", buffering=-1):
    if not isinstance(cmd, str):
        raise TypeError(f"invalid cmd type ({type(cmd)}, expected string)")
    if mode not in ("r", "w"):
        raise ValueError(f"invalid mode {mode!r}")
    if buffering == 0 or buffering is None:
        raise ValueError("popen() does not support unbuffered streams")
    import subprocess

    stream = "stdout" if mode == "r" else "stdin"
    process = subprocess.Popen(cmd, shell=True, text=True, bufsize=buffering, **{stream: subprocess.PIPE})
    return _Popen(getattr(process, stream), process)


class _Popen:
    """A stream of a child whose `close` waits for it."""

    def __init__(self, stream, process):
        self._stream = stream
        self._process = process

    def close(self):
        self._stream.close()
        code = self._process.wait()
        return None if code == 0 else code << 8 if code > 0 else code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def __iter__(self):
        return iter(self._stream)


os.popen = popen
