"""`multiprocessing` over the sandbox's processes: what threads, `fork` and inherited descriptors do elsewhere.

A child is started anew and reads what it needs from its standard input. Pipes are named pipes, which a child opens by
name; until it has, the end is kept open for it by a descriptor that it inherits. Semaphores and queues are files. What
threads do in the background, whoever needs it does: a queue is written by who puts.
"""

import functools
import itertools
import os
import sys

import _pools
import _sandbox

_numbers = itertools.count()


def _name():
    """A path for what processes share; it goes with the process that asked for it."""
    from multiprocessing import util

    return os.path.join(util.get_temp_dir(), f"{os.getpid()}-{next(_numbers)}")


def adapt(module):
    """Fits a module of the standard library to the sandbox, once it was imported."""
    _ADAPTED[module.__name__](module)


def _base(multiprocessing):
    from multiprocessing import context, resource_tracker

    context.SpawnProcess._Popen = staticmethod(lambda process: _child()(process))
    for method in "fork", "forkserver":
        del context._concrete_contexts[method]
    context._default_context = context.DefaultContext(context._concrete_contexts["spawn"])
    for name in context._default_context.__dir__():
        if name in multiprocessing.__all__:
            setattr(multiprocessing, name, getattr(context._default_context, name))
    # Nothing of the system's outlives who made it.
    resource_tracker.register = resource_tracker.unregister = lambda name, kind: None
    resource_tracker.ensure_running = lambda: None


@functools.cache
def _child():
    """The class of a started child."""
    import io
    from multiprocessing import context, popen_fork, reduction, spawn, util

    class Popen(popen_fork.Popen):
        method = "spawn"

        def __init__(self, process):
            # What the child inherits, beyond the standard streams.
            self._given = []
            super().__init__(process)

        def give(self, path, flags):
            """Keeps a named pipe open for the child; the number by which it closes that."""
            self._given.append(_sandbox.open_file(os.fsencode(path), flags))
            return len(self._given) + _FIRST

        def duplicate_for_child(self, fd):
            raise RuntimeError("a sandbox's processes inherit pipes, queues and locks of multiprocessing, and no descriptors")

        def _launch(self, process):
            import _posixsubprocess

            text = io.BytesIO()
            context.set_spawning_popen(self)
            try:
                reduction.dump(spawn.get_preparation_data(process._name), text)
                reduction.dump(process, text)
            except BaseException:
                for descriptor in self._given:
                    _sandbox.close(descriptor)
                raise
            finally:
                context.set_spawning_popen(None)
            # The child has one end open as long as it is there.
            life = _name()
            os.mkfifo(life, 0o600)
            both = os.open(life, os.O_RDWR)
            self.sentinel = os.open(life, os.O_RDONLY)
            alive = _sandbox.open_file(os.fsencode(life), os.O_WRONLY)
            os.close(both)
            os.unlink(life)
            theirs, ours = os.pipe()
            streams = [(0, theirs), (1, 1), (2, 2)]
            numbered = [(number, _posixsubprocess._descriptor(fd)[0]) for number, fd in streams]
            numbered.append((_FIRST, alive))
            numbered += enumerate(self._given, _FIRST + 1)
            program = "import sys; from multiprocessing.spawn import _main; sys.exit(_main(0, None))"
            words = [sys.executable, *util._args_from_interpreter_flags(), "-c", program, "--multiprocessing-fork"]
            try:
                self.pid = _posixsubprocess._start(words, [sys.executable], None, None, numbered, -1)
            finally:
                for number, descriptor in numbered:
                    if descriptor > 2:
                        _sandbox.close(descriptor)
                os.close(theirs)
            self.finalizer = util.Finalize(self, util.close_fds, (self.sentinel,))
            with open(ours, "wb") as stream:
                try:
                    stream.write(text.getvalue())
                except BrokenPipeError:
                    # It ended before; its status says why.
                    pass

    return Popen


# The number of the descriptor that says whether a child is alive; those that it was given follow.
_FIRST = 3


