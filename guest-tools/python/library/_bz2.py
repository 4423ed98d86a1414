"""The compression of `bz2`, done by a process of the sandbox."""

import _coder


class BZ2Compressor(_coder.Compressor):
    """Compresses in pieces; `compresslevel` is 1 to 9."""

    def __init__(self, compresslevel=9, /):
        if not 1 <= compresslevel <= 9:
            raise ValueError("compresslevel must be between 1 and 9")
        super().__init__("bzip2", "c", f"level={compresslevel}")


class BZ2Decompressor(_coder.Decompressor):
    """Decompresses one stream in pieces."""

    def __init__(self):
        super().__init__("bzip2", "d")

    def decompress(self, data, max_length=-1):
        if self._failure is not None:
            raise ValueError("Decompressor is unusable after a previous error")
        try:
            return super().decompress(data, max_length)
        except _coder.Refused:
            raise OSError("Invalid data stream") from None
