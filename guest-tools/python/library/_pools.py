"""Pools of processes without the threads that hand out tasks and take results: they work while somebody submits."""

import collections
import os


class _Tasks:
    """A pool's queue of tasks: they have been done when `put` returns."""

    def __init__(self, pool):
        self._pool = pool

    def put(self, item):
        tasks, set_length = item
        pool, running, count = self._pool, set(), 0
        tasks = iter(tasks)
        while True:
            while len(running) < max(pool._processes, 1) and (task := next(tasks, None)) is not None:
                job, number = task[:2]
                count = number + 1
                try:
                    pool._do(task)
                    running.add((job, number))
                except Exception as error:
                    self._set(job, number, (False, error))
            if not running:
                break
            for job, number, result in pool._done(running):
                running.discard((job, number))
                self._set(job, number, result)
        if set_length:
            set_length(count)

    def _set(self, job, number, result):
        try:
            self._pool._cache[job]._set(number, result)
        except KeyError:
            pass


def pools(pools):
    """Lets a pool do its tasks while somebody submits them."""
    from multiprocessing import connection

    class Pool(pools.Pool):
        __doc__ = pools.Pool.__doc__

        def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
            self._pool, self._state = [], pools.INIT
            self._ctx = context or pools.get_context()
            self._setup_queues()
            self._taskqueue, self._cache = _Tasks(self), {}
            self._maxtasksperchild, self._initializer, self._initargs = maxtasksperchild, initializer, initargs
            if processes is None:
                processes = os.process_cpu_count() or 1
            if processes < 1:
                raise ValueError("Number of processes must be at least 1")
            if maxtasksperchild is not None and (not isinstance(maxtasksperchild, int) or maxtasksperchild <= 0):
                raise ValueError("maxtasksperchild must be a positive int or None")
            if initializer is not None and not callable(initializer):
                raise TypeError("initializer must be a callable")
            self._processes = processes
            self._repopulate_pool()
            self._state = pools.RUN

        def _do(self, task):
            self._quick_put(task)

        def _done(self, running):
            """What the next worker answers. One that ended although it had more to do takes the tasks along."""
            while True:
                reader = self._outqueue._reader
                ready = connection.wait([reader, *(worker.sentinel for worker in self._pool)])
                if reader in ready:
                    return [self._quick_get()]
                failed = [worker.exitcode for worker in self._pool if worker.exitcode]
                self._join_exited_workers(self._pool)
                self._repopulate_pool()
                if failed:
                    error = RuntimeError(f"a worker of the pool ended with status {failed[0]}")
                    return [(*task, (False, error)) for task in running]

        def close(self):
            if self._state == pools.RUN:
                self._state = pools.CLOSE
                for _ in self._pool:
                    self._quick_put(None)

        def terminate(self):
            self._state = pools.TERMINATE
            for worker in self._pool:
                if worker.exitcode is None:
                    worker.terminate()
            for worker in self._pool:
                worker.join()

        def join(self):
            if self._state == pools.RUN:
                raise ValueError("Pool is still running")
            if self._state not in (pools.CLOSE, pools.TERMINATE):
                raise ValueError("In unknown state")
            for worker in self._pool:
                worker.join()

        def __del__(self, _warn=pools.warnings.warn, RUN=pools.RUN):
            if self._state == RUN:
                _warn(f"unclosed running multiprocessing pool {self!r}", ResourceWarning, source=self)
                self.terminate()

    class ThreadPool(Pool):
        __doc__ = pools.ThreadPool.__doc__
        _wrap_exception = False

        def __init__(self, processes=None, initializer=None, initargs=()):
            self._answers = collections.deque()
            super().__init__(processes, initializer, initargs)

        def _setup_queues(self):
            pass

        def _repopulate_pool(self):
            self._pool = [None] * self._processes
            if self._initializer is not None:
                self._initializer(*self._initargs)

        def close(self):
            if self._state == pools.RUN:
                self._state = pools.CLOSE

        def terminate(self):
            self._state = pools.TERMINATE

        def join(self):
            if self._state == pools.RUN:
                raise ValueError("Pool is still running")

        def _do(self, task):
            job, number, call, arguments, named = task
            try:
                self._answers.append((job, number, (True, call(*arguments, **named))))
            except Exception as error:
                self._answers.append((job, number, (False, error)))

        def _done(self, running):
            return [self._answers.popleft()]

    Pool.__module__ = ThreadPool.__module__ = pools.__name__
    Pool.__qualname__, ThreadPool.__qualname__ = "Pool", "ThreadPool"
    pools.Pool, pools.ThreadPool = Pool, ThreadPool


def _call(function, arguments):
    return function(*arguments)


def executor(process):
    """The same for `ProcessPoolExecutor`, whose futures have ended when they are made."""
    import functools
    from concurrent.futures import _base

    class ProcessPoolExecutor(_base.Executor):
        __doc__ = process.ProcessPoolExecutor.__doc__

        def __init__(self, max_workers=None, mp_context=None, initializer=None, initargs=(), *, max_tasks_per_child=None):
            if max_workers is not None and max_workers <= 0:
                raise ValueError("max_workers must be greater than 0")
            if initializer is not None and not callable(initializer):
                raise TypeError("initializer must be a callable")
            self._max_workers = max_workers or os.process_cpu_count() or 1
            self._settings = initializer, initargs, max_tasks_per_child, mp_context
            self._workers, self._shutdown, self._broken = None, False, False

        def _pool(self):
            if self._broken:
                raise process.BrokenProcessPool(self._broken)
            if self._shutdown:
                raise RuntimeError("cannot schedule new futures after shutdown")
            if self._workers is None:
                from multiprocessing.pool import Pool

                self._workers = Pool(self._max_workers, *self._settings)
            return self._workers

        def submit(self, fn, /, *args, **kwargs):
            pool, future = self._pool(), _base.Future()
            future.set_running_or_notify_cancel()
            try:
                future.set_result(pool.apply(fn, args, kwargs))
            except Exception as error:
                future.set_exception(error)
            return future

        def map(self, fn, *iterables, timeout=None, chunksize=1, buffersize=None):
            if chunksize < 1:
                raise ValueError("chunksize must be >= 1.")
            return iter(self._pool().imap(functools.partial(_call, fn), zip(*iterables), chunksize))

        def shutdown(self, wait=True, *, cancel_futures=False):
            self._shutdown = True
            if self._workers is not None:
                self._workers.close()
                self._workers.join()
                self._workers = None

    ProcessPoolExecutor.__module__, ProcessPoolExecutor.__qualname__ = process.__name__, "ProcessPoolExecutor"
    process.ProcessPoolExecutor = ProcessPoolExecutor
