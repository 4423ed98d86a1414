"""Completes `posix` and `os` with what the sandbox has and WASI cannot express. Imported before the program."""

import errno
import posix

import _posixsubprocess
import _sandbox
import _signal
import _thread
import os
import time
from time import sleep as _sleep


def _bytes(path):
    path = posix.fspath(path)
    path = path if isinstance(path, bytes) else path.encode("utf-8", "surrogateescape")
    if b"\0" in path:
        raise ValueError("embedded null byte")
    return path


def _whole(number, refusal="{!r} object cannot be interpreted as an integer"):
    if not hasattr(type(number), "__index__"):
        raise TypeError(refusal.format(type(number).__name__))
    return number.__index__()


def _refuse_folder(dir_fd):
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")


_INHERITED = [(0, 0), (1, 1), (2, 2)]
_stat, _lstat, _fstat, _scandir = posix.stat, posix.lstat, posix.fstat, posix.scandir


def _result(found):
    *fields, accessed, modified, changed, blocks = found
    times = accessed, modified, changed
    whole = [time // 10**9 for time in times]
    return posix.stat_result((*fields, *whole, *(time / 1e9 for time in times), *times, 4096, blocks))


def stat(path, *, dir_fd=None, follow_symlinks=True):
    if isinstance(path, int):
        return fstat(path)
    if dir_fd is not None:
        return _stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
    return _result(_sandbox.stat(_bytes(path), bool(follow_symlinks)))


def lstat(path, *, dir_fd=None):
    return stat(path, dir_fd=dir_fd, follow_symlinks=False)


def fstat(fd):
    """As WASI's, with the permission bits and owners that it does not carry."""
    found = _fstat(fd)
    if fd <= 2:
        return _result(_sandbox.stat_descriptor(fd))
    if found.st_mode & 0o170000 != 0o100000:
        return found
    try:
        descriptor = _sandbox.opened(found.st_ino, 0)
    except OSError:
        return found
    try:
        return _result(_sandbox.stat_descriptor(descriptor))
    finally:
        _sandbox.close(descriptor)


class DirEntry:
    """An entry as the interpreter's own, whose `stat` has the permission bits and owners."""

    __slots__ = "_entry", "_found"

    def __init__(self, entry):
        self._entry, self._found = entry, {}

    name = property(lambda self: self._entry.name)
    path = property(lambda self: self._entry.path)

    def inode(self):
        return self._entry.inode()

    def is_dir(self, *, follow_symlinks=True):
        return self._entry.is_dir(follow_symlinks=follow_symlinks)

    def is_file(self, *, follow_symlinks=True):
        return self._entry.is_file(follow_symlinks=follow_symlinks)

    def is_symlink(self):
        return self._entry.is_symlink()

    def is_junction(self):
        return False

    def stat(self, *, follow_symlinks=True):
        if follow_symlinks not in self._found:
            self._found[follow_symlinks] = stat(self._entry.path, follow_symlinks=follow_symlinks)
        return self._found[follow_symlinks]

    def __fspath__(self):
        return self._entry.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


class _Entries:
    """What `scandir` gives."""

    def __init__(self, entries):
        self._entries = entries

    def __iter__(self):
        return self

    def __next__(self):
        return DirEntry(next(self._entries))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._entries.close()


def scandir(path=None):
    return _Entries(_scandir("." if path is None else path))


def access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    _refuse_folder(dir_fd)
    return _sandbox.access(_bytes(path), mode)


def symlink(src, dst, target_is_directory=False, *, dir_fd=None):
    _refuse_folder(dir_fd)
    _sandbox.symlink(_bytes(src), _bytes(dst))


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    _refuse_folder(dir_fd)
    if not follow_symlinks:
        raise NotImplementedError("chmod: follow_symlinks unavailable on this platform")
    _sandbox.set_mode(_bytes(path), _whole(mode) & 0o7777)


def chown(path, uid, gid, *, dir_fd=None, follow_symlinks=True):
    _refuse_folder(dir_fd)
    owner, group = _whole(uid, "uid should be integer, not {}"), _whole(gid, "gid should be integer, not {}")
    _sandbox.set_owner(_bytes(path), owner, group, bool(follow_symlinks))


def lchown(path, uid, gid):
    chown(path, uid, gid, follow_symlinks=False)


def mkfifo(path, mode=0o666, *, dir_fd=None):
    _refuse_folder(dir_fd)
    _sandbox.make_fifo(_bytes(path), _whole(mode))


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
    pid = _sandbox.spawn(_bytes(path), words, variables, None, _INHERITED)
    code = _sandbox.wait(pid)
    _sandbox.leave(code if code >= 0 else 128 - code)


def execv(path, argv):
    import os

    execve(path, argv, os.environb)


def _exit(status):
    _sandbox.leave(status & 0xFF)


def kill(pid, signal):
    if pid == getpid() and callable(_signal.getsignal(signal)):
        _signal.raise_signal(signal)
        return
    if pid == getpid() and _signal.getsignal(signal) == _signal.SIG_IGN:
        return
    if pid <= 0:
        raise NotImplementedError("there are no process groups")
    _sandbox.kill(pid, int(signal))
    if pid == getpid():
        # It is ended where it gives way, which must be before this returns.
        _sleep(0.001)


WNOHANG = 1


def waitpid(pid, options):
    if pid <= 0:
        return _wait_any(options)
    code = _sandbox.try_wait(pid) if options & WNOHANG else _sandbox.wait(pid)
    if code is None:
        return 0, 0
    _posixsubprocess.ended(pid)
    return pid, code << 8 if code >= 0 else -code


def _wait_any(options):
    while children := _posixsubprocess.children():
        for pid in children:
            found = waitpid(pid, WNOHANG)
            if found[0]:
                return found
        if options & WNOHANG:
            return 0, 0
        time.sleep(0.001)
    raise ChildProcessError(errno.ECHILD, os.strerror(errno.ECHILD))


def wait():
    return waitpid(-1, 0)


def pipe():
    """The ends of a pipe, which is a connection within the sandbox: `select` and `read` know it."""
    import socket

    with socket.create_server(("127.0.0.1", 0), backlog=1) as server:
        writer = socket.create_connection(server.getsockname())
        reader, _ = server.accept()
    writer.shutdown(socket.SHUT_RD)
    reader.shutdown(socket.SHUT_WR)
    return reader.detach(), writer.detach()


def set_inheritable(fd, inheritable):
    posix.fstat(fd)


def get_inheritable(fd):
    posix.fstat(fd)
    return False


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
    pid = _sandbox.spawn(b"/bin/sh", arguments, _variables(), None, _INHERITED)
    return waitpid(pid, 0)[1]


def _start(*arguments, **named):
    raise RuntimeError("can't start new thread: a sandbox's python3 has one thread (asyncio and subprocess work)")


_thread.start_new_thread = _thread.start_joinable_thread = _thread.start_new = _start

for _number, _name in enumerate(
    "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN "
    "TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS".split(),
    1,
):
    if not hasattr(_signal, "SIG" + _name):
        setattr(_signal, "SIG" + _name, _number)

_added = {
    name: value
    for name, value in globals().items()
    if (not name.startswith("_") or name == "_exit") and name not in ("posix", "time", "errno", "os")
}
for _name, _value in _added.items():
    if hasattr(_value, "__module__"):
        _value.__module__ = "posix"
    for _module in (posix, os):
        if not hasattr(_module, _name):
            setattr(_module, _name, _value)


def install():
    """Puts what is better than WASI's in its place. Not while the component is made: there is no sandbox then."""
    for able, names in (
        (os.supports_fd, ("stat",)),
        (os.supports_dir_fd, ("stat", "lstat", "open", "mkdir")),
        (os.supports_follow_symlinks, ("stat", "chown")),
    ):
        able -= {function for function in able if function.__name__ in _added}
        able |= {_added[name] for name in names}
    for name, value in _added.items():
        setattr(posix, name, value)
        setattr(os, name, value)
