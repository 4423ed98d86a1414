"""Pools of threads without threads: a call is run when it is submitted, so its future has ended.

What tasks do for themselves is as with threads: results, exceptions, an initializer, order of `as_completed`. A task
that waits for one that is submitted later would wait for ever.
"""

import asyncio.base_events
import concurrent.futures.thread as pools


def _run_next(pool):
    """Runs the call that was submitted last."""
    call = pool._work_queue.get_nowait()
    context = getattr(pool, "_context", None)
    if context is None:
        try:
            context = pool._context = pool._create_worker_context()
            context.initialize()
        except BaseException:
            pools._base.LOGGER.critical("Exception in initializer:", exc_info=True)
            pool._work_queue.put(call)
            pool._initializer_failed()
            return
    call.run(context)


def install():
    """Lets pools and the event loop's executor run calls themselves."""
    pool = pools.ThreadPoolExecutor
    queue = pool.submit

    def submit(self, fn, /, *args, **kwargs):
        future = queue(self, fn, *args, **kwargs)
        _run_next(self)
        return future

    async def shutdown_default_executor(self, timeout=None):
        self._executor_shutdown_called = True
        if self._default_executor is not None:
            self._default_executor.shutdown()

    submit.__doc__ = queue.__doc__
    pool.submit = submit
    pool._adjust_thread_count = lambda self: None
    asyncio.base_events.BaseEventLoop.shutdown_default_executor = shutdown_default_executor
