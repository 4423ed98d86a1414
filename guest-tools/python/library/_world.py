"""Connections to hosts beyond the sandbox, for `socket`: HTTP, as the network policy allows it.

A socket that is connected to such a host is connected to a process of this sandbox, `_relay`, which reads one HTTP
request from it and has `curl` send it. Names that the sandbox does not know get an address of 198.18.0.0/15, which
belongs to no host (RFC 2544), so that what connects by address leads to the name.
"""

import errno
import os
import socket
import _socket

import _sandbox

_FIRST = 198 << 24 | 18 << 16
_addresses = {}
_names = {}
# The processes behind connections, until it was seen that they ended.
_relays = set()
_getaddrinfo, _connect, _connect_ex = socket.getaddrinfo, _socket.socket.connect, _socket.socket.connect_ex


def _address(name):
    """The address that stands for a name."""
    if name not in _addresses:
        number = _FIRST + 1 + len(_addresses)
        _addresses[name] = ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))
        _names[_addresses[name]] = name
    return _addresses[name]


def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
    try:
        return _getaddrinfo(host, port, family, type, proto, flags)
    except socket.gaierror:
        name = host.decode("ascii") if isinstance(host, bytes) else host
        if not name or flags & socket.AI_NUMERICHOST or family not in (0, socket.AF_INET):
            raise
        return _getaddrinfo(_address(name.encode("idna").decode("ascii").lower()), port, socket.AF_INET, type, proto, flags)


def gethostbyname(host):
    return getaddrinfo(host, None, socket.AF_INET, socket.SOCK_STREAM)[0][4][0]


def _beyond(address):
    """The host that an address of the Internet leads to, where that is none of this sandbox."""
    if not isinstance(address, tuple) or not isinstance(address[0], str):
        return None
    host = address[0]
    if host in ("", "localhost", "::1", "0.0.0.0", "::", "<broadcast>") or host.startswith("127."):
        return None
    if host in _names:
        return _names[host]
    if host == _sandbox.identify()[6]:
        return None
    if host.replace(".", "").isdigit() or ":" in host:
        return host
    try:
        _getaddrinfo(host, address[1])
        return None
    except socket.gaierror:
        return host


def _relayed(connecting, sock, address):
    """Connects by `connecting`: to the host itself, or to a process that asks it."""
    host = _beyond(address) if sock.type == socket.SOCK_STREAM else None
    if host is None:
        return connecting(sock, address)
    family = sock.family
    local = "::1" if family == socket.AF_INET6 else "127.0.0.1"
    with _socket_at(family, local) as server:
        done, refused = None, None
        try:
            done = connecting(sock, server.getsockname())
        except BlockingIOError as error:
            refused = error
        accepted, _ = server.accept()
        with accepted:
            _serve(accepted, host, address[1])
    if refused is not None:
        raise refused
    return done


def _socket_at(family, host):
    server = socket.socket(family, socket.SOCK_STREAM)
    server.bind((host, 0))
    server.listen(1)
    return server


def _serve(accepted, host, port):
    """Starts the process behind a connection; it ends with it. Those that have ended are let go of."""
    for pid in [pid for pid in _relays if _sandbox.try_wait(pid) is not None]:
        _relays.remove(pid)
    descriptor = _sandbox.connection(accepted.getsockname()[1], accepted.getpeername()[1])
    try:
        words = [b"python3", b"-I", b"-S", b"-m", b"_relay", host.encode("ascii"), str(port).encode("ascii")]
        variables = [b"PATH=" + os.environb.get(b"PATH", b"/usr/bin:/bin")]
        pid = _sandbox.spawn(b"/usr/bin/python3", words, variables, None, [(0, descriptor), (1, descriptor), (2, 2)])
        _relays.add(pid)
    finally:
        _sandbox.close(descriptor)


def connect(self, address):
    return _relayed(_connect, self, address)


def connect_ex(self, address):
    try:
        return _relayed(_connect_ex, self, address) or 0
    except BlockingIOError:
        return errno.EINPROGRESS


def install():
    """Puts these in the place of the loopback's own. While the component is made there is no network at all."""
    socket.getaddrinfo, socket.gethostbyname = getaddrinfo, gethostbyname
    socket.socket.connect, socket.socket.connect_ex = connect, connect_ex
