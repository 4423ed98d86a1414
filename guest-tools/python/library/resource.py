"""The limits that the sandbox has, and what this process used, as far as either is known."""

import os
import time
from collections import namedtuple

error = OSError
RLIM_INFINITY = -1
RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CORE = range(5)
RLIMIT_RSS, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_MEMLOCK, RLIMIT_AS = range(5, 10)
RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD = 0, -1, 1

# As /proc/self/limits names them.
_NAMES = {
    RLIMIT_CPU: "Max cpu time",
    RLIMIT_FSIZE: "Max file size",
    RLIMIT_DATA: "Max data size",
    RLIMIT_CORE: "Max core file size",
    RLIMIT_RSS: "Max resident set",
    RLIMIT_NPROC: "Max processes",
    RLIMIT_NOFILE: "Max open files",
    RLIMIT_AS: "Max address space",
}
_own = {}

struct_rusage = namedtuple(
    "struct_rusage",
    "ru_utime ru_stime ru_maxrss ru_ixrss ru_idrss ru_isrss ru_minflt ru_majflt ru_nswap ru_inblock ru_oublock "
    "ru_msgsnd ru_msgrcv ru_nsignals ru_nvcsw ru_nivcsw",
)


def _known(resource):
    if not RLIMIT_CPU <= resource <= RLIMIT_AS:
        raise ValueError("invalid resource specified")
    return resource


def getrlimit(resource):
    """The soft and the hard limit."""
    if _known(resource) in _own:
        return _own[resource]
    name = _NAMES.get(resource)
    with open("/proc/self/limits") as file:
        for line in file:
            if name and line.startswith(name):
                found = line[len(name) :].split()[:2]
                return tuple(RLIM_INFINITY if one == "unlimited" else int(one) for one in found)
    return RLIM_INFINITY, RLIM_INFINITY


def setrlimit(resource, limits):
    """Keeps a limit that is not above the hard one, and tells it again; nothing is held to it."""
    soft, hard = (one if one >= 0 else RLIM_INFINITY for one in limits)
    above = lambda one, other: other != RLIM_INFINITY and (one == RLIM_INFINITY or one > other)
    if above(soft, hard):
        raise ValueError("current limit exceeds maximum limit")
    if above(hard, getrlimit(resource)[1]):
        raise ValueError("not allowed to raise maximum limit")
    _own[resource] = soft, hard


def getrusage(who):
    """What this process used: time, and the most memory in KiB. Children are not counted."""
    if who not in (RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD):
        raise ValueError("invalid who parameter")
    used, most = 0.0, 0
    if who != RUSAGE_CHILDREN:
        used = time.process_time()
        with open("/proc/self/status") as file:
            most = next((int(line.split()[1]) for line in file if line.startswith("VmHWM:")), 0)
    return struct_rusage(used, 0.0, most, *[0] * 13)


def getpagesize():
    """Bytes of a page of memory."""
    return 65536
