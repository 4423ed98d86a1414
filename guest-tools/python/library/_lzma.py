"""The compressions of `lzma`, done by a process of the sandbox."""

from operator import index

import _coder

CHECK_NONE, CHECK_CRC32, CHECK_CRC64, CHECK_SHA256, CHECK_ID_MAX, CHECK_UNKNOWN = 0, 1, 4, 10, 15, 16
FILTER_LZMA1, FILTER_LZMA2, FILTER_DELTA, FILTER_X86 = 0x4000000000000001, 0x21, 0x03, 0x04
FILTER_POWERPC, FILTER_IA64, FILTER_ARM, FILTER_ARMTHUMB, FILTER_SPARC = 0x05, 0x06, 0x07, 0x08, 0x09
FORMAT_AUTO, FORMAT_XZ, FORMAT_ALONE, FORMAT_RAW = 0, 1, 2, 3
MF_HC3, MF_HC4, MF_BT2, MF_BT3, MF_BT4 = 0x03, 0x04, 0x12, 0x13, 0x14
MODE_FAST, MODE_NORMAL = 1, 2
PRESET_DEFAULT, PRESET_EXTREME = 6, 1 << 31

# The settings of a filter, with the coder's name for each.
_SETTINGS = {
    "dict_size": "dictionary", "lc": "lc", "lp": "lp", "pb": "pb", "mode": "mode", "nice_len": "nice", "mf": "finder",
    "depth": "depth",
}  # fmt: skip
# The dictionary of each preset, as a power of two.
_DICTIONARIES = 18, 20, 21, 22, 22, 23, 23, 24, 25, 26
_XZ_START = b"\xfd7zXZ\0"


class LZMAError(Exception):
    """Call to liblzma failed."""


def is_check_supported(check_id, /):
    """Whether there is such an integrity check."""
    return check_id in (CHECK_NONE, CHECK_CRC32, CHECK_CRC64, CHECK_SHA256)


def _number(value):
    """A number that fits in 32 bits."""
    value = index(value)
    if value < 0:
        raise ValueError("value must be positive")
    if value >= 1 << 32:
        raise OverflowError("Python int too large for C uint32_t")
    return value


def _preset(preset):
    level = _number(preset) & ~PRESET_EXTREME
    if level > 9:
        raise LZMAError("Invalid or unsupported options")
    return f"preset={level}"


def _words(filters):
    """The identifier of the compression at the end of a chain, and the coder's words for the chain."""
    if isinstance(filters, dict) or not hasattr(filters, "__getitem__"):
        raise TypeError("filters must be a sequence of dicts")
    if len(filters) > 4:
        raise ValueError("Too many filters - liblzma supports a maximum of 4")
    if not filters:
        raise ValueError("Invalid filter chain")
    words = []
    for at, chosen in enumerate(filters):
        try:
            identifier = chosen["id"]
        except KeyError:
            raise ValueError("Filter specifier must have an \"id\" entry") from None
        names = set(chosen) - {"id"}
        last = at == len(filters) - 1
        if identifier in (FILTER_LZMA1, FILTER_LZMA2):
            if unknown := names - {*_SETTINGS, "preset"}:
                raise ValueError(f"Invalid filter specifier for LZMA filter: {sorted(unknown)[0]}")
            if not last:
                raise LZMAError("Invalid or unsupported options")
            words.append(_preset(chosen.get("preset", PRESET_DEFAULT)))
            words += [f"{_SETTINGS[name]}={_number(chosen[name])}" for name in sorted(names - {"preset"})]
        elif identifier == FILTER_DELTA:
            if names - {"dist"}:
                raise ValueError("Invalid filter specifier for delta filter")
            words.append(f"filter{identifier}={_number(chosen.get('dist', 1))}")
        elif FILTER_X86 <= identifier <= FILTER_SPARC:
            if names - {"start_offset"}:
                raise ValueError("Invalid filter specifier for BCJ filter")
            words.append(f"filter{identifier}={_number(chosen.get('start_offset', 0))}")
        else:
            raise ValueError(f"Invalid filter ID: {identifier}")
    if identifier not in (FILTER_LZMA1, FILTER_LZMA2):
        raise LZMAError("Invalid or unsupported options")
    return identifier, words


def _raw(filters):
    if filters is None:
        raise ValueError("Must specify filters for FORMAT_RAW")
    identifier, words = _words(filters)
    return ["lzma1" if identifier == FILTER_LZMA1 else "lzma2", words]


