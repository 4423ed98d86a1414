"""The semaphores of `multiprocessing`: a file with the count, which is locked while it is looked at."""

import os
import tempfile

import _sandbox

def _path(name):
    return os.path.join(tempfile.gettempdir(), name.lstrip("/"))


def sem_unlink(name):
    """Removes a semaphore by its name."""
    os.unlink(_path(name))


class SemLock:
    """A semaphore, or a lock that its owner may take again (kind 0)."""

    SEM_VALUE_MAX = 0x7FFFFFFF

    def __init__(self, kind, value, maxvalue, name, unlink):
        if not 0 <= value <= maxvalue:
            raise ValueError("invalid value")
        with open(_path(name), "xb") as file:
            file.write(value.to_bytes(4, "little"))
        self._open(kind, maxvalue, name)
        if unlink:
            sem_unlink(name)
            self.name = None

    def _open(self, kind, maxvalue, name):
        self.kind, self.maxvalue, self.name = kind, maxvalue, name
        # How often this process has it.
        self._held = 0
        self._file = _sandbox.open_file(os.fsencode(_path(name)))
        self.handle = self._file

    @staticmethod
    def _rebuild(handle, kind, maxvalue, name):
        made = SemLock.__new__(SemLock)
        made._open(kind, maxvalue, name)
        return made

    def __del__(self, _close=_sandbox.close):
        if hasattr(self, "_file"):
            _close(self._file)

    def _change(self, by):
        """Changes the count, unless it would be negative or too large; the one before."""
        _sandbox.lock(self._file)
        try:
            count = int.from_bytes(_sandbox.read_at(self._file, 0, 4), "little")
            if by and 0 <= count + by <= self.maxvalue:
                _sandbox.write_at(self._file, 0, (count + by).to_bytes(4, "little"))
            return count
        finally:
            _sandbox.unlock(self._file)

    def acquire(self, block=True, timeout=None):
        if self.kind == 0 and self._held:
            self._held += 1
            return True
        if not _sandbox.until(lambda: self._change(-1), timeout if block else 0):
            return False
        self._held += 1
        return True

    def release(self):
        if self.kind == 0:
            if not self._held:
                raise AssertionError("attempt to release recursive lock not owned by thread")
            if self._held > 1:
                self._held -= 1
                return
        if self._change(1) >= self.maxvalue:
            raise ValueError("semaphore or lock released too many times")
        self._held -= 1

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *error):
        self.release()

    def _count(self):
        return self._held

    def _is_mine(self):
        return self._held > 0

    def _get_value(self):
        return self._change(0)

    def _is_zero(self):
        return self._change(0) == 0

    def _after_fork(self):
        self._held = 0
