"""The standard library's `subprocess`, with the sandbox's processes below it."""

import _imp

# Its names belong to this module, so that exceptions are called `subprocess.…`.
exec(_imp.get_frozen_object("_subprocess"), globals())

import io as _io
import os
import time

import _sandbox

_can_fork_exec = True
_del_safe.waitpid = os.waitpid
_del_safe.waitstatus_to_exitcode = os.waitstatus_to_exitcode
_del_safe.WIFSTOPPED = os.WIFSTOPPED
_del_safe.WSTOPSIG = os.WSTOPSIG
_del_safe.WNOHANG = os.WNOHANG
_del_safe.ECHILD = errno.ECHILD


def _patiently(attempt, *arguments):
    """Tries again, ever less often, while the other end is not ready."""
    pause = 0.00002
    while (result := attempt(*arguments)) is None:
        time.sleep(pause)
        pause = min(pause * 2, 0.002)
    return result


class _Pipe(_io.RawIOBase):
    """An end of a pipe of the sandbox."""

    def __init__(self, descriptor, write):
        self.descriptor = descriptor
        self._write = write
        self.name = descriptor

    def readable(self):
        return not self._write

    def writable(self):
        return self._write

    def fileno(self):
        raise _io.UnsupportedOperation("fileno of a pipe")

    def readinto(self, buffer):
        data = _patiently(_sandbox.read, self.descriptor, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def write(self, data):
        return _patiently(_sandbox.write, self.descriptor, bytes(data))

    def close(self):
        if not self.closed:
            super().close()
            _sandbox.close(self.descriptor)


class io:
    """What `Popen` uses of `io`."""

    TextIOWrapper = _io.TextIOWrapper

    @staticmethod
    def open(descriptor, mode, buffering=-1):
        write = mode == "wb"
        raw = _Pipe(descriptor, write)
        if buffering == 0:
            return raw
        size = buffering if buffering > 1 else _io.DEFAULT_BUFFER_SIZE
        return _io.BufferedWriter(raw, size) if write else _io.BufferedReader(raw, size)


def _raw(stream):
    """The pipe under a stream of `Popen`."""
    stream = getattr(stream, "buffer", stream)
    return getattr(stream, "raw", stream)


def _file_descriptor(file, how):
    """A descriptor of the sandbox for a file of Python's, where it goes on."""
    if isinstance(file, int):
        if 0 <= file <= 2:
            return file
        raise OSError(errno.ENOTSUP, "descriptors of open files cannot be passed on; pass the file object")
    pipe = _raw(file)
    if isinstance(pipe, _Pipe):
        return pipe.descriptor
    number = file.fileno()
    if 0 <= number <= 2:
        return number
    if how != "r":
        file.flush()
    path = os.fspath(file.name) if not isinstance(file.name, int) else None
    if path is None:
        raise OSError(errno.ENOTSUP, "a file without a name cannot be passed on")
    descriptor = _sandbox.open(os.fsencode(path), how)
    if how == "r":
        _sandbox.seek(descriptor, file.tell())
    return descriptor


def _handles(self, stdin, stdout, stderr):
    self._opened = opened = []

    def keep(descriptor):
        if descriptor > 2:
            opened.append(descriptor)
        return descriptor

    def end(stream, how):
        if stream is None:
            return -1, -1
        if stream == PIPE:
            reader, writer = _sandbox.pipe()
            return (keep(reader), writer) if how == "r" else (keep(writer), reader)
        if stream == DEVNULL:
            return keep(_sandbox.open(b"/dev/null", how)), -1
        descriptor = _file_descriptor(stream, how)
        if not isinstance(_raw(stream), _Pipe):
            keep(descriptor)
        return descriptor, -1

    try:
        p2cread, p2cwrite = end(stdin, "r")
        c2pwrite, c2pread = end(stdout, "a")
        if stderr == STDOUT:
            errwrite, errread = (c2pwrite if c2pwrite != -1 else 1), -1
        else:
            errwrite, errread = end(stderr, "a")
    except BaseException:
        _close_all(self)
        raise
    return p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite


def _close_all(self):
    for descriptor in self._opened:
        _sandbox.close(descriptor)
    self._opened = []
    self._closed_child_pipe_fds = True


def _find(executable, env):
    if b"/" in executable:
        return [executable]
    return [os.path.join(os.fsencode(folder), executable) for folder in os.get_exec_path(env)]


def _execute_child(
    self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, startupinfo, creationflags, shell,
    p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite, restore_signals, gid, gids, uid, umask,
    start_new_session, process_group,
):
    try:
        if preexec_fn is not None:
            raise OSError(errno.ENOTSUP, "preexec_fn is not supported: there is no fork")
        if pass_fds:
            raise OSError(errno.ENOTSUP, "pass_fds is not supported")
        args = [args] if isinstance(args, (str, bytes, os.PathLike)) else list(args)
        if shell:
            args = ["/bin/sh" if executable is None else executable, "-c"] + args
        if executable is None:
            executable = args[0]
        sys.audit("subprocess.Popen", executable, args, cwd, env)
        variables = os.environb if env is None else {os.fsencode(k): os.fsencode(v) for k, v in env.items()}
        variables = [name + b"=" + value for name, value in variables.items()]
        folder = None if cwd is None else os.fsencode(cwd)
        if folder is not None and not os.path.isdir(folder):
            missing = os.path.exists(folder)
            number = errno.ENOTDIR if missing else errno.ENOENT
            raise OSError(number, os.strerror(number), cwd)
        streams = [0 if p2cread == -1 else p2cread, 1 if c2pwrite == -1 else c2pwrite, 2 if errwrite == -1 else errwrite]
        words = [os.fsencode(word) for word in args]
        self.pid = _spawn(_find(os.fsencode(executable), env), words, variables, folder, streams, executable)
        self._child_created = True
    finally:
        _close_all(self)


def _spawn(candidates, words, variables, folder, streams, executable):
    failure = None
    for candidate in candidates:
        try:
            return _sandbox.spawn(candidate, words, variables, folder, streams)
        except (FileNotFoundError, NotADirectoryError) as error:
            failure = failure or error
        except OSError as error:
            failure = error
            if error.errno != errno.EACCES:
                break
    number = errno.ENOENT if failure is None else failure.errno
    raise OSError(number, os.strerror(number), executable) from None


def _communicate(self, input, endtime, orig_timeout):
    if self.stdin and not self._communication_started:
        try:
            self.stdin.flush()
        except BrokenPipeError:
            pass
    self._save_input(input)
    if not self._communication_started:
        self._collected = {}
        for stream in (self.stdout, self.stderr):
            if stream:
                self._collected[stream] = []
    data = memoryview(self._input or b"").cast("B")
    stdout, stderr = (self._collected.get(stream) for stream in (self.stdout, self.stderr))
    pause = 0.00002
    while True:
        busy = False
        open_streams = False
        if self.stdin and not self.stdin.closed:
            open_streams = True
            busy = _feed(self, data)
        for stream, chunks in self._collected.items():
            if stream.closed:
                continue
            open_streams = True
            chunk = _sandbox.read(_raw(stream).descriptor, 65536)
            if chunk is not None:
                busy = True
                if chunk:
                    chunks.append(chunk)
                else:
                    stream.close()
        if not open_streams:
            break
        self._check_timeout(endtime, orig_timeout, stdout, stderr)
        pause = 0.00002 if busy else min(pause * 2, 0.002)
        if not busy:
            time.sleep(pause)
    try:
        self.wait(timeout=self._remaining_time(endtime))
    except TimeoutExpired as error:
        error.timeout = orig_timeout
        raise
    return tuple(_joined(self, stream) for stream in (self.stdout, self.stderr))


def _joined(self, stream):
    if stream is None:
        return None
    data = b"".join(self._collected[stream])
    if not self.text_mode:
        return data
    return self._translate_newlines(data, stream.encoding, stream.errors)


def _feed(self, data):
    """Writes what fits into the child's input; true where something happened."""
    if self._input_offset >= len(data):
        _quietly_close(self.stdin)
        return True
    try:
        count = _sandbox.write(_raw(self.stdin).descriptor, bytes(data[self._input_offset : self._input_offset + 65536]))
    except BrokenPipeError:
        _quietly_close(self.stdin)
        return True
    if count is None:
        return False
    self._input_offset += count
    return True


def _quietly_close(stream):
    try:
        stream.close()
    except BrokenPipeError:
        pass


Popen._get_handles = _handles
Popen._execute_child = _execute_child
Popen._communicate = _communicate
