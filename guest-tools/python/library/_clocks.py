"""The clock of this process's processor time. WASI has none but the time that has passed, and the one that libc made of
it began while the component was made."""

import posix
import time

_passed = time.process_time_ns
_begun = 0


def process_time_ns():
    """Process time for profiling as nanoseconds: sum of the kernel and user-space CPU time."""
    return _passed() - _begun


def process_time():
    """Process time for profiling: sum of the kernel and user-space CPU time."""
    return process_time_ns() / 1e9


def times():
    """Times of this process and its children, of which only this one's own is known."""
    return posix.times_result((process_time(), 0.0, 0.0, 0.0, time.monotonic()))


def begin():
    """The process begins now."""
    global _begun
    _begun = _passed()
    time.process_time, time.process_time_ns = process_time, process_time_ns
    import os

    posix.times = os.times = times
