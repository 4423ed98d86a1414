"""What `ssl` needs of OpenSSL where the sandbox's host speaks TLS: contexts that hold their settings, and connections
that say to `_relay` that they want TLS and pass everything on as it is.

The host verifies certificates by its own trust, whatever a context asks for: nothing here is less strict. Servers,
certificates of clients and what is in a certificate are not there.
"""

import _socket
import os

OPENSSL_VERSION = "OpenSSL 3.5.0 (its interface: the sandbox's host speaks TLS)"
OPENSSL_VERSION_INFO = _OPENSSL_API_VERSION = (3, 5, 0, 0, 0)
OPENSSL_VERSION_NUMBER = 0x30500000
_DEFAULT_CIPHERS = "@SECLEVEL=2:ECDH+AESGCM:ECDH+CHACHA20:ECDH+AES:DHE+AES:!aNULL:!eNULL:!aDSS:!SHA1:!AESCCM"

HAS_SNI = HAS_ECDH = HAS_ALPN = HAS_TLSv1_2 = HAS_TLSv1_3 = True
HAS_NPN = HAS_SSLv2 = HAS_SSLv3 = HAS_TLSv1 = HAS_TLSv1_1 = HAS_PSK = HAS_PHA = False

PROTOCOL_SSLv23 = PROTOCOL_TLS = 2
PROTOCOL_TLSv1, PROTOCOL_TLSv1_1, PROTOCOL_TLSv1_2, PROTOCOL_TLS_CLIENT, PROTOCOL_TLS_SERVER = 3, 4, 5, 16, 17
PROTO_MINIMUM_SUPPORTED, PROTO_MAXIMUM_SUPPORTED = -2, -1
PROTO_SSLv3, PROTO_TLSv1, PROTO_TLSv1_1, PROTO_TLSv1_2, PROTO_TLSv1_3 = 768, 769, 770, 771, 772

CERT_NONE, CERT_OPTIONAL, CERT_REQUIRED = 0, 1, 2
VERIFY_DEFAULT, VERIFY_CRL_CHECK_LEAF, VERIFY_CRL_CHECK_CHAIN, VERIFY_X509_STRICT = 0, 4, 12, 0x20
VERIFY_ALLOW_PROXY_CERTS, VERIFY_X509_TRUSTED_FIRST, VERIFY_X509_PARTIAL_CHAIN = 0x40, 0x8000, 0x80000
HOSTFLAG_ALWAYS_CHECK_SUBJECT, HOSTFLAG_NO_WILDCARDS, HOSTFLAG_NEVER_CHECK_SUBJECT = 1, 2, 0x20
ENCODING_PEM, ENCODING_DER = 1, 2

OP_ALL, OP_NO_SSLv2, OP_NO_SSLv3, OP_NO_TLSv1 = 0x80000050, 0, 0x2000000, 0x4000000
OP_NO_TLSv1_1, OP_NO_TLSv1_2, OP_NO_TLSv1_3 = 0x10000000, 0x8000000, 0x20000000
OP_CIPHER_SERVER_PREFERENCE, OP_SINGLE_DH_USE, OP_SINGLE_ECDH_USE = 0x400000, 0, 0
OP_NO_TICKET, OP_NO_COMPRESSION, OP_NO_RENEGOTIATION = 0x4000, 0x20000, 0x40000000
OP_LEGACY_SERVER_CONNECT, OP_ENABLE_MIDDLEBOX_COMPAT, OP_IGNORE_UNEXPECTED_EOF = 4, 0x100000, 0x80

SSL_ERROR_SSL, SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE, SSL_ERROR_WANT_X509_LOOKUP, SSL_ERROR_SYSCALL = 1, 2, 3, 4, 5
SSL_ERROR_ZERO_RETURN, SSL_ERROR_WANT_CONNECT, SSL_ERROR_EOF, SSL_ERROR_INVALID_ERROR_CODE = 6, 7, 8, 10