@functools.cache
def _pipe_end():
    """The class of an end of a pipe."""
    from multiprocessing import connection, context

    class PipeEnd(connection.Connection):
        """An end of one named pipe, or of two."""

        def __init__(self, reads=None, writes=None):
            self._paths = reads, writes
            fds = [os.open(path, flags) for path, flags in self._ends()]
            self._out = fds[-1]
            super().__init__(fds[0], reads is not None, writes is not None)

        def _ends(self):
            reads, writes = self._paths
            return [(path, flags) for path, flags in ((reads, os.O_RDONLY), (writes, os.O_WRONLY)) if path is not None]

        def _close(self, _close=os.close):
            if self._out != self._handle:
                _close(self._out)
            _close(self._handle)

        def _send(self, buf, write=os.write):
            left = len(buf)
            while True:
                count = write(self._out, buf)
                left -= count
                if left == 0:
                    break
                buf = buf[count:]

        def __reduce__(self):
            self._check_closed()
            popen = context.get_spawning_popen()
            given = [] if popen is None else [popen.give(*end) for end in self._ends()]
            return _opened, (*self._paths, given)

    return PipeEnd


def _pipe(duplex=True):
    """Two connected ends; the first only reads and the second only writes, unless it is a duplex pipe."""
    paths = [_name() for _ in range(1 + duplex)]
    for path in paths:
        os.mkfifo(path, 0o600)
    both = [os.open(path, os.O_RDWR) for path in paths]
    end = _pipe_end()
    try:
        return (end(*paths), end(*reversed(paths))) if duplex else (end(*paths), end(None, *paths))
    finally:
        for fd in both:
            os.close(fd)


def _connections(connection):
    connection.Pipe = _pipe


def _opened(reads, writes, given):
    """An end in the process that was given it."""
    end = _pipe_end()(reads, writes)
    for descriptor in given:
        _sandbox.close(descriptor)
    return end


class _Mailbox:
    """Messages as files of a directory, in their order. Who reads and who writes has the queue's lock for it."""

    def __init__(self, path=None):
        self._path = _name() if path is None else path
        if path is None:
            os.mkdir(self._path, 0o700)
            self._set("first", 0)
            self._set("next", 0)

    def __reduce__(self):
        return _Mailbox, (self._path,)

    def _at(self, name):
        return os.path.join(self._path, str(name))

    def _get(self, name):
        with open(self._at(name), "rb") as file:
            return int(file.read())

    def _set(self, name, number):
        with open(self._at(name), "wb") as file:
            file.write(b"%d" % number)

    def send_bytes(self, message):
        number = self._get("next")
        draft = self._at("draft")
        with open(draft, "wb") as file:
            file.write(message)
        os.rename(draft, self._at(number))
        self._set("next", number + 1)

    def poll(self, timeout=0.0):
        return _sandbox.until(lambda: os.path.exists(self._at(self._get("first"))), timeout)

    def recv_bytes(self):
        self.poll(None)
        number = self._get("first")
        with open(self._at(number), "rb") as file:
            message = file.read()
        self._set("first", number + 1)
        os.unlink(self._at(number))
        return message

    def close(self):
        pass


def _queues(queues):
    queue, joinable = queues.Queue, queues.JoinableQueue

    def init(self, maxsize=0, *, ctx):
        if maxsize <= 0:
            from multiprocessing.synchronize import SEM_VALUE_MAX as maxsize
        self._maxsize = maxsize
        self._reader = self._writer = _Mailbox()
        self._rlock, self._wlock = ctx.Lock(), ctx.Lock()
        self._opid = os.getpid()
        self._sem = ctx.BoundedSemaphore(maxsize)
        self._ignore_epipe = False
        self._reset()

    def put(self, obj, block=True, timeout=None):
        if self._closed:
            raise ValueError(f"Queue {self!r} is closed")
        if not self._sem.acquire(block, timeout):
            raise queues.Full
        try:
            message = queues._ForkingPickler.dumps(obj)
        except Exception as error:
            self._sem.release()
            self._on_queue_feeder_error(error, obj)
            return
        with self._wlock:
            self._send_bytes(message)

    def put_task(self, obj, block=True, timeout=None):
        self._unfinished_tasks.release()
        try:
            put(self, obj, block, timeout)
        except BaseException:
            self._unfinished_tasks.acquire()
            raise

    queue.__init__, queue.put, joinable.put = init, put, put_task


def _managers(managers):
    def start(self, *arguments, **named):
        raise RuntimeError("a manager answers by threads, and a sandbox's python3 has one (queues, pipes and pools work)")

    managers.BaseManager.start = start


_ADAPTED = {
    "multiprocessing": _base, "multiprocessing.connection": _connections, "multiprocessing.queues": _queues,
    "multiprocessing.managers": _managers, "multiprocessing.pool": _pools.pools,
    "concurrent.futures.process": _pools.executor,
}  # fmt: skip