class LZMACompressor(_coder.Compressor):
    """Compresses in pieces."""

    def __init__(self, format=FORMAT_XZ, check=-1, preset=None, filters=None):
        if preset is not None and filters is not None:
            raise ValueError("Cannot specify both preset and filter chain")
        format, check = index(format), index(check)
        if format != FORMAT_XZ and check not in (-1, CHECK_NONE):
            raise ValueError("Integrity checks are only supported by FORMAT_XZ")
        if format == FORMAT_XZ:
            check = CHECK_CRC64 if check == -1 else check
            if not is_check_supported(check):
                raise LZMAError("Unsupported integrity check")
            name, end = "xz", FILTER_LZMA2
        elif format == FORMAT_ALONE:
            name, end = "lzma", FILTER_LZMA1
        elif format == FORMAT_RAW:
            name, words = _raw(filters)
        else:
            raise ValueError(f"Invalid container format: {format}")
        if format != FORMAT_RAW:
            if filters is None:
                words = [_preset(PRESET_DEFAULT if preset is None else preset)]
            else:
                identifier, words = _words(filters)
                if format == FORMAT_ALONE and (identifier != end or len(filters) > 1):
                    raise ValueError("Invalid filter chain for FORMAT_ALONE - must be a single LZMA1 filter")
                if identifier != end:
                    raise LZMAError("Invalid or unsupported options")
        if format == FORMAT_XZ:
            words.append(f"check={check}")
        super().__init__(name, "c", *words)

    def _run(self, piece):
        try:
            return super()._run(piece)
        except _coder.Short:
            raise MemoryError from None
        except _coder.Refused as error:
            raise LZMAError(str(error)) from None


class LZMADecompressor(_coder.Decompressor):
    """Decompresses one stream in pieces."""

    _format, _start, _memory = FORMAT_AUTO, b"", ()

    def __init__(self, format=FORMAT_AUTO, memlimit=None, filters=None):
        format = index(format)
        if format == FORMAT_RAW:
            if memlimit is not None:
                raise ValueError("Cannot specify memory limit with FORMAT_RAW")
        elif filters is not None:
            raise ValueError("Cannot specify filters except with FORMAT_RAW")
        if format not in (FORMAT_AUTO, FORMAT_XZ, FORMAT_ALONE, FORMAT_RAW):
            raise ValueError(f"Invalid container format: {format}")
        self.check = CHECK_NONE if format in (FORMAT_ALONE, FORMAT_RAW) else CHECK_UNKNOWN
        if memlimit is not None:
            self._memory = (f"memory={min(memlimit >> 10, 2**32 - 1)}",)
        self._format = format
        super().__init__()
        if format == FORMAT_RAW:
            name, words = _raw(filters)
            self._coder = _coder.Coder(name, "d", *words)
        elif format != FORMAT_AUTO:
            self._choose(format)

    def _choose(self, format):
        self._format = format
        self._coder = _coder.Coder("xz" if format == FORMAT_XZ else "lzma", "d", *self._memory)

    @property
    def needs_input(self):
        return self._format == FORMAT_AUTO or super().needs_input

    def decompress(self, data, max_length=-1):
        if self.eof:
            raise EOFError("Already at end of stream")
        data, max_length = _coder.folded(data), index(max_length)
        if len(self._start) < 8 and self._format in (FORMAT_AUTO, FORMAT_XZ):
            self._start += data[: 8 - len(self._start)]
        if self._format == FORMAT_AUTO:
            self._waiting += data
            start = self._waiting[: len(_XZ_START)]
            if _XZ_START.startswith(start) and len(start) < len(_XZ_START):
                return b""
            self._choose(FORMAT_XZ if start == _XZ_START else FORMAT_ALONE)
            data = b""
        if self._format == FORMAT_XZ and len(self._start) == 8:
            self.check = self._start[7] & 15
        elif self._format == FORMAT_ALONE:
            self.check = CHECK_NONE
        try:
            return super().decompress(data, max_length)
        except _coder.Short:
            raise LZMAError("Memory usage limit exceeded") from None
        except _coder.Refused:
            known = self._format != FORMAT_XZ or _XZ_START.startswith(self._start[:6])
            raise LZMAError("Corrupt input data" if known else "Input format not supported by decoder") from None


def _encode_filter_properties(filter, /):
    """The properties of a filter as a container writes them."""
    identifier, words = _words([filter])
    values = dict(word.split("=") for word in words)
    level = int(values["preset"])
    size = int(values.get("dictionary", 1 << _DICTIONARIES[level]))
    if identifier == FILTER_LZMA1:
        lc, lp, pb = (int(values.get(name, usual)) for name, usual in (("lc", 3), ("lp", 0), ("pb", 2)))
        return bytes([(pb * 5 + lp) * 9 + lc]) + size.to_bytes(4, "little")
    bits = next(bits for bits in range(41) if bits == 40 or (2 | bits & 1) << bits // 2 + 11 >= size)
    return bytes([bits])


def _decode_filter_properties(filter_id, encoded_props, /):
    """The filter that a container's properties tell of."""
    props = _coder.folded(encoded_props)
    if filter_id == FILTER_LZMA1 and len(props) == 5 and props[0] < 225:
        rest, lc = divmod(props[0], 9)
        pb, lp = divmod(rest, 5)
        size = int.from_bytes(props[1:], "little")
        return {"id": filter_id, "dict_size": size, "lc": lc, "lp": lp, "pb": pb}
    if filter_id == FILTER_LZMA2 and len(props) == 1 and props[0] <= 40:
        size = 2**32 - 1 if props[0] == 40 else (2 | props[0] & 1) << props[0] // 2 + 11
        return {"id": filter_id, "dict_size": size}
    if filter_id == FILTER_DELTA and len(props) == 1:
        return {"id": filter_id, "dist": props[0] + 1}
    if FILTER_X86 <= filter_id <= FILTER_SPARC and len(props) in (0, 4):
        return {"id": filter_id} | ({"start_offset": int.from_bytes(props, "little")} if props else {})
    raise LZMAError("Invalid or unsupported options")