# The descriptions of alerts: RFC 8446, section 6, and RFC 5246, section 7.2.
for _number, _name in (
    (0, "CLOSE_NOTIFY"), (10, "UNEXPECTED_MESSAGE"), (20, "BAD_RECORD_MAC"), (22, "RECORD_OVERFLOW"),
    (30, "DECOMPRESSION_FAILURE"), (40, "HANDSHAKE_FAILURE"), (42, "BAD_CERTIFICATE"),
    (43, "UNSUPPORTED_CERTIFICATE"), (44, "CERTIFICATE_REVOKED"), (45, "CERTIFICATE_EXPIRED"),
    (46, "CERTIFICATE_UNKNOWN"), (47, "ILLEGAL_PARAMETER"), (48, "UNKNOWN_CA"), (49, "ACCESS_DENIED"),
    (50, "DECODE_ERROR"), (51, "DECRYPT_ERROR"), (70, "PROTOCOL_VERSION"), (71, "INSUFFICIENT_SECURITY"),
    (80, "INTERNAL_ERROR"), (90, "USER_CANCELLED"), (100, "NO_RENEGOTIATION"), (110, "UNSUPPORTED_EXTENSION"),
    (111, "CERTIFICATE_UNOBTAINABLE"), (112, "UNRECOGNIZED_NAME"), (113, "BAD_CERTIFICATE_STATUS_RESPONSE"),
    (114, "BAD_CERTIFICATE_HASH_VALUE"), (115, "UNKNOWN_PSK_IDENTITY"),
):  # fmt: skip
    globals()["ALERT_DESCRIPTION_" + _name] = _number


class SSLError(OSError):
    """A failure of TLS."""

    __module__ = "ssl"
    library = reason = None

    def __str__(self):
        return str(self.args[-1]) if self.args else ""


class SSLZeroReturnError(SSLError):
    """The connection was closed in order."""

    __module__ = "ssl"


class SSLWantReadError(SSLError):
    """There is nothing to read yet."""

    __module__ = "ssl"


class SSLWantWriteError(SSLError):
    """There is no room to write yet."""

    __module__ = "ssl"


class SSLSyscallError(SSLError):
    """The system refused."""

    __module__ = "ssl"


class SSLEOFError(SSLError):
    """The connection ended within."""

    __module__ = "ssl"


class SSLCertVerificationError(SSLError, ValueError):
    """A certificate was not accepted."""

    __module__ = "ssl"
    verify_code, verify_message = 0, ""


class SSLSession:
    """There are none."""


class Certificate:
    """There are none."""


class MemoryBIO:
    """Bytes on their way."""

    def __init__(self):
        self._content, self.eof, self._ended = bytearray(), False, False

    @property
    def pending(self):
        return len(self._content)

    def read(self, size=-1):
        count = len(self._content) if size is None or size < 0 else size
        taken = bytes(self._content[:count])
        del self._content[:count]
        self.eof = self._ended and not self._content
        return taken

    def write(self, data):
        if self._ended:
            raise SSLError("cannot write() after write_eof()")
        self._content += data
        return len(data)

    def write_eof(self):
        self._ended = True
        self.eof = not self._content


class _Stream:
    """The two directions of a socket."""

    def __init__(self, socket):
        self._socket = socket

    def read(self, count):
        return _socket.socket.recv(self._socket, count)

    def write(self, data):
        return _socket.socket.send(self._socket, data)


class _Memory:
    """The two directions through memory."""

    def __init__(self, incoming, outgoing):
        self._incoming, self._outgoing = incoming, outgoing

    def read(self, count):
        found = self._incoming.read(count)
        if not found and not self._incoming.eof:
            raise SSLWantReadError(SSL_ERROR_WANT_READ, "The operation did not complete (read)")
        return found

    def write(self, data):
        return self._outgoing.write(data)


class _Connection:
    """One connection as `ssl` sees it."""

    def __init__(self, context, stream, hostname, owner):
        self.context, self.owner, self.server_hostname = context, owner, hostname
        self.server_side, self.session, self.session_reused = False, None, False
        self._stream, self._begun, self._ended = stream, False, False

    def do_handshake(self):
        if not self._begun:
            self._begun = True
            self._stream.write(b"\0")

    def read(self, count, buffer=None):
        self.do_handshake()
        content = self._stream.read(count if buffer is None else min(count or len(buffer), len(buffer)))
        if not content and self._ended:
            raise SSLZeroReturnError(SSL_ERROR_ZERO_RETURN, "TLS/SSL connection has been closed (EOF)")
        self._ended = not content
        if buffer is None:
            return content
        buffer[: len(content)] = content
        return len(content)

    def write(self, data):
        self.do_handshake()
        return self._stream.write(data)

    def shutdown(self):
        return self.owner

    def pending(self):
        return 0

    def getpeercert(self, binary=False):
        if binary:
            return None
        return {"subjectAltName": (("DNS", self.server_hostname),)} if self.server_hostname else {}

    def get_verified_chain(self):
        return []

    def get_unverified_chain(self):
        return []

    def selected_alpn_protocol(self):
        return "http/1.1" if b"http/1.1" in self.context._alpn else None

    def cipher(self):
        return "TLS_AES_256_GCM_SHA384", "TLSv1.3", 256

    def shared_ciphers(self):
        return None

    def compression(self):
        return None

    def version(self):
        return "TLSv1.3"

    def get_channel_binding(self, cb_type="tls-unique"):
        return None

    def verify_client_post_handshake(self):
        raise NotImplementedError("there are no certificates of clients here")


