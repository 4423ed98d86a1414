"""What `subprocess` starts processes with, over those of the sandbox."""

import os
import stat

import _sandbox

# The files that a child shares with this process, by its number: a C library's descriptor, and the sandbox's.
_shared = {}


def _descriptor(fd):
    """A descriptor of the sandbox for one of the C library's, and whether it is a file with an offset."""
    if 0 <= fd <= 2:
        return fd, False
    found = os.fstat(fd)
    if stat.S_ISSOCK(found.st_mode):
        import _socket

        socket = _socket.socket(fileno=fd)
        try:
            local, remote = socket.getsockname()[1], socket.getpeername()[1]
        finally:
            socket.detach()
        return _sandbox.connection(local, remote), False
    regular = stat.S_ISREG(found.st_mode)
    return _sandbox.opened(found.st_ino, os.lseek(fd, 0, os.SEEK_CUR) if regular else 0), regular


def fork_exec(
    args, executables, close_fds, pass_fds, cwd, env, p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite,
    errpipe_read, errpipe_write, restore_signals, start_new_session, process_group, gid, gids, uid, umask, preexec_fn,
):  # fmt: skip
    """Starts the first of `executables` that there is."""
    if preexec_fn is not None:
        raise RuntimeError("a sandbox's processes are not forked: preexec_fn cannot run")
    if pass_fds and set(pass_fds) - {errpipe_write}:
        raise RuntimeError("a sandbox's processes inherit 0, 1 and 2 only: pass_fds cannot be passed")
    given = [(0, p2cread), (1, c2pwrite), (2, errwrite)]
    descriptors, own, shared, known = [], [], [], {}
    try:
        for number, fd in given:
            fd = number if fd == -1 else fd
            if fd not in known:
                known[fd] = _descriptor(fd)
                if known[fd][0] > 2:
                    own.append(known[fd][0])
                if known[fd][1]:
                    shared.append((fd, known[fd][0]))
            descriptors.append((number, known[fd][0]))
        pid = _start(args, executables, cwd, env, descriptors, umask)
    except BaseException:
        for descriptor in own:
            _sandbox.close(descriptor)
        raise
    for descriptor in own:
        if all(descriptor != one for _, one in shared):
            _sandbox.close(descriptor)
    _shared[pid] = shared
    return pid


def _start(args, executables, cwd, env, descriptors, umask):
    if env is None:
        env = [name + b"=" + value for name, value in os.environb.items()]
    if cwd is not None:
        folder = os.fsencode(cwd)
        if not os.path.isdir(folder):
            os.listdir(folder)
    arguments = [os.fsencode(argument) for argument in args]
    before = _sandbox.umask(umask) if umask >= 0 else None
    failure = None
    try:
        for executable in executables:
            path = os.fsencode(executable)
            if cwd is not None and not path.startswith(b"/"):
                path = os.path.join(_sandbox.absolute(folder), path)
            try:
                return _sandbox.spawn(path, arguments, env, None if cwd is None else folder, descriptors)
            except (FileNotFoundError, NotADirectoryError) as error:
                failure = failure or error
            except OSError as error:
                failure = error
    finally:
        if before is not None:
            _sandbox.umask(before)
    failure.filename = os.fsdecode(args[0])
    raise failure


def ended(pid):
    """Moves on the offsets of the files that an ended child shared with this process."""
    for fd, descriptor in _shared.pop(pid, ()):
        try:
            os.lseek(fd, _sandbox.offset(descriptor), os.SEEK_SET)
        except OSError:
            pass
        _sandbox.close(descriptor)


def children():
    """The numbers of those that have not been waited for."""
    return list(_shared)
