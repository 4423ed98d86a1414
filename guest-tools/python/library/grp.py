"""The groups of /etc/group."""

from collections import namedtuple

struct_group = namedtuple("struct_group", "gr_name gr_passwd gr_gid gr_mem")


def getgrall():
    """All groups."""
    found = []
    with open("/etc/group", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            fields = line.rstrip("\n").split(":")
            if len(fields) == 4:
                name, password, number, members = fields
                found.append(struct_group(name, password, int(number), [m for m in members.split(",") if m]))
    return found


def getgrnam(name):
    """The group of this name."""
    for entry in getgrall():
        if entry.gr_name == name:
            return entry
    raise KeyError(f"getgrnam(): name not found: {name!r}")


def getgrgid(gid):
    """The group of this number."""
    for entry in getgrall():
        if entry.gr_gid == gid:
            return entry
    raise KeyError(f"getgrgid(): gid not found: {gid}")