class _SSLContext:
    """The settings of connections."""

    def __new__(cls, protocol=PROTOCOL_TLS):
        self = super().__new__(cls)
        client = protocol == PROTOCOL_TLS_CLIENT
        self._values = {
            "protocol": protocol, "options": OP_ALL | OP_NO_SSLv3 | OP_NO_COMPRESSION, "verify_flags": VERIFY_X509_TRUSTED_FIRST,
            "verify_mode": CERT_REQUIRED if client else CERT_NONE, "check_hostname": client, "_host_flags": 0,
            "minimum_version": PROTO_TLSv1_2, "maximum_version": PROTO_MAXIMUM_SUPPORTED,
            "post_handshake_auth": False, "keylog_filename": None, "_msg_callback": None, "sni_callback": None,
            "num_tickets": 2, "security_level": 2,
        }  # fmt: skip
        self._alpn = b""
        return self

    @property
    def verify_mode(self):
        return self._values["verify_mode"]

    @verify_mode.setter
    def verify_mode(self, mode):
        if mode == CERT_NONE and self.check_hostname:
            raise ValueError("Cannot set verify_mode to CERT_NONE when check_hostname is enabled.")
        self._values["verify_mode"] = int(mode)

    @property
    def check_hostname(self):
        return self._values["check_hostname"]

    @check_hostname.setter
    def check_hostname(self, checks):
        if checks and self.verify_mode == CERT_NONE:
            self._values["verify_mode"] = CERT_REQUIRED
        self._values["check_hostname"] = bool(checks)

    def _wrap_socket(self, sock, server_side, server_hostname=None, *, owner=None, session=None):
        return self._wrap(_Stream(sock), server_side, server_hostname, owner)

    def _wrap_bio(self, incoming, outgoing, server_side, server_hostname=None, *, owner=None, session=None):
        return self._wrap(_Memory(incoming, outgoing), server_side, server_hostname, owner)

    def _wrap(self, stream, server_side, hostname, owner):
        if server_side:
            raise SSLError("a sandbox's server speaks no TLS: the host has the certificates")
        return _Connection(self, stream, hostname, owner)

    def _set_alpn_protocols(self, protocols):
        self._alpn = bytes(protocols)

    def load_cert_chain(self, certfile, keyfile=None, password=None):
        raise SSLError("certificates of clients are the host's: `--secret` and the network policy")

    def load_verify_locations(self, cafile=None, capath=None, cadata=None):
        if cafile is None and capath is None and cadata is None:
            raise TypeError("cafile, capath and cadata cannot be all omitted")
        if cafile is not None:
            os.stat(cafile)

    def set_default_verify_paths(self):
        pass

    def set_ciphers(self, ciphers):
        pass

    def set_ecdh_curve(self, name):
        pass

    def load_dh_params(self, path):
        pass

    def get_ciphers(self):
        return [{"name": "TLS_AES_256_GCM_SHA384", "protocol": "TLSv1.3", "strength_bits": 256}]

    def get_ca_certs(self, binary_form=False):
        return []

    def cert_store_stats(self):
        return {"x509": 0, "crl": 0, "x509_ca": 0}

    def session_stats(self):
        return {}


def _setting(name):
    return property(lambda self: self._values[name], lambda self, value: self._values.__setitem__(name, value))


for _name in (
    "protocol", "options", "verify_flags", "_host_flags", "minimum_version", "maximum_version", "post_handshake_auth",
    "keylog_filename", "_msg_callback", "sni_callback", "num_tickets", "security_level",
):  # fmt: skip
    setattr(_SSLContext, _name, _setting(_name))


def _object(name):
    known = {
        "1.3.6.1.5.5.7.3.1": (129, "serverAuth", "TLS Web Server Authentication"),
        "1.3.6.1.5.5.7.3.2": (130, "clientAuth", "TLS Web Client Authentication"),
    }
    for oid, (number, short, long) in known.items():
        if name in (oid, number, short, long):
            return number, short, long, oid
    raise ValueError(f"unknown object {str(name)[:100]!r}")


def txt2obj(txt, name=False):
    return _object(txt)


def nid2obj(nid):
    return _object(nid)


def RAND_status():
    return True


def RAND_add(string, entropy):
    pass


def RAND_bytes(count):
    return os.urandom(count)


def get_default_verify_paths():
    return "SSL_CERT_FILE", "/etc/ssl/cert.pem", "SSL_CERT_DIR", "/etc/ssl/certs"
