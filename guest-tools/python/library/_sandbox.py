"""What the sandbox offers beyond WASI: files with modes and owners, processes, and its network's names."""

import errno
import os
import posix
import time

from componentize_py_types import Err
from wit_world.imports import environment, exit as _exit, process, vfs
from wit_world.imports.offshoot_sandbox_types import FileKind
from wit_world.imports.process import SpawnOptions
from wit_world.imports.vfs import AccessMode, LockMode, OpenFlags, Whence

_ERRNO = {
    "ACCESS": "EACCES", "AGAIN": "EAGAIN", "BAD_DESCRIPTOR": "EBADF", "BUSY": "EBUSY", "CHILD": "ECHILD",
    "CROSS_DEVICE": "EXDEV", "EXIST": "EEXIST", "FILE_TOO_LARGE": "EFBIG", "ILLEGAL_SEQUENCE": "EILSEQ",
    "INVALID": "EINVAL", "IO": "EIO", "IS_DIRECTORY": "EISDIR", "TOO_MANY_LINKS": "ELOOP",
    "TOO_MANY_DESCRIPTORS": "EMFILE", "NAME_TOO_LONG": "ENAMETOOLONG", "NO_ENTRY": "ENOENT", "NO_EXEC": "ENOEXEC",
    "NO_MEMORY": "ENOMEM", "NO_SPACE": "ENOSPC", "NO_PROCESS": "ESRCH", "NOT_DIRECTORY": "ENOTDIR",
    "NOT_EMPTY": "ENOTEMPTY", "NOT_PERMITTED": "EPERM", "NOT_SUPPORTED": "ENOTSUP", "NO_DEVICE": "ENXIO",
    "OVERFLOW": "EOVERFLOW", "BROKEN_PIPE": "EPIPE", "READ_ONLY": "EROFS", "CANNOT_SEEK": "ESPIPE",
    "TOO_MANY_PROCESSES": "EAGAIN", "ARGUMENTS_TOO_LONG": "E2BIG",
    "CONNECTION_REFUSED": "ECONNREFUSED",
}  # fmt: skip

_KINDS = {
    FileKind.REGULAR: 0o100000, FileKind.DIRECTORY: 0o040000, FileKind.SYMLINK: 0o120000,
    FileKind.FIFO: 0o010000, FileKind.CHARACTER_DEVICE: 0o020000,
}  # fmt: skip


# What unwinds an exception sets its traceback; a frozen class lets nobody.
Err.__setattr__ = BaseException.__setattr__


def failure(error, path=None):
    """The OSError of a refusal."""
    number = getattr(errno, _ERRNO[error.value.name])
    text = os.strerror(number)
    return OSError(number, text) if path is None else OSError(number, text, path)


def absolute(path):
    """The path from the root."""
    if path.startswith(b"/"):
        return path
    if not path:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path.decode())
    return posix.getcwdb().rstrip(b"/") + b"/" + path


def _on(path, operation, *arguments):
    try:
        return operation(absolute(path), *arguments)
    except Err as error:
        raise failure(error, os.fsdecode(path)) from None


def _nanoseconds(time):
    return time.seconds * 1_000_000_000 + time.nanoseconds


def stat(path, follow):
    """Mode, inode, device, links, owner, group, size, three times in nanoseconds, and blocks."""
    return _fields(_on(path, vfs.stat, follow))


def stat_descriptor(descriptor):
    """The same of a descriptor of the sandbox."""
    try:
        return _fields(vfs.stat_descriptor(descriptor))
    except Err as error:
        raise failure(error) from None


def _fields(found):
    times = _nanoseconds(found.accessed), _nanoseconds(found.modified), _nanoseconds(found.changed)
    kind = _KINDS[found.kind] | found.mode
    return (kind, found.inode, found.device, found.links, found.uid, found.gid, found.size, *times, found.blocks)


def exists(path):
    """Whether there is such a name, a symbolic link that leads nowhere included."""
    try:
        vfs.stat(absolute(path), False)
        return True
    except (Err, OSError):
        return False


def access(path, bits):
    """As `access` of POSIX."""
    mode = AccessMode(0)
    for bit, flag in ((4, AccessMode.READ), (2, AccessMode.WRITE), (1, AccessMode.EXECUTE)):
        if bits & bit:
            mode |= flag
    try:
        vfs.access(absolute(path), mode)
        return True
    except (Err, OSError):
        return False


def symlink(target, path):
    """Makes a symbolic link, to anywhere."""
    _on(path, lambda path: vfs.symlink(target, path))


def make_fifo(path, mode):
    """Makes a named pipe."""
    _on(path, vfs.make_fifo, mode)


def set_mode(path, mode):
    """Changes permission bits."""
    _on(path, vfs.set_mode, mode)


