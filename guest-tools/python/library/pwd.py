"""The accounts of /etc/passwd."""

from collections import namedtuple

struct_passwd = namedtuple("struct_passwd", "pw_name pw_passwd pw_uid pw_gid pw_gecos pw_dir pw_shell")


def getpwall():
    """All accounts."""
    found = []
    with open("/etc/passwd", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            fields = line.rstrip("\n").split(":")
            if len(fields) == 7:
                fields[2:4] = int(fields[2]), int(fields[3])
                found.append(struct_passwd(*fields))
    return found


def getpwnam(name):
    """The account of this name."""
    for entry in getpwall():
        if entry.pw_name == name:
            return entry
    raise KeyError(f"getpwnam(): name not found: {name!r}")


def getpwuid(uid):
    """The account of this number."""
    for entry in getpwall():
        if entry.pw_uid == uid:
            return entry
    raise KeyError(f"getpwuid(): uid not found: {uid}")
