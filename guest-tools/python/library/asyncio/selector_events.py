"""The standard library's event loop, without the sockets that it wakes itself with: nothing else runs."""

import _imp

# Its names belong to this module.
exec(_imp.get_frozen_object("_asyncio_selector_events"), globals())

import time


class _Timers(selectors._BaseSelectorImpl):
    """Waits for the next timer."""

    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("nothing can wake this event loop: there are no threads and no sockets")
        if timeout > 0:
            time.sleep(timeout)
        return []


_initialize = BaseSelectorEventLoop.__init__


def _init(self, selector=None):
    _initialize(self, _Timers() if selector is None else selector)


def _nothing(self):
    pass


def _add(self, fd, callback, *args):
    raise NotImplementedError("there are no sockets")


BaseSelectorEventLoop.__init__ = _init
BaseSelectorEventLoop._make_self_pipe = _nothing
BaseSelectorEventLoop._close_self_pipe = _nothing
BaseSelectorEventLoop._write_to_self = _nothing
BaseSelectorEventLoop._add_reader = _add
BaseSelectorEventLoop._add_writer = _add
