"""Memory that processes share, which those of a sandbox do not."""

import errno
import os


def shm_open(path, flags, mode=0o777):
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), path)


def shm_unlink(path):
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), path)