def set_owner(path, owner, group, follow):
    """Changes owner and group; a negative number keeps one."""
    _on(path, vfs.set_owner, owner if owner >= 0 else None, group if group >= 0 else None, follow)


def space(path):
    """Bytes in all, bytes free, inodes in all, inodes free."""
    found = _on(path, vfs.stat_filesystem)
    return found.total_bytes, found.free_bytes, found.total_inodes, found.free_inodes


def identify():
    """Process, parent, owner, group, their names, and the host's name."""
    if _making:
        return 0, 0, 0, 0, "", "", ""
    found = process.identify()
    return found.pid, found.parent, found.uid, found.gid, found.user, found.group, found.hostname


def umask(mask):
    """Sets the mask where it is not negative; the one before."""
    before = process.get_umask()
    if mask >= 0:
        process.set_umask(mask & 0o777)
    return before


def connection(local, remote):
    """A descriptor for the connection of a socket of this process, by its ports."""
    try:
        return process.connection(local, remote)
    except Err as error:
        raise failure(error) from None


def opened(inode, offset):
    """A descriptor for a file that this process has open, at the offset."""
    try:
        return process.opened(inode, offset)
    except Err as error:
        raise failure(error) from None


def offset(descriptor):
    """Where the next byte is read or written."""
    try:
        return vfs.seek(descriptor, 0, Whence.CURRENT)
    except Err as error:
        raise failure(error) from None


def open_file(path, flags=os.O_RDWR):
    """A descriptor of the sandbox's for a file that is there."""
    ways = {os.O_RDONLY: OpenFlags.READ, os.O_WRONLY: OpenFlags.WRITE, os.O_RDWR: OpenFlags.READ | OpenFlags.WRITE}
    return _on(path, vfs.open, ways[flags], 0)


def read_at(descriptor, offset, count):
    """Bytes of a file."""
    try:
        vfs.seek(descriptor, offset, Whence.START)
        return vfs.read(descriptor, count)
    except Err as error:
        raise failure(error) from None


def write_at(descriptor, offset, data):
    """Puts bytes into a file."""
    try:
        vfs.seek(descriptor, offset, Whence.START)
        vfs.write(descriptor, data)
    except Err as error:
        raise failure(error) from None


def until(look, timeout=None):
    """Looks again and again, less and less often, until there is something or the time is over; what was seen last."""
    end = None if timeout is None else time.monotonic() + timeout
    pause = 0.0002
    while not (seen := look()):
        left = pause if end is None else end - time.monotonic()
        if left <= 0:
            break
        time.sleep(min(pause, left))
        pause = min(pause * 2, 0.005)
    return seen


def lock(descriptor):
    """Waits until no other process has the file locked, and locks it."""
    until(lambda: _lock(descriptor, LockMode.EXCLUSIVE))


def unlock(descriptor):
    """Lets go of a file."""
    _lock(descriptor, LockMode.NONE)


def _lock(descriptor, mode):
    try:
        vfs.lock(descriptor, mode)
        return True
    except Err as error:
        if error.value.name == "AGAIN":
            return False
        raise failure(error) from None


def close(descriptor):
    """Closes a descriptor of the sandbox's, which is none of the C library's."""
    vfs.close(descriptor)


def spawn(path, arguments, variables, folder, descriptors):
    """Starts a process; its number. `descriptors` are its numbers with those of this process."""
    environment = [tuple(variable.split(b"=", 1)) for variable in variables if b"=" in variable[1:]]
    options = SpawnOptions(
        path=absolute(path),
        arguments=arguments,
        environment=environment,
        directory=absolute(folder) if folder is not None else posix.getcwdb(),
        umask=process.get_umask(),
        descriptors=descriptors,
        task=None,
    )
    try:
        return process.spawn(options)
    except Err as error:
        raise failure(error, os.fsdecode(path)) from None


def _code(status):
    number = status.value
    return number if type(status).__name__.endswith("Exited") else -number


def wait(pid):
    """The status as `subprocess` counts it: negative for a signal."""
    try:
        return _code(process.wait(pid))
    except Err as error:
        raise failure(error) from None


def try_wait(pid):
    """The same, None while it runs."""
    try:
        status = process.try_wait(pid)
    except Err as error:
        raise failure(error) from None
    return None if status is None else _code(status)


def kill(pid, number):
    """Sends a signal."""
    try:
        process.kill(pid, number)
    except Err as error:
        raise failure(error) from None


def leave(status):
    """Ends this process at once."""
    _exit.exit_with_code(status & 0xFF)


# The component is being made, outside any sandbox.
_making = True


def arguments():
    """The arguments of this process, its name first."""
    return environment.get_arguments()


def startup():
    """Arguments, environment and working directory."""
    global _making
    _making = False
    return environment.get_arguments(), environment.get_environment(), environment.initial_cwd() or "/"
